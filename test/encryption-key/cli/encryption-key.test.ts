/** The key that encrypts etcd: created with the role of the KMS identity, rotated, shown, deleted, recovered. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { testEmulator, writes, type TestEmulator } from "../../harness/test-emulator.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { groupId } from "../../cli/demo-cluster.js";
import { exits, refuses } from "../../cli/expectations.js";
import { changeState } from "../../harness/state-changes.js";
import { clusterFlags, wholeFlags } from "../../../tools/demo-cluster.js";
import { createSet, destroySet, setFlags } from "../../identities/cli/identity-sets.js";

type Flags = readonly string[];
interface KeyFile {
  readonly activeKeyID: string;
  readonly backupKeyID?: string;
}

const key = (azure: TestEmulator, verb: string, flags: Flags = []) => azure.cli([verb, "encryption-key", ...setFlags, ...flags]);
const kms: Flags = ["--enable-kms", "--no-purge-protection", "--key-vault-name", "kv-of-demo"];
const vault: Flags = ["--key-vault-name", "kv-of-demo"];
const keyUrl = "https://kv-of-demo.vault.azure.net/keys/demo-etcd-encryption/";
const readKeys = async (path: string) => JSON.parse(await readFile(path, "utf8")) as KeyFile;
const versionsOf = async (azure: TestEmulator) =>
  JSON.parse(exits(await key(azure, "show", [...vault, "--output", "json"]), 0).stdout) as { versions: { id: string; state: string }[] };

async function withKey(): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await createSet(azure, kms), 0);
  exits(await key(azure, "create", vault), 0);
  return azure;
}

/** The keys of the vault become older. */
function age(azure: TestEmulator, hours: number): Promise<void> {
  return changeState(azure, ({ vaults = {}, resources }) => {
    for (const { keys = {} } of Object.values(vaults))
      for (const { versions } of Object.values(keys)) for (const { attributes } of versions) attributes.created -= hours * 3600;
    for (const { type, properties } of Object.values(resources))
      if (type.startsWith("Microsoft.KeyVault/vaults/keys")) (properties["attributes"] as { created: number }).created -= hours * 3600;
  });
}

test("create makes the key and assigns a role on it alone to the KMS identity; a rerun writes nothing", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, kms), 0);
  await azure.traffic();
  const path = azure.path("encryption-key.json");
  const created = exits(await key(azure, "create", [...vault, "--output-file", path]), 0);
  const { activeKeyID, backupKeyID } = await readKeys(path);
  expect(created.stdout).toBe(`${activeKeyID}\n`);
  expect(activeKeyID.startsWith(keyUrl)).toBe(true);
  expect(backupKeyID).toBeUndefined();
  const sent = writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(sent).toEqual([
    expect.stringMatching(/^PUT .*\/vaults\/kv-of-demo\/keys\/demo-etcd-encryption$/),
    expect.stringMatching(/^PUT .*\/vaults\/kv-of-demo\/keys\/demo-etcd-encryption\/providers\/Microsoft.Authorization\/roleAssignments\//),
  ]);
  exits(await key(azure, "create", vault), 0);
  expect(writes(await azure.traffic())).toEqual([]);
});

test("a rotation makes one version and keeps the one before it as backup; a rerun within --min-age makes none", async () => {
  const azure = await withKey();
  const path = azure.path("encryption-key.json");
  const [first] = (await versionsOf(azure)).versions;
  await age(azure, 2);
  const rotated = exits(await key(azure, "rotate", [...vault, "--output-file", path]), 0);
  const once = await readKeys(path);
  expect(once.backupKeyID).toBe(first?.id);
  expect(once.activeKeyID).not.toBe(first?.id);
  expect(rotated.stderr).toContain("set both keys in the HostedCluster");
  await azure.traffic();
  const again = exits(await key(azure, "rotate", [...vault, "--output-file", path]), 0);
  expect(writes(await azure.traffic())).toEqual([]);
  expect(again.stderr).toContain("the key was not rotated: the last rotation was less than --min-age ago");
  expect(await readKeys(path)).toEqual(once);
  // What create finds is the same.
  exits(await key(azure, "create", [...vault, "--output-file", path]), 0);
  expect(await readKeys(path)).toEqual(once);
  await age(azure, 2);
  exits(await key(azure, "rotate", [...vault, "--output-file", path]), 0);
  expect((await readKeys(path)).backupKeyID).toBe(once.activeKeyID);
  expect((await versionsOf(azure)).versions.map(({ state }) => state)).toEqual(["older", "backup", "active"]);
});

