/** `audit` and `sweep` on the thirty clusters and what stands beside them: what is left over, and what only looks so. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { exits } from "../cli/expectations.js";
import { testEmulator, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { beside, seedBeside } from "./beside-clusters.js";
import { ccoctlTags } from "./ccoctl-seed.js";
import { group } from "./estate-seed.js";
import { seedThirtyClusters, subscriptions } from "./thirty-clusters.js";

const given = ["--infra-ids", "i14x,i22x"];

/** Three days after what stands beside the clusters was made. */
async function estate(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await seedThirtyClusters(azure);
  await seedBeside(azure);
  await azure.serve({ ...systemClock, now: () => new Date(Date.now() + 3 * 86_400_000) });
  return azure;
}

interface Candidate {
  readonly kind: string;
  readonly title: string;
  readonly verdict: string;
  readonly remove: string;
}

async function audit(azure: TestEmulator, args: readonly string[] = given, options: CliOptions = {}) {
  const { code, stdout } = await azure.cli(["audit", "--cloud", "local", "--output", "json", ...args], options);
  const { candidates } = JSON.parse(stdout) as { readonly candidates: readonly Candidate[] };
  const titles = (verdict: string) =>
    candidates
      .filter((one) => one.verdict === verdict && one.kind !== "role-assignments")
      .map(({ title }) => title.replace(/^resource group /, ""));
  const roles = (verdict: string) => candidates.filter((one) => one.verdict === verdict && one.kind === "role-assignments").length;
  return { code, candidates, titles, roles };
}

test("an audit finds what the thirty left, and says of what only looks so why it stays", async () => {
  const { code, titles, roles, candidates } = await audit(await estate());
  // A node group names a cluster in a subscription that the caller cannot read.
  expect(code).toBe(8);
  expect(titles("unknown")).toEqual([beside.nodeGroups.unreadable]);
  // Only with their infra IDs: nothing else says that c14 and c22 have been.
  expect(roles("sweep")).toBe(8);
  expect(titles("sweep")).toEqual([
    ...[beside.nodeGroups.gone, "c13-i13x-nsg", "gone1-common", "gone2-common", "gone2-oidc"],
    ...["cpo", "file", "disk", "cloud-provider", "nodepool-mgmt", "image-registry", "ingress", "network"].map(
      (key) => `deleted application gone1-${key} of resource group gone1-common`,
    ),
    `deleted Key Vault ${beside.deletedVaults.ours}`,
  ]);
  expect(titles("audit")).toEqual([
    ...["c11-i11x", "c11-i11x-nsg", "c11-i11x-vnet", "c12-i12x", "c12-i12x-nsg", "c12-i12x-vnet"],
    ...["held1-common", "held2-common", "team-a", "held3-common", "held4-common"],
    beside.unused.installationGroup,
    `deleted Key Vault ${beside.deletedVaults.oursProtected}`,
    ...["OIDC issuer lone1", "OIDC issuer lone2", "credentials of identity set c05", "credentials of identity set c06"],
    ...["image-registry", "azure-disk", "azure-file"].map((one) => `managed identity ${one}-MI-c25`),
    `federated credential trust of managed identity ${beside.unused.identity}`,
    `custom role ${beside.unused.customRole}`,
  ]);
  expect(candidates.find(({ title }) => title.endsWith("c12-i12x"))?.remove).toBe(
    "aro-hcp destroy infra --cloud local --name c12 --infra-id i12x --subscription 5b5c0000-0000-4000-8000-000000000001",
  );
});

test("a sweep removes the groups and the roles, and purges only what is named", async () => {
  const azure = await estate();
  const before = await audit(azure);
  const groups = before.titles("sweep").filter((title) => !title.startsWith("deleted"));
  const cap = ["--yes", "--max", "100", "--output-journal"];
  const { code } = await azure.cli(["sweep", "--cloud", "local", ...given, ...cap, azure.path("1")]);
  expect(code).toBe(8);
  const after = await audit(azure);
  expect(after.roles("sweep")).toBe(0);
  expect(after.titles("sweep")).toEqual(before.titles("sweep").filter((title) => !groups.includes(title)));
  expect(after.titles("audit")).toEqual(before.titles("audit"));
  const purged = await azure.cli([
    "sweep",
    "--cloud",
    "local",
    ...cap,
    azure.path("2"),
    "--purge-names",
    `gone1,${beside.deletedVaults.ours}`,
  ]);
  expect(purged.code, purged.stderr).toBe(8);
  expect((await audit(azure)).titles("sweep")).toEqual([]);
  // Of 28, c13 went: nothing of it was left but a group.
  const { stdout } = exits(await azure.cli(["list", "clusters", "--cloud", "local"]), 0);
  expect(stdout).toContain("27 clusters");
});

test("what was not read may show a use: it is unknown, not unused", async () => {
  const azure = await estate();
  const { unused } = beside;
  const elsewhere = [
    `managed identity ${unused.identity}`,
    `federated credential trust of managed identity ${unused.identity}`,
    `custom role ${unused.customRole}`,
  ];
  expect((await audit(azure, ["--subscriptions", subscriptions.production])).titles("unknown")).toEqual(expect.arrayContaining(elsewhere));
});

test("a group in a list that could not be read is unknown, not empty", async () => {
  const azure = await testEmulator();
  await azure.seed(group("left", ccoctlTags("left")));
  expect((await audit(azure, [])).titles("audit")).toEqual(["left"]);
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no right" } } };
  const faults = [{ method: "GET", path: `/subscriptions/${subscriptions.production}/resources$`, times: 9, answer }];
  const { titles, code } = await audit(azure, [], { faults });
  expect({ code, unknown: titles("unknown"), audit: titles("audit") }).toEqual({ code: 8, unknown: ["left"], audit: [] });
});
