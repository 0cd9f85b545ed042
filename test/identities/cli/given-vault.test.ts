/** `--key-vault-id`: an identity set in a vault that somebody else has prepared, which is used and never changed. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { clusterFlags, wholeFlags } from "../../../tools/demo-cluster.js";
import { addSecret, changeState, deleteResources, resource, setProperties } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId } from "../../cli/demo-cluster.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";
import { createSet, credentialsOf, destroySet, issuer, rotate, setFlags } from "./identity-sets.js";

const vault = `${groupId("platform")}/providers/Microsoft.KeyVault/vaults/kv-platform`;
const given = ["--key-vault-id", vault] as const;
const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
const reader = "44444444-4444-4444-8444-444444444444";
const tags = { team: "platform" };

async function prepared(more: Record<string, unknown> = {}): Promise<TestEmulator> {
  const azure = await testEmulator();
  await azure.seed({
    resources: {
      [groupId("platform")]: { location: "westeurope" },
      [vault]: { location: "westeurope", tags, properties: { ...properties, ...more } },
    },
  });
  return azure;
}

/** The vault, what is in it and the roles on both, without what is soft-deleted. */
async function vaultState(azure: TestEmulator): Promise<string> {
  const { resources, roleAssignments, vaults = {} } = await azure.snapshot();
  const below = (ids: object) => Object.entries(ids).filter(([id]) => id.startsWith(vault.toLowerCase()));
  const contents = Object.entries(vaults as Record<string, Record<string, Record<string, object>>>).map(([name, kinds]) => [
    name,
    Object.values(kinds).flatMap((some) => Object.entries(some).filter(([, one]) => !("deleted" in one))),
  ]);
  return JSON.stringify({ vault: below(resources), roles: below(roleAssignments), contents }, undefined, 1);
}

/** The descriptions of the roles on the vault itself. */
async function rolesOn(azure: TestEmulator): Promise<unknown[]> {
  const { roleAssignments } = await azure.snapshot();
  return (Object.values(roleAssignments) as { scope: string; description?: string }[])
    .filter(({ scope }) => scope.toLowerCase() === vault.toLowerCase())
    .map(({ description }) => description);
}

const theirs = "payroll";

test("a create uses the vault as it is, a rerun writes nothing, and a destroy leaves it as it was", async () => {
  const azure = await prepared();
  await addSecret(azure, "kv-platform", theirs);
  const before = await resource(azure, vault);
  const untouched = await vaultState(azure);
  const file = azure.path("identities.json");
  exits(await createSet(azure, [...given, "--output-file", file, "--key-vault-reader-object-id", reader]), 0);
  expect(await resource(azure, vault)).toEqual(before);
  expect(await readFile(file, "utf8")).toContain('"name": "kv-platform"');
  expect(Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("/vaults/"))).toEqual([vault.toLowerCase()]);
  expect((await credentialsOf(azure))["cpo"]).toEqual({ keys: 1, certificates: 1, secrets: 1 });
  expect(await rolesOn(azure)).toEqual(Array(3).fill("for identity set demo in resource group common"));

  await azure.traffic();
  exits(await createSet(azure, [...given, "--output-file", file]), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(exits(await azure.cli(["show", "identities", ...setFlags, ...given]), 0).stdout).toMatch(/cpo .* valid/);
  exits(
    await azure.cli([
      "verify",
      "identities",
      "--cloud",
      "local",
      "--managed-identities-file",
      file,
      "--data-plane-identities-file",
      file,
      "--only",
      "vault-exists,vault-readable",
    ]),
    0,
  );

  const { stderr } = exits(await destroySet(azure, [...given]), 0);
  expect(stderr).toMatch(/keep +\S+\/vaults\/kv-platform: it was given with --key-vault-id, so it stays/);
  expect(await vaultState(azure)).toBe(untouched);
  expect(exits(await destroySet(azure, [...given]), 0).stderr).toContain("nothing in subscription");
  // What is soft-deleted is recovered.
  exits(await createSet(azure, [...given]), 0);
  exits(await destroySet(azure, [...given, "--purge"]), 0);
  expect(await vaultState(azure)).toBe(untouched);
});

