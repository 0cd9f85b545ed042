/** The key that encrypts etcd in a managed HSM, which has an access control of its own: its life, by commands for the key and for all. */
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hsmCryptoUser } from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { clusterFlags, hsmSeed, wholeFlags } from "../../../tools/demo-cluster.js";
import { changeResource, changeState } from "../../harness/state-changes.js";
import { testEmulator, writes, type TestEmulator } from "../../harness/test-emulator.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits, refuses } from "../../cli/expectations.js";
import { createSet, destroySet, setFlags } from "../../identities/cli/identity-sets.js";
import { assignLocally, localAssignment, type LocalAssignments } from "../../local/local-roles.js";

const caller = wellKnown.clientPrincipalId;
const hsm = ["--managed-hsm-name", "demo-hsm"];
const key = (azure: TestEmulator, verb: string, flags: readonly string[] = hsm) =>
  azure.cli([verb, "encryption-key", ...setFlags, ...flags]);
/** The caller administers the HSM, and has no role for keys. */
async function withHsm(): Promise<TestEmulator> {
  const azure = await testEmulator();
  const id = `${subscription}/resourceGroups/hsm/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`;
  const group = { [`${subscription}/resourceGroups/hsm`]: { location: "eastus" } };
  await azure.seed({ resources: { ...group, [id]: { location: "eastus", properties: { initialAdminObjectIds: [caller] } } } });
  exits(await createSet(azure, ["--enable-kms", "--output-file", azure.path("identities.json")]), 0);
  return azure;
}

test("a key in a managed HSM is created with its local role, shown, and used by verify", async () => {
  const azure = await withHsm();
  await refuses(
    azure,
    key(azure, "create"),
    5,
    'managed HSM "demo-hsm" denies access to its keys',
    /--role 'Managed HSM Crypto User' .* --scope \/keys/,
  );
  await assignLocally(azure, "demo-hsm", (before) => [...before, localAssignment(caller, "cryptoUser", "/keys")]);
  await azure.traffic();
  const path = azure.path("encryption-key.json");
  const { stdout } = exits(await key(azure, "create", [...hsm, "--output-file", path]), 0);
  const { activeKeyID } = JSON.parse(await readFile(path, "utf8")) as { activeKeyID: string };
  expect(stdout).toBe(`${activeKeyID}\n`);
  expect(activeKeyID).toMatch(/^https:\/\/demo-hsm\.managedhsm\.azure\.net\/keys\/demo-etcd-encryption\/[0-9a-f]{32}$/);
  const sent = writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(sent).toEqual([
    // A destroy of the set finds the HSM there.
    expect.stringMatching(/^PATCH .*\/vaults\/kv-demo-[0-9a-z]+\/providers\/Microsoft\.Resources\/tags\/default$/),
    "POST /keys/demo-etcd-encryption/create",
    expect.stringMatching(/^PUT \/keys\/demo-etcd-encryption\/providers\/Microsoft\.Authorization\/roleAssignments\/[0-9a-f-]{36}$/),
  ]);
  exits(await key(azure, "create"), 0);
  expect(writes(await azure.traffic())).toEqual([]);
  const shown = JSON.parse(exits(await key(azure, "show", [...hsm, "--output", "json"]), 0).stdout) as { versions: object[] };
  expect(shown.versions).toMatchObject([{ id: activeKeyID, state: "active" }]);

  const verify = async () => {
    const identities = ["--managed-identities-file", azure.path("identities.json"), "--encryption-key-id", activeKeyID];
    const { stdout: output } = await azure.cli(["verify", "identities", "--cloud", "local", ...identities, "--output", "json"]);
    const { results } = JSON.parse(output) as { results: { check: string; state: string }[] };
    return results.filter(({ check }) => check.startsWith("kms-")).map(({ check, state }) => `${check} ${state}`);
  };
  expect(await verify()).toEqual(["kms-key passed", "kms-role passed", "kms-use passed"]);

  // The role whose name fits allows only to wrap keys, but HyperShift encrypts and decrypts.
  const kmsOnly = (before: LocalAssignments) => before.find(({ scope }) => scope === "/keys/demo-etcd-encryption");
  await assignLocally(azure, "demo-hsm", (before) => [
    ...before.filter((one) => one !== kmsOnly(before)),
    localAssignment(kmsOnly(before)?.principalId ?? "", "serviceEncryptionUser", "/keys"),
  ]);
  expect(await verify()).toEqual(["kms-key passed", "kms-role failed", "kms-use skipped"]);
  exits(await key(azure, "create"), 0);
  expect(await verify()).toEqual(["kms-key passed", "kms-role passed", "kms-use passed"]);

  await changeState(azure, ({ managedHsms = {} }) => {
    for (const { content } of Object.values(managedHsms)) delete content.keys;
  });
  expect((await verify())[0]).toBe("kms-key failed");
});

