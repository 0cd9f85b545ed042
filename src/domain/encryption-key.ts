/** The key of a vault that etcd is encrypted with, as its id tells it. */

export interface EncryptionKey {
  readonly keyVaultName: string;
  readonly keyName: string;
  readonly keyVersion: string;
  /** The host of the vault without its name: the cloud's. */
  readonly vaultSuffix: string;
}

/** By the cloud's name, as a HostedCluster has it. */
const vaultSuffixes: Readonly<Record<string, string>> = {
  AzurePublicCloud: "vault.azure.net",
  AzureUSGovernmentCloud: "vault.usgovcloudapi.net",
  AzureChinaCloud: "vault.azure.cn",
  AzureBleuCloud: "vault.sovcloud-api.fr",
};

const keyId = /^https:\/\/([a-z][a-z0-9-]{1,22}[a-z0-9])\.([a-z0-9.-]+)\/keys\/([a-z0-9-]{1,127})\/([a-z0-9]{1,32})$/i;

/** Undefined where it is none. */
export function parseEncryptionKeyId(text: string): EncryptionKey | undefined {
  const [, keyVaultName = "", vaultSuffix = "", keyName = "", keyVersion = ""] = keyId.exec(text) ?? [];
  return keyVersion === "" ? undefined : { keyVaultName, keyName, keyVersion, vaultSuffix: vaultSuffix.toLowerCase() };
}

/** What is wrong with it, as a sentence that quotes it; undefined where it can be used. */
export function encryptionKeyProblem(text: string): string | undefined {
  const key = parseEncryptionKeyId(text);
  if (key === undefined) return `"${text}" is not the id of a key with its version: https://<vault>.vault.azure.net/keys/<key>/<version>`;
  if (key.vaultSuffix.startsWith("managedhsm.")) return `"${text}" is the key of a managed HSM: a key of a vault is wanted`;
  return Object.values(vaultSuffixes).includes(key.vaultSuffix) ? undefined : `"${text}" is in no vault of a cloud that is known`;
}

/** What is wrong with it in that cloud: a HostedCluster has the vault's name alone, and looks for it in its own cloud. */
export function foreignKeyProblem({ keyVaultName, vaultSuffix }: EncryptionKey, cloud: string): string | undefined {
  const expected = vaultSuffixes[cloud];
  if (expected === undefined || expected === vaultSuffix) return undefined;
  return `the vault "${keyVaultName}" is at ${vaultSuffix}, those of ${cloud} are at ${expected}`;
}