test("a rotation of the certificates works in the vault, and --return-own-roles leaves no role on it", async () => {
  const azure = await prepared();
  const file = azure.path("identities.json");
  exits(await createSet(azure, [...given, "--return-own-roles", "--output-file", file]), 0);
  expect(await rolesOn(azure)).toEqual([]);
  exits(await createSet(azure, [...given, "--output-file", file]), 0);
  exits(await rotate(azure, [...given, "--component", "cpo", "--overlap", "1s"]), 0);
  expect((await credentialsOf(azure))["cpo"]).toEqual({ keys: 1, certificates: 2, secrets: 2 });
});

test("a destroy without the flag leaves the vault with everything in it and names it, and one with the flag then deletes the rest", async () => {
  const azure = await prepared();
  const untouched = await vaultState(azure);
  exits(await createSet(azure, [...given]), 0);
  const created = await vaultState(azure);
  await azure.traffic();
  const { stderr } = exits(await destroySet(azure), 0);
  expect(stderr).toContain(
    `${vault}: it still contains 8 certificates, 8 secrets of the identity set; to delete them, rerun the command with --key-vault-id ${vault}`,
  );
  expect((await writesSince(azure)).filter((write) => /kv-platform|^DELETE \/(secrets|certificates)/.test(write))).toEqual([]);
  expect(await vaultState(azure)).toBe(created);
  const { stderr: rest } = exits(await destroySet(azure, [...given]), 0);
  expect(rest).not.toContain("nothing in subscription");
  expect(await vaultState(azure)).toBe(untouched);
  expect(exits(await destroySet(azure), 0).stderr).not.toContain("kv-platform");
});

const unread = `${vault}: it may still contain certificates, secrets and a key of the identity set; to delete them, rerun the command with --key-vault-id ${vault}`;

test("a vault that the caller cannot read is named for the roles of the set on it", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  await setProperties(azure, vault, { networkAcls: { defaultAction: "Deny", bypass: "None", ipRules: [], virtualNetworkRules: [] } });
  expect(exits(await destroySet(azure, ["--dry-run"]), 0).stderr).toContain(unread);
});

test("without roles of the set on the vault, its file shows it", async () => {
  const azure = await prepared();
  const file = azure.path("identities.json");
  exits(await createSet(azure, [...given, "--return-own-roles", "--output-file", file]), 0);
  expect(exits(await destroySet(azure, ["--dry-run"]), 0).stderr).not.toContain(unread);
  expect(exits(await destroySet(azure, ["--dry-run", "--identities-file", file]), 0).stderr).toContain(unread);
});

test("without roles of the set on the vault, the role on its key shows it", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given, "--enable-kms"]), 0);
  exits(await key(azure, "create"), 0);
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, { scope }] of Object.entries(roleAssignments))
      if (scope.toLowerCase() === vault.toLowerCase()) delete roleAssignments[id];
  });
  expect(exits(await destroySet(azure, ["--dry-run"]), 0).stderr).toContain(unread);
  const all = ["destroy", "all", ...clusterFlags, "--persistent-resource-group-name", "common", "--dry-run"];
  expect(exits(await azure.cli(all), 0).stderr).toContain(unread);
});

const key = (azure: TestEmulator, verb: string, ...flags: readonly string[]) =>
  azure.cli([verb, "encryption-key", ...setFlags, ...given, ...flags]);

