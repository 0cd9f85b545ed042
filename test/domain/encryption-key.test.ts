import { expect, test } from "vitest";
import {
  backupKeyProblem,
  encryptionKeyProblem,
  foreignKeyProblem,
  keysInUse,
  keyVaultTypeOf,
  parseEncryptionKeyId,
  vaultKeyProblem,
} from "../../src/domain/encryption-key.js";

const version = "0123456789abcdef0123456789abcdef";
const id = `https://etcd-kv.vault.azure.net/keys/etcd/${version}`;

test("the ID of a key contains vault, key and version", () => {
  const key = { keyVaultName: "etcd-kv", keyName: "etcd", keyVersion: version, vaultSuffix: "vault.azure.net" };
  expect(parseEncryptionKeyId(id)).toEqual(key);
  expect(encryptionKeyProblem(id)).toBeUndefined();
  expect(foreignKeyProblem(key, "AzurePublicCloud")).toBeUndefined();
  expect(foreignKeyProblem(key, "AzureUSGovernmentCloud")).toMatch(/at vault\.azure\.net, .* at vault\.usgovcloudapi\.net/);
});

test.each([
  ["etcd", "is not the ID of a key"],
  [id.replace("https", "http"), "is not the ID of a key"],
  [id.replace(`/${version}`, ""), "with its version"],
  [`${id}/more`, "is not the ID of a key"],
  [id.replace("/keys/", "/secrets/"), "is not the ID of a key"],
  [id.replace("vault.azure.net", "vault.example.com"), "not in a vault or managed HSM of a known Azure cloud"],
])("%s is refused", (text, words) => {
  expect(encryptionKeyProblem(text)).toContain(words);
});

test("a key of a managed HSM is one for a HostedCluster, but not for AKS", () => {
  const ofHsm = id.replace("vault.azure.net", "managedhsm.azure.net");
  const key = parseEncryptionKeyId(ofHsm);
  expect(encryptionKeyProblem(ofHsm)).toBeUndefined();
  expect(key && keyVaultTypeOf(key)).toBe("ManagedHSM");
  expect(key && foreignKeyProblem(key, "AzureChinaCloud")).toMatch(
    /^managed HSM "etcd-kv" is at managedhsm\.azure\.net, .* at managedhsm\.azure\.cn$/,
  );
  expect(vaultKeyProblem(ofHsm)).toContain("managed HSM");
  expect(vaultKeyProblem(id)).toBeUndefined();
});

const other = id.replace(version, "f".repeat(32));
test.each([
  ["the version before", other, undefined],
  ["the active key", id, "is the active key"],
  ["a key in another vault", other.replace("etcd-kv", "other-kv"), "must be in the same vault"],
  ["a key in an HSM of that name", other.replace("vault.", "managedhsm."), "must be in the same vault"],
])("a backup: %s", (_what, backup, words) => {
  const [one, active] = [parseEncryptionKeyId(backup), parseEncryptionKeyId(id)];
  const problem = one && active && backupKeyProblem(one, active);
  if (words === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(words);
});

/** `a 0` is a version from minute 0; with `!`, it is disabled. */
const versionOf = (text: string) => {
  const [name = "", minute = "0"] = text.split(" ");
  return { version: name.replace("!", ""), createdOn: new Date(Number(minute) * 60_000), enabled: !name.includes("!") };
};
test.each([
  ["no version", [], undefined, undefined],
  ["one", ["a 0"], "a", undefined],
  ["two, in any order", ["b 90", "a 0"], "b", "a"],
  ["three", ["a 0", "b 90", "c 180"], "c", "b"],
  ["the newest is disabled", ["a 0", "b 90", "!c 180"], "b", "a"],
  ["the backup is disabled", ["a 0", "!b 90", "c 180"], "c", "a"],
  ["two rotations at the same time", ["a 0", "b 90", "c 90.1"], "c", "a"],
  ["soon after its creation", ["a 0", "b 0.1"], "b", "a"],
  ["in the same second", ["a 0", "b 0"], "b", "a"],
] as const)("the versions in use: %s", (_what, versions, active, backup) => {
  const inUse = keysInUse(versions.map(versionOf));
  expect([inUse.active?.version, inUse.backup?.version]).toEqual([active, backup]);
});
