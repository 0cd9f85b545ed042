/** What is in a vault of ours, and whether it may go: nobody else's secret, certificate or key goes with it. */
import type { DeletedVault, Vault } from "@azure/arm-keyvault";
import { isRestError } from "@azure/core-rest-pipeline";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { controlPlaneComponents } from "../domain/components.js";
import { certificateName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy } from "../domain/ownership.js";
import type { Kept } from "./inventory.js";

export interface FoundVault {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** What is ours in it. */
  readonly secrets: readonly string[];
  readonly certificates: readonly string[];
  /** Names of what others put there: then the vault stays, and only ours goes. */
  readonly foreign: readonly string[];
  /** Whoever asks may not see what is in it. */
  readonly closed: boolean;
  /** Azure purges it by itself, and nobody earlier. */
  readonly purgeProtected: boolean;
}

/** In the group of the set; undefined where it is gone meanwhile. */
export async function lookInto(
  azure: Azure,
  key: IdentitySetKey,
  vault: Pick<FoundVault, "id" | "name" | "location">,
): Promise<FoundVault | undefined> {
  const { vaults, keys } = await azure.vaults();
  const live = await found(vaults.get(key.groupName, vault.name));
  if (!live) return undefined;
  const [items, liveKeys] = await Promise.all([
    itemsOf(azure, vault.name),
    // Of Resource Manager: it takes no right on what is in the vault, and we never have one on keys.
    found(all(keys.list(key.groupName, vault.name))),
  ]);
  const keyNames = (liveKeys ?? []).map(({ name = "" }) => name);
  return { ...vault, ...decideContent(key, items, keyNames), purgeProtected: isPurgeProtected(live) };
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

/** What in a vault is ours and what is not; `items` is undefined where the vault does not let the caller read them. */
export function decideContent(
  key: Pick<IdentitySetKey, "name">,
  items: VaultItems | undefined,
  keyNames: readonly string[],
): Pick<FoundVault, "secrets" | "certificates" | "foreign" | "closed"> {
  const isOurs = ({ tags }: VaultItem) => ownedBy(tags, { identitySet: key.name }) === "ours";
  const namesOf = (some: readonly VaultItem[] = [], ours: boolean) => some.filter((item) => isOurs(item) === ours).map(({ name }) => name);
  const certificates = namesOf(items?.certificates, true);
  const foreign = [...namesOf(items?.certificates, false), ...namesOf(items?.secrets, false)];
  // A certificate's key has its name, and goes with it.
  const certified = new Set([...certificates, ...foreign, ...controlPlaneComponents.map((component) => certificateName(key, component))]);
  const foreignKeys = keyNames.flatMap((name) => (certified.has(name) ? [] : [`key ${name}`]));
  return { secrets: namesOf(items?.secrets, true), certificates, foreign: [...foreign, ...foreignKeys], closed: items === undefined };
}

/**
 * Whoever may delete a vault may not be let into it: then its own tag says whose it is. Nothing is lost with it at once, for a deleted vault can be
 * recovered; so it is not purged unseen.
 */
export function keptFor(vault: FoundVault, { purge }: { readonly purge: boolean }): Kept | undefined {
  const { id, foreign, closed, purgeProtected } = vault;
  if (foreign.length > 0) return { id, why: `others have ${foreign.join(", ")} in it` };
  if (!purge || purgeProtected || !closed) return undefined;
  const roles = '"Key Vault Certificates Officer" and "Key Vault Secrets Officer"';
  return { id, why: `it is not purged unseen: have ${roles} on it, or delete it without --purge` };
}

function isPurgeProtected({ properties }: Vault): boolean {
  return properties.enablePurgeProtection === true;
}

/** Of a deleted vault: with purge protection Azure alone does it, when its time is over. */
export function canPurge({ properties }: DeletedVault): boolean {
  return properties?.purgeProtectionEnabled !== true;
}

/** A vault that does not let us look into it: by its roles, its access policies, its network. */
const closed = new Set(["ForbiddenByRbac", "ForbiddenByPolicy", "ForbiddenByFirewall", "ForbiddenByConnection"]);

/** Undefined where we are not let in. */
async function itemsOf(azure: Azure, vaultName: string): Promise<VaultItems | undefined> {
  const content = await azure.vaultContent(vaultName);
  const secrets: VaultItem[] = [];
  const certificates: VaultItem[] = [];
  try {
    for await (const { name = "", tags } of content.certificates.listPropertiesOfCertificates()) {
      certificates.push({ name, ...(tags && { tags }) });
    }
    for await (const { name, tags, managed } of content.secrets.listPropertiesOfSecrets()) {
      // A certificate's secret goes with it.
      if (managed !== true) secrets.push({ name, ...(tags && { tags }) });
    }
  } catch (error) {
    if (!isRestError(error) || !closed.has(azureCodeOf(error) ?? "")) throw error;
    return undefined;
  }
  return { secrets, certificates };
}
