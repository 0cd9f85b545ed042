/** `--purge-protection`: policies can demand it of a vault, the key of etcd needs it, and Azure never takes it back. */
import { expect, test } from "vitest";
import { aksClusterIds } from "../harness/aks-cluster.js";
import { resource } from "../harness/state-changes.js";
import { testEmulator, type CliResult, type TestEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "../cli/expectations.js";
import { createSet, destroySet, setFlags, vaultId } from "./cli/identity-sets.js";

const named = ["--key-vault-name", "kv-of-demo"];
const vault = vaultId("kv-of-demo");

test.each([
  ["with the vault", [...named, "--purge-protection"]],
  ["on a vault that exists", named],
])("a create sets it %s, a rerun without it keeps it, and a destroy with --purge leaves the vault soft-deleted", async (_what, first) => {
  const azure = await testEmulator();
  exits(await createSet(azure, first), 0);
  const { stderr } = exits(await createSet(azure, [...named, "--purge-protection"]), 0);
  if (first === named) expect(stderr).toContain("enablePurgeProtection");
  expect((await resource(azure, vault))?.properties).toMatchObject({ enablePurgeProtection: true, enableRbacAuthorization: true });
  await azure.traffic();
  exits(await createSet(azure, named), 0);
  exits(await createSet(azure, [...named, "--purge-protection"]), 0);
  expect(await writesSince(azure)).toEqual([]);

  exits(await destroySet(azure, [...named, "--purge"]), 0);
  expect(await resource(azure, vault)).toBeUndefined();
  expect(Object.keys((await azure.snapshot()).resources).join(" ")).toMatch(/deletedvaults\/kv-of-demo/i);
  exits(await createSet(azure, named), 0);
  expect((await resource(azure, vault))?.properties).toMatchObject({ enablePurgeProtection: true });
});

const isProtected = async (azure: TestEmulator, id: string) => (await resource(azure, id))?.properties["enablePurgeProtection"];
const noted = /has purge protection: Azure keeps it, with its name, for 90 days after its deletion/;

test.each([
  ["is protected", ["--enable-kms"], true],
  ["is not, against the default", ["--enable-kms", "--no-purge-protection"], undefined],
  ["is not, without a key of etcd", [], undefined],
])("a new vault of a set %s", async (_what, flags, wanted) => {
  const azure = await testEmulator();
  const { stderr } = exits(await createSet(azure, [...named, ...flags]), 0);
  expect(stderr.replaceAll(/\s+/g, " ").includes("with purge protection, which nobody can turn off")).toBe(wanted === true);
  expect(await isProtected(azure, vault)).toBe(wanted);
});

test("a destroy of a vault names the key of etcd that is lost with it", async () => {
  const azure = await withFeature();
  const key = ["create", "encryption-key", ...setFlags, ...named, "--yes"];
  exits(await createSet(azure, [...named, "--enable-kms"]), 0);
  const lost = (name: string) =>
    new RegExp(`key ${name} will be deleted with it: what it encrypts, such as etcd, cannot be read without it`);
  expect(exits(await destroySet(azure, [...named, "--dry-run"]), 0).stderr).not.toMatch(lost("demo-etcd-encryption"));
  exits(await azure.cli(key), 0);
  expect(exits(await destroySet(azure, [...named, "--dry-run"]), 0).stderr).toMatch(lost("demo-etcd-encryption"));
  const created = exits(await createCluster(azure, ...production), 0).stderr;
  expect(created).toContain("with purge protection, which nobody can turn off");
  expect(exits(await azure.cli(["destroy", ...mgmt, "--dry-run"], faster), 0).stderr).toMatch(lost("aks-etcd-encryption"));
});

test("a vault that exists gets a key of etcd without protection, with a warning that has the command", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, named), 0);
  exits(await createSet(azure, [...named, "--enable-kms"]), 0);
  expect(await isProtected(azure, vault)).toBeUndefined();
  const key = ["create", "encryption-key", ...setFlags, ...named];
  const { stderr } = exits(await azure.cli([...key, "--dry-run"]), 0);
  expect(stderr).toMatch(
    /warning: Key Vault kv-of-demo has no purge protection: .* `az keyvault update .* --enable-purge-protection true`/,
  );
  exits(await createSet(azure, [...named, "--purge-protection"]), 0);
  expect(exits(await azure.cli(key), 0).stderr).not.toContain("warning");
  expect(await isProtected(azure, vault)).toBe(true);
});