test("the key of etcd is created in the vault with a warning, rotated, and deleted with the set", async () => {
  const azure = await prepared();
  const untouched = await vaultState(azure);
  const before = await resource(azure, vault);
  const group = ["--persistent-resource-group-name", "common"];
  const all = ["create", "all", ...wholeFlags, ...group, ...given, "--enable-kms", "--output-dir", azure.path("demo")];
  const { stderr } = exits(await azure.cli(all), 0);
  expect(stderr).toMatch(/warning: Key Vault kv-platform has no purge protection/);
  expect(stderr).toMatch(new RegExp(`destroy everything: .*destroy all .*--key-vault-id ${vault}`));
  expect(await resource(azure, vault)).toEqual(before);
  await azure.traffic();
  exits(await azure.cli(all), 0);
  expect(await writesSince(azure)).toEqual([]);
  exits(await key(azure, "rotate"), 0);
  expect(exits(await key(azure, "show"), 0).stdout).toMatch(/kv-platform\.vault\.azure\.net\/keys\/demo-etcd-encryption.* active/);

  const destroy = ["destroy", "all", ...clusterFlags, ...group, ...given, "--yes", "--purge"];
  const destroyed = exits(await azure.cli(destroy), 0).stderr;
  expect(destroyed).toContain("it was given with --key-vault-id, so it stays");
  expect(await vaultState(azure)).toBe(untouched);
});

test("the key of etcd can be deleted alone", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given, "--enable-kms"]), 0);
  const before = await vaultState(azure);
  exits(await key(azure, "create"), 0);
  exits(await key(azure, "destroy", "--yes", "--purge"), 0);
  expect(await vaultState(azure)).toBe(before);
});

test("a vault that does not exist is refused by every command, without a change", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  await deleteResources(azure, vault);
  const missing = /Key Vault "kv-platform" does not exist[^]*--key-vault-id refers to it/;
  await refuses(azure, createSet(azure, [...given]), 5, missing);
  await refuses(azure, rotate(azure, [...given]), 5, missing);
  await refuses(azure, destroySet(azure, [...given]), 5, missing);
  await refuses(azure, azure.cli(["show", "identities", ...setFlags, ...given]), 5, missing);
  for (const verb of ["create", "rotate", "show"]) await refuses(azure, key(azure, verb), 5, missing);
  await refuses(azure, key(azure, "destroy", "--yes"), 5, missing);
});

test.each([
  ["uses access policies", { enableRbacAuthorization: false }, /uses access policies, not Azure RBAC[^]*--enable-rbac-authorization true/],
  ["is in another tenant", { tenantId: "99999999-9999-4999-8999-999999999999" }, /is in tenant 9999.*, not in 7e7a/],
])("a vault that %s is refused", async (_what, more, words) => {
  const azure = await prepared();
  await setProperties(azure, vault, more);
  await refuses(azure, createSet(azure, [...given]), 5, words);
  await refuses(azure, rotate(azure, [...given]), 5, words);
});

const elsewhere = vault.replace(/subscriptions\/[^/]+/, "subscriptions/99999999-9999-4999-8999-999999999999");

test.each([
  ["both flags", [...given, "--key-vault-name", "demo-kv"], /--key-vault-id +cannot be combined with --key-vault-name/],
  ["an ID of another type", ["--key-vault-id", groupId("platform")], /--key-vault-id +.*expected a Microsoft.KeyVault\/vaults/],
  ["a vault of another subscription", ["--key-vault-id", elsewhere], /--key-vault-id is in subscription 9999/],
])("%s: exit 2", async (_what, flags, words) => {
  const azure = await testEmulator();
  await refuses(azure, createSet(azure, flags), 2, words);
  await refuses(azure, destroySet(azure, flags), 2, words);
});

test("a managed HSM, which a tag of the vault would name, is refused", async () => {
  const azure = await testEmulator();
  await refuses(azure, key(azure, "create", "--managed-hsm-name", "hsm"), 2, /cannot be combined with --managed-hsm-name/);
});

test("the own vault of the set is refused, because a destroy without the flag deletes it", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const own = Object.keys((await azure.snapshot()).resources).find((id) => id.includes("/vaults/")) ?? "";
  await refuses(azure, createSet(azure, ["--key-vault-id", own]), 5, /is the own vault of identity set "demo"[^]*omit --key-vault-id/);
});

