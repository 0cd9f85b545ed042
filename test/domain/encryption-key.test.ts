import { expect, test } from "vitest";
import { encryptionKeyProblem, foreignKeyProblem, parseEncryptionKeyId } from "../../src/domain/encryption-key.js";

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
  [id.replace("vault.azure.net", "managedhsm.azure.net"), "managed HSM"],
  [id.replace("vault.azure.net", "vault.example.com"), "not in a vault of a known Azure cloud"],
])("%s is refused", (text, words) => {
  expect(encryptionKeyProblem(text)).toContain(words);
});