test.each(["create", "show", "rotate", "destroy"])("%s reports a managed HSM that does not exist at once", async (verb) => {
  const azure = await withHsm();
  await azure.traffic();
  const flags = ["--managed-hsm-name", "demo-hms", ...(verb === "destroy" ? ["--yes"] : [])];
  const { stderr } = exits(await key(azure, verb, flags), 5);
  expect(stderr).toContain('managed HSM "demo-hms" does not exist');
  expect(stderr).toMatch(/az keyvault list --resource-type hsm/);
  const sent = await azure.traffic();
  expect(writes(sent)).toEqual([]);
  expect(sent.filter(({ url }) => url.includes("//demo-hms."))).toHaveLength(1);
});

test("a key in a managed HSM that is soft-deleted is recovered, by a principal that may", async () => {
  const azure = await withHsm();
  await assignLocally(azure, "demo-hsm", (before) => [...before, localAssignment(caller, "cryptoUser", "/keys")]);
  const { stdout } = exits(await key(azure, "create"), 0);
  await changeState(azure, ({ managedHsms = {} }) => {
    for (const { content } of Object.values(managedHsms))
      for (const each of Object.values(content.keys ?? {})) each.deleted = { at: 0, busyUntil: 0 };
  });
  const refused = exits(await key(azure, "create"), 5);
  expect(refused.stderr).toMatch(/denies access to its roles and deleted keys[\s\S]*--role 'Managed HSM Crypto Officer' .* --scope \//);
  await assignLocally(azure, "demo-hsm", (before) => [...before, localAssignment(caller, "cryptoOfficer", "/")]);
  expect(exits(await key(azure, "show"), 0).stderr).toMatch(
    /is soft-deleted.*aro-hcp create encryption-key .*--managed-hsm-name demo-hsm/s,
  );
  const given = ["--managed-identities-file", azure.path("identities.json"), "--encryption-key-id", stdout.trim()];
  const verified = await azure.cli(["verify", "identities", "--cloud", "local", ...given, "--only", "kms-key", "--output", "json"]);
  const { results } = JSON.parse(verified.stdout) as { results: { check: string; evidence: string; next: string }[] };
  const row = results.find(({ check }) => check === "kms-key");
  expect(row?.evidence).toBe("key demo-etcd-encryption of managed HSM demo-hsm is soft-deleted");
  expect(row?.next).toMatch(/aro-hcp create encryption-key .*--managed-hsm-name demo-hsm/);
  expect(exits(await key(azure, "create"), 0).stdout).toBe(stdout);
});

const may = (role: "cryptoUser" | "cryptoOfficer", scope: string) => localAssignment(caller, role, scope);
/** All that the commands for a key may need. */
const asKeeper = (azure: TestEmulator) =>
  assignLocally(azure, "demo-hsm", (before) => [...before, may("cryptoUser", "/keys"), may("cryptoOfficer", "/")]);

async function withKey(): Promise<TestEmulator> {
  const azure = await withHsm();
  await asKeeper(azure);
  exits(await key(azure, "create"), 0);
  return azure;
}

/** The keys of the HSM become older. */
const age = (azure: TestEmulator, hours: number) =>
  changeState(azure, ({ managedHsms = {} }) => {
    for (const { content } of Object.values(managedHsms))
      for (const { versions } of Object.values(content.keys ?? {}))
        for (const { attributes } of versions) attributes.created -= hours * 3600;
  });

interface HsmInSnapshot {
  readonly keys: Readonly<Record<string, { readonly versions: readonly unknown[]; readonly deleted?: true }>>;
  readonly roleAssignments: readonly string[];
}

const hsmIn = async (azure: TestEmulator) => (await azure.snapshot()).managedHsms?.["demo-hsm"] as HsmInSnapshot | undefined;
const ofKms = ({ roleAssignments }: HsmInSnapshot) => roleAssignments.filter((one) => one.startsWith("/keys/demo-etcd-encryption:"));
const tagOfVault = async (azure: TestEmulator) =>
  Object.values((await azure.snapshot()).resources as Record<string, { type: string; tags?: Record<string, string> }>).find(
    ({ type }) => type === "Microsoft.KeyVault/vaults",
  )?.tags?.["aro-hcp-managed-hsm"];

test("a rotation makes one version; the HostedCluster has both keys, and the KMS identity can use both", async () => {
  const azure = await withKey();
  const path = azure.path("encryption-key.json");
  exits(await key(azure, "create", [...hsm, "--output-file", path]), 0);
  const readKeys = async () => JSON.parse(await readFile(path, "utf8")) as { activeKeyID: string; backupKeyID?: string };
  const { activeKeyID: first } = await readKeys();
  await age(azure, 2);
  await azure.traffic();
  exits(await key(azure, "rotate", [...hsm, "--output-file", path]), 0);
  expect(writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    "POST /keys/demo-etcd-encryption/rotate",
  ]);
  const rotated = await readKeys();
  expect(rotated.backupKeyID).toBe(first);
  expect(rotated.activeKeyID).not.toBe(first);
  const again = exits(await key(azure, "rotate", [...hsm, "--output-file", path]), 0);
  expect(again.stderr).toContain("the key was not rotated: the last rotation was less than --min-age ago");
  expect(writes(await azure.traffic())).toEqual([]);
  expect(await readKeys()).toEqual(rotated);

  const keys = ["--encryption-key-id", rotated.activeKeyID, "--backup-encryption-key-id", first];
  const identities = ["--managed-identities-file", azure.path("identities.json")];
  const { stdout } = await azure.cli(["verify", "identities", "--cloud", "local", ...identities, ...keys, "--output", "json"]);
  const { results } = JSON.parse(stdout) as { results: { check: string; state: string }[] };
  expect(results.filter(({ check }) => check.startsWith("kms-")).map(({ state }) => state)).toEqual(["passed", "passed", "passed"]);
});