test("a soft-deleted vault without protection is recovered as it was, or protected with the flag", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, named), 0);
  for (const [flags, wanted] of [
    [["--enable-kms"], undefined],
    [["--enable-kms", "--purge-protection"], true],
  ] as const) {
    exits(await destroySet(azure, named), 0);
    const { stderr } = exits(await createSet(azure, [...named, ...flags]), 0);
    expect(stderr.includes("enablePurgeProtection")).toBe(wanted === true);
    expect(await isProtected(azure, vault)).toBe(wanted);
  }
});

test("a destroy says how long Azure keeps a protected vault, with and without --purge, and a rerun until when", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, [...named, "--purge-protection"]), 0);
  const destroy = (...flags: readonly string[]) => destroySet(azure, [...named, ...flags]);
  for (const flags of [[], ["--purge"]]) expect(exits(await destroy("--dry-run", ...flags), 0).stderr).toMatch(noted);
  const { stderr } = exits(await destroy("--purge"), 0);
  expect(stderr).toMatch(/Key Vault kv-of-demo can be recovered until \d{4}-\d\d-\d\dT/);
  expect(exits(await destroy("--purge", "--dry-run"), 0).stderr).toMatch(
    /keep +deleted Key Vault kv-of-demo: it has purge protection; Azure purges it on \d{4}-/,
  );
});

const mgmt = ["management-cluster", "--cloud", "local", "--name", "mgmt"];
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
const production = ["--preset", "production"];
const createCluster = (azure: TestEmulator, ...flags: readonly string[]): Promise<CliResult> =>
  azure.cli(["create", ...mgmt, ...flags], faster);
const etcdVault = aksClusterIds().vault;

async function withFeature(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await azure.seed({ features: { "Microsoft.Compute/EncryptionAtHost": "Registered" } });
  return azure;
}

test("the vault of an AKS cluster's etcd key is protected, stays after a purge with a word on it, and is recovered by the next create", async () => {
  const azure = await withFeature();
  const file = ["--output-file", azure.path("mgmt.json")];
  exits(await createCluster(azure, ...production, ...file), 0);
  expect(await isProtected(azure, etcdVault)).toBe(true);
  const { stderr } = exits(await azure.cli(["destroy", ...mgmt, "--purge", "--yes"], faster), 0);
  expect(stderr).toMatch(noted);
  expect(stderr).toMatch(/Key Vault ah-mgmt-\w+ can be recovered until \d{4}-\d\d-\d\dT/);
  exits(await createCluster(azure, ...production, ...file), 0);
  expect(await isProtected(azure, etcdVault)).toBe(true);
});

test("the vault of an AKS cluster's etcd key that exists gets it only with the flag, which its plan shows", async () => {
  const azure = await withFeature();
  exits(await createCluster(azure, ...production, "--no-purge-protection"), 0);
  expect(await isProtected(azure, etcdVault)).toBeUndefined();
  await azure.traffic();
  exits(await createCluster(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
  const { stderr } = exits(await createCluster(azure, "--purge-protection"), 0);
  expect(stderr).toContain("enablePurgeProtection");
  expect(await isProtected(azure, etcdVault)).toBe(true);
  await azure.traffic();
  exits(await createCluster(azure, "--purge-protection"), 0);
  exits(await createCluster(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("without a vault to create, --purge-protection has no effect, and says so", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(await createCluster(azure, "--preset", "dev", "--purge-protection", "--dry-run"), 0);
  expect(stderr).toContain("--purge-protection has no effect: no Key Vault is created for the key of etcd");
});
