/** A vault of `--key-vault-id` that others use too does not block a destroy, and the own vault of a set is left to a destroy without the flag. */
import { expect, test } from "vitest";
import { cryptoServiceUser } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId } from "../cli/demo-cluster.js";
import { exits, refuses } from "../cli/expectations.js";
import { createSet, destroySet, rotate, setFlags } from "./cli/identity-sets.js";

const vault = `${groupId("platform")}/providers/Microsoft.KeyVault/vaults/kv-platform`;
const given = ["--key-vault-id", vault] as const;
const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
const principalId = "c1000000-0000-4000-8000-000000000001";

async function prepared(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("platform")]: { location: "eastus" }, [vault]: { location: "eastus", properties } } });
  return azure;
}

const seedRole = (azure: TestEmulator, scope: string) =>
  azure.seed({ roleAssignments: [{ scope, role: cryptoServiceUser.id, principalId }] });

async function withKey(): Promise<TestEmulator> {
  const azure = await prepared();
  exits(await createSet(azure, [...given, "--enable-kms"]), 0);
  exits(await azure.cli(["create", "encryption-key", ...setFlags, ...given]), 0);
  return azure;
}

test("who may use all keys of the vault blocks neither the destroy of the key nor that of the set", async () => {
  const azure = await withKey();
  await seedRole(azure, vault);
  exits(await azure.cli(["destroy", "encryption-key", ...setFlags, ...given, "--yes"]), 0);
  exits(await azure.cli(["create", "encryption-key", ...setFlags, ...given]), 0);
  exits(await destroySet(azure, [...given]), 0);
});

test("who may use the key itself blocks both", async () => {
  const azure = await withKey();
  await seedRole(azure, `${vault}/keys/demo-etcd-encryption`);
  const refused = ["ARO-OWN-010", principalId];
  await refuses(azure, azure.cli(["destroy", "encryption-key", ...setFlags, ...given, "--yes"]), 5, ...refused);
  await refuses(azure, destroySet(azure, [...given]), 5, ...refused);
});

test("without the flag, commands on a set in the vault name it with the flag, and do not show its credentials as absent", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  const missing = [
    /Key Vault "kv-demo-\S+" does not exist/,
    `role assignments for the set are on another vault: pass --key-vault-id ${vault}`,
  ];
  await refuses(azure, azure.cli(["show", "identities", ...setFlags]), 5, ...missing);
  await refuses(azure, rotate(azure), 5, ...missing);
  expect((await rotate(azure)).stderr).not.toContain("create the identity set first");
});

test.each([[[]], [["--key-vault-name", "kv-of-demo"]]])("a set in its own vault (%s) keeps it, with the true reason", async (flags) => {
  const azure = await prepared();
  exits(await createSet(azure, flags), 0);
  const { stderr } = exits(await destroySet(azure, [...given]), 0);
  expect(stderr).toMatch(
    /keep +\S+\/vaults\/kv-(of-)?demo\S*: it is the set's own vault; to delete it, rerun the command without --key-vault-id/,
  );
  exits(await destroySet(azure, flags), 0);
  expect(Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("/vaults/"))).toEqual([vault.toLowerCase()]);
});
