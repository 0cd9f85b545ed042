/** What a destroy does if the lists of a vault's certificates and secrets fail, which it reads at the same time. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { toFailure } from "../../src/azure/to-failure.js";
import { wellKnown } from "../../src/emulator/index.js";
import { readContents, setVault } from "../../src/removal/vaults.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator } from "../harness/test-emulator.js";

const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo-common`;
const vault = { id: `${group}/providers/Microsoft.KeyVault/vaults/kv-demo`, name: "kv-demo", location: "eastus" };
const properties = { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true };

const empty = { status: 200, body: { value: [] } };
const denied = { status: 403, body: { error: { code: "Forbidden", message: "not authorized", innererror: { code: "ForbiddenByRbac" } } } };
const broken = (list: string) => ({ status: 400, body: { error: { code: "BadParameter", message: `no ${list}` } } });

/** Whether the contents could be read, or why the read failed. */
async function outcome(certificates: object, secrets: object, slow: "certificates" | "secrets"): Promise<string> {
  const { seed, directory, path } = await testEmulator();
  await seed({ resources: { [group]: { location: "eastus" }, [vault.id]: { location: "eastus", properties } } });
  const rule = (list: string, answer: object) => ({ path: `^/${list}$`, times: 100, answer, ...(list === slow && { delay: 100 }) });
  await writeFile(path("faults.json"), JSON.stringify([rule("certificates", certificates), rule("secrets", secrets)]));
  const azure = await connectedAzure(directory, { ARO_HCP_LOCAL_FAULTS: path("faults.json"), ARO_HCP_LOCAL_TIME_SCALE: "1000" });
  try {
    const found = await readContents(azure, vault, setVault({ name: "demo", groupName: "common" }));
    return found?.closed === true ? "denied" : "read";
  } catch (error) {
    return toFailure(error, "vault").because ?? "";
  }
}

test.each([
  ["neither fails", empty, empty, "read"],
  ["that of the secrets is denied", empty, denied, "denied"],
  ["that of the certificates is denied", denied, empty, "denied"],
  ["that of the secrets fails", empty, broken("secrets"), "no secrets"],
  ["that of the certificates fails", broken("certificates"), empty, "no certificates"],
  ["both fail", broken("certificates"), broken("secrets"), "no certificates"],
  ["that of the certificates is denied, and that of the secrets fails", denied, broken("secrets"), "denied"],
  ["that of the certificates fails, and that of the secrets is denied", broken("certificates"), denied, "no certificates"],
])("of the lists of certificates and secrets, %s", async (_title, certificates, secrets, expected) => {
  // Which one is slower does not matter.
  for (const slow of ["certificates", "secrets"] as const) expect(await outcome(certificates, secrets, slow)).toContain(expected);
});