test("a rotation without a role in the HSM, or without a key, changes nothing", async () => {
  const azure = await withHsm();
  await refuses(azure, key(azure, "rotate"), 5, 'managed HSM "demo-hsm" denies access to its keys', /--role 'Managed HSM Crypto User'/);
  await asKeeper(azure);
  await refuses(
    azure,
    key(azure, "rotate"),
    5,
    'key "demo-etcd-encryption" of managed HSM "demo-hsm" does not exist',
    /create encryption-key .*--managed-hsm-name demo-hsm/,
  );
});

test("destroy deletes the key with its role, create recovers it, and destroy --purge leaves nothing", async () => {
  const azure = await withHsm();
  await asKeeper(azure);
  const before = await azure.snapshot();
  const { stdout: id } = exits(await key(azure, "create"), 0);
  expect(ofKms((await hsmIn(azure)) as HsmInSnapshot)).toHaveLength(1);
  const { stderr } = exits(await key(azure, "destroy", [...hsm, "--yes"]), 0);
  expect(stderr).toMatch(/az keyvault key recover --hsm-name demo-hsm --name demo-etcd-encryption/);
  const deleted = (await hsmIn(azure)) as HsmInSnapshot;
  expect(deleted.keys["demo-etcd-encryption"]).toMatchObject({ deleted: true });
  expect(ofKms(deleted)).toEqual([]);
  // A purge of the set finds the deleted key.
  expect(await tagOfVault(azure)).toBe("demo-hsm");
  expect(exits(await key(azure, "create"), 0).stdout).toBe(id);
  exits(await key(azure, "destroy", [...hsm, "--yes", "--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
  exits(await key(azure, "destroy", [...hsm, "--yes", "--purge"]), 0);
});

test("destroy identities --purge also purges a key that is soft-deleted in the HSM", async () => {
  const azure = await withKey();
  exits(await key(azure, "destroy", [...hsm, "--yes"]), 0);
  exits(await destroySet(azure, ["--purge"]), 0);
  expect(await hsmIn(azure)).toMatchObject({ keys: {} });
});

test("a key under purge protection is deleted and not purged", async () => {
  const azure = await withKey();
  const id = `${subscription}/resourceGroups/hsm/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`;
  await changeResource(azure, id, (stored) => (stored.properties = { ...stored.properties, enablePurgeProtection: true }));
  exits(await key(azure, "destroy", [...hsm, "--yes", "--purge"]), 0);
  expect((await hsmIn(azure))?.keys["demo-etcd-encryption"]).toMatchObject({ deleted: true });
});

test("the key of another set with the same name is neither used nor deleted", async () => {
  const azure = await withKey();
  const other = ["--cloud", "local", "--name", "demo", "--resource-group-name", "elsewhere"];
  exits(await azure.cli(["create", "identities", ...other, "--oidc-issuer-url", "https://issuer.example.com/other", "--enable-kms"]), 0);
  const ofOther = (verb: string, flags: readonly string[] = []) => azure.cli([verb, "encryption-key", ...other, ...hsm, ...flags]);
  await refuses(azure, ofOther("create"), 5, "exists but does not belong to this identity set", "--managed-hsm-name");
  await refuses(azure, ofOther("rotate"), 5, "exists but does not belong to this identity set");
  const { stderr } = exits(await ofOther("destroy", ["--yes"]), 0);
  expect(stderr).toMatch(/keep +key demo-etcd-encryption of managed HSM demo-hsm: it does not belong to this identity set/);
  expect(ofKms((await hsmIn(azure)) as HsmInSnapshot)).toHaveLength(1);
});

test("destroy identities deletes the key in the HSM, and keeps it without a role there", async () => {
  const azure = await withKey();
  await assignLocally(azure, "demo-hsm", (before) => before.filter(({ principalId }) => principalId !== caller));
  const plan = exits(await destroySet(azure, ["--dry-run"]), 0);
  expect(plan.stderr).toMatch(/keep +key of managed HSM demo-hsm: .*destroy encryption-key --managed-hsm-name demo-hsm/s);
  await asKeeper(azure);
  exits(await destroySet(azure), 0);
  expect((await hsmIn(azure))?.keys["demo-etcd-encryption"]).toMatchObject({ deleted: true });
});

test("another HSM than the one with the key of the set is refused", async () => {
  const azure = await withKey();
  const id = `${subscription}/resourceGroups/hsm/providers/Microsoft.KeyVault/managedHSMs/other-hsm`;
  await azure.seed({
    resources: { [id]: { location: "eastus", properties: {} } },
    localRoleAssignments: [{ managedHsm: "other-hsm", scope: "/keys", role: hsmCryptoUser.id, principalId: caller }],
  });
  await refuses(
    azure,
    key(azure, "create", ["--managed-hsm-name", "other-hsm"]),
    5,
    'the key of this identity set is in managed HSM "demo-hsm", not in "other-hsm"',
  );
});

test("create all makes the key in the HSM, a rerun keeps it there, and destroy all leaves nothing", async () => {
  const azure = await testEmulator();
  await azure.seed(hsmSeed());
  const before = await azure.snapshot();
  const output = azure.path("demo");
  const createAll = (flags: readonly string[]) =>
    azure.cli(["create", "all", ...wholeFlags, "--enable-kms", ...flags, "--output-dir", output, "--yes"]);
  await refuses(azure, azure.cli(["create", "all", ...wholeFlags, ...hsm, "--output-dir", output]), 2, "requires --enable-kms");
  exits(await createAll(hsm), 0);
  const readKeys = async () => JSON.parse(await readFile(join(output, "encryption-key.json"), "utf8")) as { activeKeyID: string };
  const created = await readKeys();
  expect(created.activeKeyID).toMatch(/^https:\/\/demo-hsm\.managedhsm\.azure\.net\/keys\/demo-etcd-encryption\//);
  await azure.traffic();
  const { stderr } = exits(await createAll([]), 0);
  expect(stderr).toContain("the key that encrypts etcd stays in managed HSM demo-hsm");
  expect(writes(await azure.traffic())).toEqual([]);
  expect(await readKeys()).toEqual(created);
  // Only the tag of the vault names the HSM, in which the create would assign roles.
  await rename(join(output, "encryption-key.json"), join(output, "kept.json"));
  await refuses(azure, createAll([]), 2, /--managed-hsm-name +Azure shows/);
  await rename(join(output, "kept.json"), join(output, "encryption-key.json"));

  await age(azure, 2);
  const rotated = ["--resource-group-name", "demo-common", ...hsm, "--output-file", join(output, "encryption-key.json")];
  exits(await azure.cli(["rotate", "encryption-key", "--cloud", "local", "--name", "demo", ...rotated]), 0);
  const rendered = exits(
    await azure.cli(["render", "hosted-cluster", "--input-dir", output, "--release-image", "quay.io/ocp:4.22", "--format", "json"]),
    0,
  );
  const [, , keyVersion] = created.activeKeyID.split("/").slice(-3);
  expect(rendered.stdout).toContain('"keyVaultType": "ManagedHSM"');
  expect(rendered.stdout).toMatch(new RegExp(`"backupKey": \\{[^}]*"keyVersion": "${keyVersion ?? ""}"`));

  const destroyKey = ["destroy", "encryption-key", "--cloud", "local", "--name", "demo", "--resource-group-name", "demo-common", ...hsm];
  for (const flags of [["--yes"], ["--yes", "--purge"]])
    await refuses(azure, azure.cli([...destroyKey, ...flags]), 5, "ARO-OWN-006", "is used by demo-x7k2");

  exits(await azure.cli(["destroy", "all", ...clusterFlags, "--purge", "--yes"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a destroy that finds no key says what it did not find, and where the key is", async () => {
  const azure = await withKey();
  const other = `${subscription}/resourceGroups/hsm/providers/Microsoft.KeyVault/managedHSMs/other-hsm`;
  await azure.seed({
    resources: { [other]: { location: "eastus", properties: {} } },
    localRoleAssignments: [{ managedHsm: "other-hsm", scope: "/keys", role: hsmCryptoUser.id, principalId: caller }],
  });
  const destroyOf = async (name: string, group: string, flags: readonly string[]) => {
    const set = ["--cloud", "local", "--name", name, "--resource-group-name", group];
    return exits(await azure.cli(["destroy", "encryption-key", ...set, ...flags, "--yes"]), 0).stderr;
  };
  expect(await destroyOf("dmeo", "common", hsm)).toMatch(/belongs to the identity set "dmeo"; identity sets that exist there: demo/);
  expect(await destroyOf("demo", "comon", hsm)).toMatch(/is not in resource group comon; .*pass --persistent-resource-group-name common/);
  expect(await destroyOf("demo", "common", [...hsm, "--key-vault-name", "kv-typo"])).toMatch(
    /resource group common has no Key Vault kv-typo; .*pass --key-vault-name/,
  );
  const named = /has no key demo-etcd-encryption of the identity set "demo"; .*name managed HSM demo-hsm: pass --managed-hsm-name demo-hsm/;
  expect(await destroyOf("demo", "common", [])).toMatch(named);
  expect(await destroyOf("demo", "common", ["--managed-hsm-name", "other-hsm"])).toMatch(named);
  expect(await destroyOf("demo", "common", hsm)).not.toMatch(/notice: .*demo-etcd-encryption/);
  expect(await destroyOf("demo", "common", hsm)).not.toMatch(/notice: .*identity set/);
});

test("a name that no HSM can have is refused", async () => {
  const azure = await testEmulator();
  await refuses(azure, key(azure, "create", ["--managed-hsm-name", "a--b"]), 2, "--managed-hsm-name");
});

/** By the tag of the set's vault. */
function nameHsm(azure: TestEmulator, name: string): Promise<void> {
  return changeState(azure, ({ resources }) => {
    const vaults = Object.values(resources).filter(({ type }) => type.toLowerCase() === "microsoft.keyvault/vaults");
    for (const vault of vaults) vault.tags = { ...vault.tags, "aro-hcp-managed-hsm": name };
  });
}

test.each(["evil.example/x", "attacker.blob.core.windows.net/x", "no_hsm"])(
  "a tag that names %s as the HSM of a set sends no request and no token there",
  async (name) => {
    const azure = await withHsm();
    await nameHsm(azure, name);
    await azure.traffic();
    exits(await destroySet(azure, ["--identities-file", azure.path("identities.json")]), 0);
    expect(
      (await azure.traffic()).filter(({ url }) => url.includes("managedhsm") || url.includes("evil") || url.includes("attacker")),
    ).toEqual([]);
  },
);

test("a tag that names an HSM that does not exist keeps only the key there", async () => {
  const azure = await withHsm();
  await nameHsm(azure, "gone-hsm");
  const { stderr } = exits(await destroySet(azure, ["--identities-file", azure.path("identities.json")]), 0);
  expect(stderr).toMatch(/key of managed HSM gone-hsm: managed HSM "gone-hsm" does not exist/);
});
