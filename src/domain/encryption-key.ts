/** The Key Vault key that encrypts etcd, parsed from its ID. */

export interface EncryptionKey {
  readonly keyVaultName: string;
  readonly keyName: string;
  readonly keyVersion: string;
  /** The vault's hostname without its name, which depends on the cloud. */
  readonly vaultSuffix: string;
}

/** By the name of the cloud in a HostedCluster. */
const vaultSuffixes: Readonly<Record<string, string>> = {
  AzurePublicCloud: "vault.azure.net",
  AzureUSGovernmentCloud: "vault.usgovcloudapi.net",
  AzureChinaCloud: "vault.azure.cn",
  AzureBleuCloud: "vault.sovcloud-api.fr",
};

const keyId = /^https:\/\/([a-z][a-z0-9-]{1,22}[a-z0-9])\.([a-z0-9.-]+)\/keys\/([a-z0-9-]{1,127})\/([a-z0-9]{1,32})$/i;

/** Undefined if the text is not a key ID. */
export function parseEncryptionKeyId(text: string): EncryptionKey | undefined {
  const [, keyVaultName = "", vaultSuffix = "", keyName = "", keyVersion = ""] = keyId.exec(text) ?? [];
  return keyVersion === "" ? undefined : { keyVaultName, keyName, keyVersion, vaultSuffix: vaultSuffix.toLowerCase() };
}

/** The problem as a sentence with the quoted ID; undefined if the key can be used. */
export function encryptionKeyProblem(text: string): string | undefined {
  const key = parseEncryptionKeyId(text);
  if (key === undefined) return `"${text}" is not the ID of a key with its version: https://<vault>.vault.azure.net/keys/<key>/<version>`;
  if (key.vaultSuffix.startsWith("managedhsm.")) return `"${text}" is a key of a managed HSM; use a key of a vault`;
  return Object.values(vaultSuffixes).includes(key.vaultSuffix) ? undefined : `"${text}" is not in a vault of a known Azure cloud`;
}

/** The problem of the key in that cloud: a HostedCluster contains only the vault's name and looks it up in its own cloud. */
export function foreignKeyProblem({ keyVaultName, vaultSuffix }: EncryptionKey, cloud: string): string | undefined {
  const expected = vaultSuffixes[cloud];
  if (expected === undefined || expected === vaultSuffix) return undefined;
  return `vault "${keyVaultName}" is at ${vaultSuffix}, but vaults of ${cloud} are at ${expected}`;
}