test("a --min-age that could drop the key in use from the backups is refused", async () => {
  const azure = await testEmulator();
  await refuses(azure, key(azure, "rotate", [...vault, "--min-age", "1s"]), 2, "--min-age", "two rotations so close");
});

test("destroy deletes the key and its role assignment, create recovers it, and destroy --purge leaves nothing", async () => {
  const azure = await withKey();
  const { versions } = await versionsOf(azure);
  const before = Object.keys((await azure.snapshot()).roleAssignments).length;
  exits(await key(azure, "destroy", [...vault, "--yes"]), 0);
  expect(await versionsOf(azure)).toMatchObject({ versions: [], softDeleted: { until: expect.stringMatching(/^\d{4}-/) as unknown } });
  const shown = exits(await key(azure, "show", vault), 0);
  expect(shown.stdout).toBe("");
  expect(shown.stderr).toMatch(
    /demo-etcd-encryption.* is soft-deleted until \d{4}-.*aro-hcp create encryption-key .*--key-vault-name kv-of-demo/s,
  );
  exits(await key(azure, "create", vault), 0);
  expect((await versionsOf(azure)).versions.map(({ id }) => id)).toEqual(versions.map(({ id }) => id));
  // The role of the signed-in principal for the keys stays, as its other roles on the vault do.
  expect(Object.keys((await azure.snapshot()).roleAssignments)).toHaveLength(before + 1);
  exits(await key(azure, "destroy", [...vault, "--yes"]), 0);
  exits(await key(azure, "destroy", [...vault, "--yes", "--purge"]), 0);
  const [left] = Object.values((await azure.snapshot()).vaults ?? {});
  expect(left).not.toHaveProperty(["keys", "demo-etcd-encryption"]);
});

const ofCluster = ["--cloud", "local", "--name", "demo", "--resource-group-name", "demo-common"];

async function withCluster(): Promise<{ azure: TestEmulator; createAll: (flags?: Flags) => ReturnType<TestEmulator["cli"]> }> {
  const azure = await testEmulator();
  const createAll = (flags: Flags = []) => azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), ...flags]);
  exits(await createAll(["--enable-kms", "--no-purge-protection"]), 0);
  return { azure, createAll };
}

test("a rerun of create all without --enable-kms keeps the KMS identity and the key in its files", async () => {
  const { azure, createAll } = await withCluster();
  const files = ["identities.json", "managed-identities.json", "infra.json", "encryption-key.json"];
  const contents = () => Promise.all(files.map((name) => readFile(azure.path(`demo/${name}`), "utf8")));
  const before = await contents();
  await azure.traffic();
  const { stderr } = exits(await createAll(), 0);
  expect(stderr).toContain("notice: identity set demo keeps settings that it was created with: --enable-kms");
  expect(await contents()).toEqual(before);
  expect(writes(await azure.traffic())).toEqual([]);
  exits(await createAll(["--no-enable-kms"]), 0);
  expect((await contents())[0]).not.toContain("kms");
});

test("the key of a set that clusters use is not deleted, until they are destroyed", async () => {
  const { azure } = await withCluster();
  const destroyKey = (flags: Flags) => azure.cli(["destroy", "encryption-key", ...ofCluster, ...flags]);
  const named = "aro-hcp destroy infra --cloud local --name demo --infra-id demo-x7k2";
  for (const flags of [["--yes"], ["--yes", "--purge"], ["--dry-run"]])
    await refuses(azure, destroyKey(flags), 5, "ARO-OWN-006", "is used by demo-x7k2", named);
  exits(await azure.cli(["destroy", "infra", ...clusterFlags, "--yes"]), 0);
  exits(await destroyKey(["--yes", "--purge"]), 0);
  const [left] = Object.values((await azure.snapshot()).vaults ?? {});
  expect(left).not.toHaveProperty(["keys", "demo-etcd-encryption"]);
});

