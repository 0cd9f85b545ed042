/** Which roles on a vault of `--key-vault-id` a destroy removes: those of its set and of sets that are gone, while nobody else needs them. */
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { changeState, setProperties } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId } from "../cli/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { createSet, destroySet, issuer, setFlags } from "./cli/identity-sets.js";

const vault = `${groupId("platform")}/providers/Microsoft.KeyVault/vaults/kv-platform`;
const given = ["--key-vault-id", vault] as const;
const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
const readers = ["--key-vault-reader-object-id", "44444444-4444-4444-8444-444444444444"];
const third = ["--cloud", "local", "--name", "third", "--resource-group-name", "other"];

async function prepared(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("platform")]: { location: "eastus" }, [vault]: { location: "eastus", properties } } });
  return azure;
}

const createThird = (azure: TestEmulator, ...flags: readonly string[]) =>
  azure.cli(["create", "identities", ...third, "--oidc-issuer-url", issuer, ...given, ...flags]);
const destroyThird = (azure: TestEmulator) => azure.cli(["destroy", "identities", ...third, ...given, "--yes", "--purge"]);

/** The principals of the roles on the vault, with their descriptions. */
async function rolesOn(azure: TestEmulator): Promise<string[]> {
  const { roleAssignments } = await azure.snapshot();
  return (Object.values(roleAssignments) as { scope: string; principalId: string; description?: string }[])
    .filter(({ scope }) => scope.toLowerCase() === vault.toLowerCase())
    .map(({ principalId, description = "" }) => `${principalId} ${description}`)
    .toSorted();
}

const closed = { publicNetworkAccess: "Disabled", networkAcls: { defaultAction: "Deny" } };

test("a destroy that the vault's network rules keep out leaves every role, and says why", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given, ...readers]), 0);
  exits(await createThird(azure), 0);
  const before = await rolesOn(azure);
  await setProperties(azure, vault, closed);
  const { stderr } = exits(await destroySet(azure, [...given, "--purge"]), 0);
  expect(stderr).toMatch(/its network rules deny access to its contents;[^]*from a network that they allow[^]*roles on it stay too/);
  expect(await rolesOn(azure)).toEqual(before);
});

test("so does one of the only set in the vault, whose rerun then removes the roles", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  const before = await rolesOn(azure);
  await setProperties(azure, vault, closed);
  expect(exits(await destroySet(azure, [...given]), 0).stderr).toContain("roles on it stay too, because another set may use them");
  expect(await rolesOn(azure)).toEqual(before);
  await setProperties(azure, vault, { publicNetworkAccess: "Enabled", networkAcls: { defaultAction: "Allow" } });
  exits(await destroySet(azure, [...given, "--purge"]), 0);
  expect(await rolesOn(azure)).toEqual([]);
});

test("the destroy of the last set in the vault also removes the roles of one that is gone", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given, ...readers]), 0);
  exits(await createThird(azure, ...readers), 0);
  exits(await destroySet(azure, [...given, "--purge"]), 0);
  expect(await rolesOn(azure)).toHaveLength(3);
  exits(await destroyThird(azure), 0);
  expect(await rolesOn(azure)).toEqual([]);
});

test("it keeps and names the roles of a set without contents in the vault whose applications are left", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given, ...readers]), 0);
  await changeState(azure, ({ vaults = {} }) => {
    vaults["kv-platform"] = { certificates: {}, secrets: {}, keys: {} };
  });
  exits(await createThird(azure), 0);
  const before = await rolesOn(azure);
  expect(exits(await destroyThird(azure), 0).stderr).toMatch(/roles that it has for identity set demo in resource group common stay too/);
  expect(await rolesOn(azure)).toEqual(before);
});

test("the group of the set can be spelled in another case", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  const spelled = setFlags.map((flag) => (flag === "common" ? "Common" : flag));
  exits(await azure.cli(["destroy", "identities", ...spelled, ...given, "--yes", "--purge"]), 0);
  expect(await rolesOn(azure)).toEqual([]);
});