const cpo = "demo-cpo";

test("contents of others with names of the set are refused, and a destroy leaves them", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  await changeState(azure, ({ vaults = {} }) => {
    for (const version of vaults["kv-platform"]?.secrets[cpo]?.versions ?? []) version.tags = { "aro-hcp-identities": "demo" };
  });
  await refuses(
    azure,
    createSet(azure, [...given]),
    5,
    /secret "demo-cpo" exists but does not belong to this identity set[^]*--key-vault-id/,
  );
  exits(await destroySet(azure, [...given]), 0);
  expect(await vaultState(azure)).toContain('"demo-cpo"');
});

test("sets of the same name share no contents, and the roles that one needs outlive the other", async () => {
  const azure = await prepared();
  const untouched = await vaultState(azure);
  const there = ["--cloud", "local", "--name", "demo", "--resource-group-name", "other"];
  exits(await createSet(azure, [...given]), 0);
  const created = await vaultState(azure);
  const second = ["create", "identities", ...there, "--oidc-issuer-url", issuer, ...given];
  await refuses(azure, azure.cli(second), 5, /certificate "demo-cpo-cert" exists but does not belong to this identity set/);

  const third = ["--cloud", "local", "--name", "third", "--resource-group-name", "other"];
  exits(await azure.cli(["create", "identities", ...third, "--oidc-issuer-url", issuer, ...given]), 0);
  expect(exits(await azure.cli(["destroy", "identities", ...third, ...given, "--yes", "--purge"]), 0).stderr).toMatch(
    /so it stays; roles on it stay too, because others that use aro-hcp have .*demo-cpo/,
  );
  expect(await vaultState(azure)).toBe(created);

  exits(await azure.cli(["create", "identities", ...third, "--oidc-issuer-url", issuer, ...given]), 0);
  const roles = await rolesOn(azure);
  expect(exits(await destroySet(azure, [...given, "--purge"]), 0).stderr).toMatch(/roles on it stay too, .*third-cpo/);
  expect(await rolesOn(azure)).toEqual(roles);
  exits(await azure.cli(["rotate", "credentials", ...third, ...given, "--component", "cpo", "--overlap", "1s"]), 0);
  exits(await azure.cli(["destroy", "identities", ...third, ...given, "--yes", "--purge"]), 0);
  exits(await destroySet(azure, [...given, "--purge"]), 0);
  expect(await vaultState(azure)).toBe(untouched);
});

test("a vault in the group of the set that inherited its tag stays too", async () => {
  const azure = await testEmulator();
  const inherited = vault.replace("/platform/", "/common/");
  const tags = { "aro-hcp-identities": "demo" };
  await azure.seed({ resources: { [groupId("common")]: { location: "eastus" }, [inherited]: { location: "eastus", tags, properties } } });
  const before = await resource(azure, inherited);
  exits(await createSet(azure, ["--key-vault-id", inherited]), 0);
  exits(await destroySet(azure, ["--key-vault-id", inherited, "--purge"]), 0);
  expect(await resource(azure, inherited)).toEqual(before);
});

test("a vault that the caller cannot read keeps what is in it, and the destroy says so", async () => {
  const azure = await prepared();
  exits(await createSet(azure, [...given]), 0);
  const contents = async () => JSON.stringify((await azure.snapshot()).vaults);
  const before = await contents();
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, { scope }] of Object.entries(roleAssignments))
      if (scope.toLowerCase() === vault.toLowerCase()) delete roleAssignments[id];
  });
  const { stderr } = exits(await destroySet(azure, [...given]), 0);
  expect(stderr).toMatch(/its contents cannot be read; if it still has some of the set, ask an owner for "Key Vault Certificates Officer"/);
  expect(await contents()).toBe(before);
});