test("the vault with the key is deleted with its set", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, kms), 0);
  exits(await key(azure, "create", vault), 0);
  await age(azure, 2);
  exits(await key(azure, "rotate", vault), 0);
  exits(await destroySet(azure, [...vault, "--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a set without a KMS identity, a set without a key, and a disabled key are refused", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, vault), 0);
  const advised = /create identities --cloud local --identities-name demo .*--key-vault-name \S+ .*--enable-kms/;
  await refuses(azure, key(azure, "create", vault), 5, 'application "demo-kms" does not exist', "create all, rerun", advised);
  await refuses(azure, key(azure, "rotate", vault), 5, 'Key Vault key "demo-etcd-encryption" does not exist', "create encryption-key");
  exits(await createSet(azure, kms), 0);
  exits(await key(azure, "create", vault), 0);
  await changeState(azure, ({ resources }) => {
    for (const { type, properties } of Object.values(resources))
      if (type.startsWith("Microsoft.KeyVault/vaults/keys")) (properties["attributes"] as { enabled: boolean }).enabled = false;
  });
  await refuses(
    azure,
    key(azure, "create", vault),
    5,
    'Key Vault key "demo-etcd-encryption" is disabled',
    "az keyvault key set-attributes",
  );
});

/** As if a create had assigned its roles after the plan. */
const unseen = (times: number) => ({
  method: "GET",
  path: "^/subscriptions/[^/]+/providers/Microsoft.Authorization/roleAssignments$",
  ...{ times, answer: { status: 200, body: { value: [] } } },
});

test.each([
  ["destroy encryption-key", 2],
  ["destroy identities", 1],
])("a cluster that uses the set since the plan of %s keeps the key, and is named", async (command, reads) => {
  const { azure } = await withCluster();
  const destroyed = await azure.cli([...command.split(" "), ...ofCluster, "--yes", "--purge"], { faults: [unseen(reads)] });
  expect(exits(destroyed, 5).stderr).toMatch(/the identity set "demo" is used by demo-x7k2[^]*destroy infra .*--infra-id demo-x7k2/);
  const { resources, vaults = {} } = await azure.snapshot();
  expect(Object.keys(resources).some((id) => id.endsWith("/keys/demo-etcd-encryption"))).toBe(true);
  expect(Object.values(vaults)[0]).not.toHaveProperty(["keys", "demo-etcd-encryption", "deleted"]);
});

test("so does one since the plan of destroy all, where the key is in a vault of others", async () => {
  const azure = await testEmulator();
  const group = groupId("platform");
  const id = `${group}/providers/Microsoft.KeyVault/vaults/kv-platform`;
  const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  await azure.seed({ resources: { [group]: { location: "eastus" }, [id]: { location: "eastus", properties } } });
  const given = ["--key-vault-id", id];
  exits(await azure.cli(["create", "all", ...wholeFlags, ...given, "--enable-kms", "--output-dir", azure.path("demo")]), 0);
  const other = wholeFlags.map((word) => word.replace("demo-x7k2", "other-x7k2"));
  exits(await azure.cli(["create", "all", ...other, ...given, "--identities-name", "demo", "--output-dir", azure.path("other")]), 0);
  const destroyed = await azure.cli(["destroy", "all", ...clusterFlags, ...given, "--yes"], { faults: [unseen(2)] });
  expect(exits(destroyed, 5).stderr).toMatch(/the identity set "demo" is used by other-x7k2/);
  expect((await azure.snapshot()).vaults?.["kv-platform"]).not.toHaveProperty(["keys", "demo-etcd-encryption", "deleted"]);
});
