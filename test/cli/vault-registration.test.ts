/** A new vault while DNS does not resolve its name yet. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";
import { createSet, group, vaultId } from "../identities/cli/identity-sets.js";

const vault = vaultId("demo-kv");
const registering = {
  id: vault,
  name: "demo-kv",
  type: "Microsoft.KeyVault/vaults",
  location: "eastus",
  properties: {
    tenantId: "7e7a0000-0000-4000-8000-000000000001",
    sku: { family: "A", name: "standard" },
    vaultUri: "https://demo-kv.vault.azure.net/",
    provisioningState: "RegisteringDns",
  },
};

test("create assigns the roles on a new vault while DNS registers its name, and requests its contents only afterwards", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [group]: { location: "eastus" } } });
  // Two reads find no vault; the next four find it registering.
  const answer = { status: 200, body: registering };
  const faults = [{ method: "GET", path: "/vaults/demo-kv$", nth: 3, times: 4, answer }];
  exits(await createSet(azure, ["--key-vault-name", "demo-kv"], { faults, env: { ARO_HCP_LOCAL_TIME_SCALE: "20" } }), 0);

  const urls = (await azure.traffic()).map(({ method, url, responseBody }) => ({ method, url, responseBody }));
  const indexes = (matches: (exchange: (typeof urls)[number]) => boolean) =>
    urls.flatMap((exchange, index) => (matches(exchange) ? [index] : []));
  const states = indexes(({ responseBody }) => JSON.stringify(responseBody ?? "").includes("RegisteringDns"));
  const roles = indexes(({ method, url }) => method === "PUT" && url.includes("/vaults/demo-kv/providers/Microsoft.Authorization/"));
  const contents = indexes(({ url }) => url.includes("demo-kv.vault.azure.net"));
  expect(roles).toHaveLength(2);
  expect(Math.max(...roles)).toBeLessThan(states.at(-1) ?? 0);
  expect(states.at(-1)).toBeLessThan(contents[0] ?? 0);
});
