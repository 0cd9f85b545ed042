/** The contents of a vault, and whether it can be deleted: never with secrets, certificates or keys of others. */
import type { DeletedVault, Vault } from "@azure/arm-keyvault";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { orDenied } from "../azure/vault-admission.js";
import { controlPlaneComponents } from "../domain/components.js";
import { certificateName, credentialSecretName, encryptionKeyName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy } from "../domain/ownership.js";
import { parseResourceId } from "../domain/resource-id.js";
import type { Kept } from "./inventory.js";
import { sameText } from "../text/same-text.js";

export interface FoundVault {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** The contents of this set. */
  readonly secrets: readonly string[];
  readonly certificates: readonly string[];
  /** The key of this set that encrypts etcd. It is deleted with the vault, and otherwise kept. */
  readonly keys?: readonly string[];
  /** Contents of others. If there are any, the vault is kept and only the contents of this set are deleted. */
  readonly foreign: readonly string[];
  /** The caller cannot read its contents. */
  readonly closed: boolean;
  /** It has purge protection: only Azure purges it. */
  readonly purgeProtected: boolean;
}

/** What a vault contains, by owner. */
export type VaultContents = Pick<FoundVault, "secrets" | "certificates" | "keys" | "foreign" | "closed">;

/** `decide` takes the contents, or undefined if the caller cannot read them. Undefined if the vault is deleted in the meantime. */
export async function readContents(
  azure: Azure,
  vault: Pick<FoundVault, "id" | "name" | "location">,
  decide: (items: VaultItems | undefined, keys: readonly VaultItem[]) => VaultContents,
  readItems: typeof itemsOf = itemsOf,
): Promise<FoundVault | undefined> {
  const { vaults, keys } = await azure.vaults();
  const group = parseResourceId(vault.id).resourceGroup ?? "";
  const read = () => found(vaults.get(group, vault.name));
  const live = await read();
  if (!live) return undefined;
  try {
    const [items, liveKeys] = await Promise.all([
      orDenied(readItems(azure, vault.name)),
      // Resource Manager lists keys without a role for the contents of the vault.
      found(all(keys.list(group, vault.name))),
    ]);
    return { ...vault, ...decide(items, (liveKeys ?? []).map(itemOf)), purgeProtected: isPurgeProtected(live) };
  } catch (error) {
    // The hostname of a vault that another run deleted no longer resolves.
    if (await read()) throw error;
    return undefined;
  }
}

interface VaultItem {
  readonly name: string;
  readonly tags?: Record<string, string>;
}

export interface VaultItems {
  readonly certificates: readonly VaultItem[];
  /** Without those that belong to a certificate. */
  readonly secrets: readonly VaultItem[];
}

/** The contents of the vault of an identity set. `items` is undefined if the caller cannot read them. */
export function decideContent(key: Pick<IdentitySetKey, "name">, items: VaultItems | undefined, keys: readonly VaultItem[]): VaultContents {
  const certificateNames = controlPlaneComponents.map((component) => certificateName(key, component));
  const secretNames = controlPlaneComponents.map((component) => credentialSecretName(key, component));
  const isOurs = ({ name, tags }: VaultItem, names: readonly string[]) =>
    ownedBy(tags, { identitySet: key.name }) === "ours" && names.some((own) => sameText(own, name));
  const namesOf = (some: readonly VaultItem[] = [], names: readonly string[], ours: boolean) =>
    some.filter((item) => isOurs(item, names) === ours).map(({ name }) => name);
  const certificates = namesOf(items?.certificates, certificateNames, true);
  const secrets = namesOf(items?.secrets, secretNames, true);
  const foreign = [...namesOf(items?.certificates, certificateNames, false), ...namesOf(items?.secrets, secretNames, false)];
  // A certificate's key has the same name and is deleted with it.
  const certified = new Set([...foreign, ...certificateNames]);
  const others = keys.filter(({ name }) => !certified.has(name));
  const own = others.filter((one) => isOurs(one, [encryptionKeyName(key)]));
  const foreignKeys = others.filter((one) => !own.includes(one)).map(({ name }) => `key ${name}`);
  const ownKeys = own.length === 0 ? {} : { keys: own.map(({ name }) => name) };
  return { secrets, certificates, ...ownKeys, foreign: [...foreign, ...foreignKeys], closed: items === undefined };
}

/**
 * A caller with permission to delete a vault may not have permission to read its contents. Then the tags of the vault decide.
 * A soft-deleted vault can be recovered, so it is deleted, but it is not purged without reading its contents.
 */
export function keptFor(vault: FoundVault, { purge }: { readonly purge: boolean }): Kept | undefined {
  const { id, foreign, closed, purgeProtected, keys = [] } = vault;
  if (foreign.length > 0) {
    const left = keys.length === 0 ? "" : `; key ${keys.join(", ")} stays in it: destroy encryption-key deletes it`;
    return { id, why: `it also contains ${foreign.join(", ")}, not created by aro-hcp${left}` };
  }
  if (!purge || purgeProtected || !closed) return undefined;
  const roles = '"Key Vault Certificates Officer" and "Key Vault Secrets Officer"';
  return { id, why: `it is not purged because its contents cannot be read; assign ${roles} on it, or rerun without --purge` };
}

function isPurgeProtected({ properties }: Vault): boolean {
  return properties.enablePurgeProtection === true;
}

/** Whether a deleted vault can be purged. With purge protection, only Azure purges it, at its scheduled date. */
export function canPurge({ properties }: DeletedVault): boolean {
  return properties?.purgeProtectionEnabled !== true;
}

async function itemsOf(azure: Azure, vaultName: string): Promise<VaultItems> {
  const content = await azure.vaultContent(vaultName);
  // If both fail, the failure is that of the certificates.
  const secrets = azure.connection.early.start(() => all(content.secrets.listPropertiesOfSecrets()));
  const certificates = await all(content.certificates.listPropertiesOfCertificates());
  // A certificate's secret is deleted with it.
  return { certificates: certificates.map(itemOf), secrets: (await secrets).filter(isOnlySecret).map(itemOf) };
}

/** For a caller with a role for secrets alone: each certificate is known by its secret. */
export async function itemsBySecrets(azure: Azure, vaultName: string): Promise<VaultItems> {
  const { secrets } = await azure.vaultContent(vaultName);
  const listed = await all(secrets.listPropertiesOfSecrets());
  return { certificates: listed.filter((one) => !isOnlySecret(one)).map(itemOf), secrets: listed.filter(isOnlySecret).map(itemOf) };
}

/** Not that of a certificate, which the vault manages. */
function isOnlySecret({ managed }: { readonly managed?: boolean }): boolean {
  return managed !== true;
}

function itemOf({ name = "", tags }: { readonly name?: string; readonly tags?: Record<string, string> }): VaultItem {
  return { name, ...(tags && { tags }) };
}
