/** Vaults of others with planted tags: a destroy neither deletes nor purges them, and assigns itself no role on them. */
import { expect, test } from "vitest";
import { arcVaultName } from "../../../src/arc/domain/secrets.js";
import { grantName } from "../../../src/domain/role-assignment-name.js";
import { secretsOfficer, vaultReader } from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { connectedCluster } from "../../arc/cli/connected-clusters.js";
import { groupId } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";
import { createSet, destroySet, vaultId } from "../cli/identity-sets.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { addSecret, changeResource, resource } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";

const payroll = "payrollkv3";
const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
const owners = [
  ["a set", { "aro-hcp-identities": "demo" }, "common", (azure: TestEmulator, flags: readonly string[]) => destroySet(azure, flags)],
  [
    "a connected cluster",
    { "aro-hcp-arc": "demo" },
    "demo-arc",
    (azure: TestEmulator, flags: readonly string[]) =>
      azure.cli(["destroy", "arc", "--cloud", "local", "--name", "demo", "--yes", ...flags]),
  ],
] as const;

const idIn = (group: string, name = payroll) => `${groupId(group)}/providers/Microsoft.KeyVault/vaults/${name}`;

async function planted(owner: Record<string, string>, group: string): Promise<TestEmulator> {
  const azure = await testEmulator();
  const tags = { ...owner, "aro-hcp-created-as": payroll, "aro-hcp-inspected": new Date().toISOString() };
  await azure.seed({ resources: { [groupId(group)]: { location: "eastus" }, [idIn(group)]: { location: "eastus", properties, tags } } });
  if (group === "demo-arc") await connectedCluster(azure);
  return azure;
}

test.each(owners)("a soft-deleted vault that only tags name as that of %s is not purged", async (_what, owner, group, destroy) => {
  const azure = await planted(owner, group);
  await addSecret(azure, payroll, "salaries");
  await (await (await connectedAzure(azure.directory)).vaults()).vaults.delete(group, payroll);
  const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
  expect(stderr).toMatch(/keep +deleted Key Vault payrollkv3: only its tags name this/);
  expect(Object.keys((await azure.snapshot()).resources).join(" ")).toMatch(/deletedvaults\/payrollkv3/i);
});

test.each(owners)("a vault that only tags name as that of %s is kept, without a role on it", async (_what, owner, group, destroy) => {
  const azure = await planted(owner, group);
  await azure.traffic();
  const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
  expect(stderr).toMatch(/keep +\S+\/vaults\/payrollkv3: only its tags name this/);
  expect(await resource(azure, idIn(group))).toBeDefined();
  expect((await writesSince(azure)).filter((write) => write.includes(payroll))).toEqual([]);
});

test("a vault with a chosen name is the set's with --key-vault-name, or with a secret or certificate of the set", async () => {
  const azure = await testEmulator();
  const named = ["--key-vault-name", "demo-kv"];
  exits(await createSet(azure, named), 0);
  exits(await destroySet(azure), 0);
  expect(await resource(azure, vaultId("demo-kv"))).toBeUndefined();
  // The soft-deleted vault shows nothing any more.
  expect(exits(await destroySet(azure, ["--purge"]), 0).stderr).toContain("pass --key-vault-name demo-kv if it is the set's");
  exits(await destroySet(azure, [...named, "--purge"]), 0);
  expect(Object.keys((await azure.snapshot()).resources).join(" ")).not.toContain("demo-kv");
});

/** As a destroy that was killed while it read the vault leaves it. */
async function leaveRole(azure: TestEmulator, vault: string): Promise<() => Promise<readonly string[]>> {
  const { authorization } = await connectedAzure(azure.directory);
  const { roleAssignments } = await authorization();
  const principalId = await callerOf(azure);
  await roleAssignments.create(vault, grantName(principalId, vaultReader.id, vault), {
    ...{ principalId, description: "assigned by aro-hcp to itself for one run" },
    roleDefinitionId: `/subscriptions/${wellKnown.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${vaultReader.id}`,
  });
  return async () => Object.keys((await azure.snapshot()).roleAssignments).filter((id) => id.startsWith(vault.toLowerCase()));
}

async function callerOf({ snapshot }: TestEmulator): Promise<string> {
  const { roleAssignments } = await snapshot();
  return (Object.values(roleAssignments) as { principalId: string }[])[0]?.principalId ?? "";
}

test.each(owners)(
  "the role that a killed destroy left on a vault goes, also if the vault is no longer that of %s",
  async (_what, owner, group, destroy) => {
    const azure = await planted(owner, group);
    const left = await leaveRole(azure, idIn(group));
    await changeResource(azure, idIn(group), (stored) => (stored.tags = {}));
    expect(await left()).toHaveLength(1);
    exits(await destroy(azure, []), 0);
    expect(await left()).toEqual([]);
  },
);

test("the role that a killed destroy of arc left on a vault that is kept for its deleted secrets goes", async () => {
  const azure = await testEmulator();
  const name = arcVaultName({ subscriptionId: wellKnown.subscriptionId, groupName: "demo-arc", name: "demo" });
  const vault = idIn("demo-arc", name);
  await azure.seed({
    resources: {
      [groupId("demo-arc")]: { location: "eastus" },
      [vault]: { location: "eastus", properties, tags: { "aro-hcp-arc": "demo" } },
    },
  });
  await connectedCluster(azure);
  const left = await leaveRole(azure, vault);
  const principalId = await callerOf(azure);
  await azure.seed({ roleAssignments: [{ scope: groupId("demo-arc"), role: secretsOfficer.id, principalId }] });
  const { secrets } = await (await connectedAzure(azure.directory)).vaultContent(name);
  await secrets.setSecret("payroll", "theirs");
  await (await secrets.beginDeleteSecret("payroll", { intervalInMs: 0 })).pollUntilDone();
  const { stderr } = exits(await owners[1][3](azure, ["--purge"]), 0);
  expect(stderr).toContain("also contains deleted secret payroll");
  expect(await resource(azure, vault)).toBeDefined();
  expect(await left()).toEqual([]);
});
