/** The Key Vault key that encrypts etcd, parsed from its ID. */

export interface EncryptionKey {
  readonly keyVaultName: string;
  readonly keyName: string;
  readonly keyVersion: string;
  /** The vault's hostname without its name, which depends on the cloud. */
  readonly vaultSuffix: string;
}

/** The ID of a version: `https://VAULT.vault.azure.net/keys/KEY/VERSION`. */
export function encryptionKeyId({ keyVaultName, keyName, keyVersion, vaultSuffix }: EncryptionKey): string {
  return `https://${keyVaultName}.${vaultSuffix}/keys/${keyName}/${keyVersion}`;
}

/** A version of a key, as its vault lists it. */
export interface KeyVersion {
  readonly version: string;
  readonly createdOn: Date;
  readonly enabled: boolean;
}

/** The versions that a HostedCluster refers to: it encrypts with the active one, and still decrypts with the backup. */
export interface KeysInUse {
  readonly active: KeyVersion | undefined;
  readonly backup: KeyVersion | undefined;
}

/** Two rotations at the same time each create a version. The one before both is the backup, because nothing is encrypted with the first of them. */
const sameRotationMs = 60_000;

/** Rotations with less between them could count as one, which drops the version in use from the backups. Two clocks may differ by a minute. */
export const shortestMinAgeMs = 2 * sameRotationMs;

/** The newest enabled version, and the one that was the newest before its rotation. */
export function keysInUse(versions: readonly KeyVersion[]): KeysInUse {
  // Azure's dates are whole seconds: of two with the same date, the later in the list is the newer one.
  const newestFirst = versions.filter(({ enabled }) => enabled).toReversed();
  const [active, ...older] = newestFirst.toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime());
  if (active === undefined) return { active, backup: undefined };
  const isBefore = ({ createdOn }: KeyVersion) => active.createdOn.getTime() - createdOn.getTime() > sameRotationMs;
  const backup = older.find(isBefore) ?? older.at(-1);
  return { active, backup };
}

/** The two services that contain keys. A managed HSM has a local access control of its own. */
export type KeyVaultType = "KeyVault" | "ManagedHSM";

/** The hostnames of both, by the name of the cloud in a HostedCluster. */
const suffixes: Readonly<Record<string, Readonly<Record<KeyVaultType, string>>>> = {
  AzurePublicCloud: { KeyVault: "vault.azure.net", ManagedHSM: "managedhsm.azure.net" },
  AzureUSGovernmentCloud: { KeyVault: "vault.usgovcloudapi.net", ManagedHSM: "managedhsm.usgovcloudapi.net" },
  AzureChinaCloud: { KeyVault: "vault.azure.cn", ManagedHSM: "managedhsm.azure.cn" },
  AzureBleuCloud: { KeyVault: "vault.sovcloud-api.fr", ManagedHSM: "managedhsm.sovcloud-api.fr" },
};

export function keyVaultTypeOf({ vaultSuffix }: Pick<EncryptionKey, "vaultSuffix">): KeyVaultType {
  return vaultSuffix.startsWith("managedhsm.") ? "ManagedHSM" : "KeyVault";
}

const keyId = /^https:\/\/([a-z][a-z0-9-]{1,22}[a-z0-9])\.([a-z0-9.-]+)\/keys\/([a-z0-9-]{1,127})\/([a-z0-9]{1,32})$/i;

/** Undefined if the text is not a key ID. */
export function parseEncryptionKeyId(text: string): EncryptionKey | undefined {
  const [, keyVaultName = "", vaultSuffix = "", keyName = "", keyVersion = ""] = keyId.exec(text) ?? [];
  return keyVersion === "" ? undefined : { keyVaultName, keyName, keyVersion, vaultSuffix: vaultSuffix.toLowerCase() };
}

/** The problem as a sentence with the quoted ID; undefined if a HostedCluster can use the key. */
export function encryptionKeyProblem(text: string): string | undefined {
  const key = parseEncryptionKeyId(text);
  if (key === undefined) return `"${text}" is not the ID of a key with its version: https://<vault>.vault.azure.net/keys/<key>/<version>`;
  const isKnown = Object.values(suffixes).some((ofCloud) => ofCloud[keyVaultTypeOf(key)] === key.vaultSuffix);
  return isKnown ? undefined : `"${text}" is not in a vault or managed HSM of a known Azure cloud`;
}

/** The same for a key that AKS uses: AKS has another setting for managed HSMs. */
export function vaultKeyProblem(text: string): string | undefined {
  const key = parseEncryptionKeyId(text);
  if (key !== undefined && keyVaultTypeOf(key) === "ManagedHSM") return `"${text}" is a key of a managed HSM; use a key of a vault`;
  return encryptionKeyProblem(text);
}

/** The problem of the key in that cloud: a HostedCluster contains only the vault's name and looks it up in its own cloud. */
export function foreignKeyProblem(key: EncryptionKey, cloud: string): string | undefined {
  const { keyVaultName, vaultSuffix } = key;
  const type = keyVaultTypeOf(key);
  const expected = suffixes[cloud]?.[type];
  if (expected === undefined || expected === vaultSuffix) return undefined;
  const [one, many] = type === "KeyVault" ? ["vault", "vaults"] : ["managed HSM", "managed HSMs"];
  return `${one} "${keyVaultName}" is at ${vaultSuffix}, but ${many} of ${cloud} are at ${expected}`;
}

/** The problem of a backup key beside the active one; undefined if both can be used. */
export function backupKeyProblem(backup: EncryptionKey, active: EncryptionKey): string | undefined {
  if (backup.keyVaultName !== active.keyVaultName || backup.vaultSuffix !== active.vaultSuffix) {
    return `the backup key is in ${backup.keyVaultName}.${backup.vaultSuffix}, but the active key in ${active.keyVaultName}.${active.vaultSuffix}; both must be in the same vault`;
  }
  if (backup.keyName !== active.keyName || backup.keyVersion !== active.keyVersion) return undefined;
  return "the backup key is the active key; the backup is the version before it";
}
