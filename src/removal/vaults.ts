/** The contents of a vault, and whether it can be deleted or purged: never with secrets, certificates or keys of others. */
import type { DeletedVault, Vault } from "@azure/arm-keyvault";
import { isRestError } from "@azure/core-rest-pipeline";
import type { Azure } from "../azure/azure.js";
import type { VaultContent } from "../azure/vault-content.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { controlPlaneComponents } from "../domain/components.js";
import { certificateName, credentialSecretName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy } from "../domain/ownership.js";
import { shell, shellLine } from "../errors/advice.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { tagValue, type Tags } from "../domain/tags.js";
import type { RemovalMode } from "./identities.js";
import type { DeletedContents, Kept } from "./inventory.js";
import { sameText } from "../text/same-text.js";
import { someOf } from "../text/some-of.js";

export interface FoundVault {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** The contents of this set. */
  readonly secrets: readonly string[];
  readonly certificates: readonly string[];
  /**
   * Contents of others; those that are soft-deleted, only if the vault would be purged. If there are any, the vault is kept and only the
   * contents of this set are deleted.
   */
  readonly foreign: readonly string[];
  /** The caller cannot read its contents. */
  readonly closed: boolean;
  /** The vault would be purged, and the caller cannot list its soft-deleted keys. */
  readonly deletedKeysClosed?: boolean;
  /** It has purge protection: only Azure purges it. */
  readonly purgeProtected: boolean;
  readonly tags?: Tags;
}

/** What a vault contains, by owner. */
export type VaultContents = Pick<FoundVault, "secrets" | "certificates" | "foreign" | "closed">;

/**
 * `decide` takes the contents, or undefined if the caller cannot read them. Soft-deleted contents count only if the vault would be purged:
 * otherwise they stay recoverable with it. Undefined if the vault is deleted in the meantime.
 */
export async function readContents(
  azure: Azure,
  vault: Pick<FoundVault, "id" | "name" | "location">,
  { purge }: Pick<RemovalMode, "purge">,
  decide: (items: VaultItems | undefined, keyNames: readonly string[]) => VaultContents,
  readItems: typeof itemsOf = itemsOf,
): Promise<FoundVault | undefined> {
  const { vaults, keys } = await azure.vaults();
  const group = parseResourceId(vault.id).resourceGroup ?? "";
  const read = () => found(vaults.get(group, vault.name));
  const live = await read();
  if (!live) return undefined;
  try {
    const purgeProtected = isPurgeProtected(live);
    const [items, liveKeys, deletedItems, deletedKeys] = await Promise.all([
      orDenied(readItems(azure, vault.name, "live")),
      // Resource Manager lists keys without a data-plane role, and aro-hcp never has one for keys.
      found(all(keys.list(group, vault.name))),
      ...(purge && !purgeProtected
        ? ([
            orDenied(readItems(azure, vault.name, "deleted")),
            orDenied(azure.vaultContent(vault.name).then((one) => one.deletedKeys())),
          ] as const)
        : ([noItems, []] as const)),
    ]);
    const contents = decide(
      items,
      (liveKeys ?? []).map(({ name = "" }) => name),
    );
    const { foreign, closed } = decide(deletedItems, deletedKeys ?? []);
    return {
      ...vault,
      ...contents,
      foreign: [...contents.foreign, ...foreign.map((one) => `soft-deleted ${one}`)],
      closed: contents.closed || closed,
      deletedKeysClosed: deletedKeys === undefined,
      purgeProtected,
      tags: live.tags,
    };
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

const noItems: VaultItems = { certificates: [], secrets: [] };

/** The contents of the vault of an identity set. `items` is undefined if the caller cannot read them. */
export function decideContent(
  key: Pick<IdentitySetKey, "name">,
  items: VaultItems | undefined,
  keyNames: readonly string[],
): VaultContents {
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
  const foreignKeys = keyNames.flatMap((name) => (certified.has(name) ? [] : [`key ${name}`]));
  return { secrets, certificates, foreign: [...foreign, ...foreignKeys], closed: items === undefined };
}

const mostListed = 25;

/**
 * A caller with permission to delete a vault may not have permission to read its contents. Then the tags of the vault decide.
 * A soft-deleted vault can be recovered, so it is deleted, but it is not purged without reading its contents.
 */
export function keptFor(vault: FoundVault, { purge, deleteForeign = false }: RemovalMode): Kept | undefined {
  const { id, foreign, closed, deletedKeysClosed = false, purgeProtected } = vault;
  if (foreign.length > 0 && !deleteForeign) return { id, why: `it also contains ${someOf(foreign, mostListed)}, not created by aro-hcp` };
  if (!purge || purgeProtected || (!closed && !deletedKeysClosed)) return undefined;
  const [unread, roles] = closed
    ? ["contents cannot be read", '"Key Vault Certificates Officer" and "Key Vault Secrets Officer"']
    : ["soft-deleted keys cannot be listed", '"Key Vault Reader"'];
  return { id, why: `it is not purged because its ${unread}; assign ${roles} on it, or rerun without --purge` };
}

/** The contents of others in vaults that are deleted. */
export function foreignVaultContents(vaults: readonly FoundVault[]): DeletedContents[] {
  return vaults.flatMap(({ name, foreign }) => {
    const title = someOf(foreign, mostListed);
    return foreign.length === 0
      ? []
      : [{ id: title, title, why: `deleted with ${titleOf(resourceTypes.keyVault, name)} (not created by aro-hcp)` }];
  });
}

function isPurgeProtected({ properties }: Vault): boolean {
  return properties.enablePurgeProtection === true;
}

/**
 * On a vault that a destroy deletes to purge it: when the destroy knew that it has no contents of others. Nobody can read the contents of a
 * deleted vault, so only this shows a later run that it may purge it.
 */
export const checkedTag = "aro-hcp-contents-checked";

/** The deletion follows the check, but may be retried. A deletion that is later is not that of the destroy that checked. */
const checkedForMs = 60 * 60_000;

/** Azure's clock and that of the destroy may differ: sign-in fails at five minutes. */
const clockSkewMs = 5 * 60_000;

function wasChecked({ tags, deletionDate }: NonNullable<DeletedVault["properties"]>): boolean {
  const checkedMs = Date.parse(tagValue(tags, checkedTag) ?? "");
  const sinceMs = (deletionDate?.getTime() ?? NaN) - checkedMs;
  return sinceMs >= -clockSkewMs && sinceMs <= checkedForMs;
}

/** Whether a deleted vault can be purged. With purge protection, only Azure purges it, at its scheduled date. */
export function canPurge({ properties = {} }: DeletedVault, { deleteForeign = false }: Omit<RemovalMode, "purge">): boolean {
  return properties.purgeProtectionEnabled !== true && (deleteForeign || wasChecked(properties));
}

/** The deleted vaults that only Azure or the user purges, because they may have contents of others. */
export function keptDeletedVaults(deletedVaults: readonly DeletedVault[], mode: RemovalMode): Kept[] {
  const unpurged = deletedVaults.filter((one) => one.properties?.purgeProtectionEnabled !== true && !canPurge(one, mode));
  if (!mode.purge) return [];
  return unpurged.map(({ id = "", name = "", properties: { location = "", scheduledPurgeDate } = {} }) => {
    const date = scheduledPurgeDate === undefined ? "" : ` until ${scheduledPurgeDate.toISOString()}, when Azure purges it`;
    const how = `if it has no contents of others, purge it: ${shellLine(shell`az keyvault purge --name ${name} --location ${location}`)}`;
    return {
      id,
      title: `soft-deleted ${titleOf(resourceTypes.keyVault, name)}`,
      why: `it stays${date}, because the contents of a deleted vault cannot be read; ${how}`,
    };
  });
}

/** The errors of a vault that denies access: because of roles, access policies or the network. */
const deniedCodes = new Set(["ForbiddenByRbac", "ForbiddenByPolicy", "ForbiddenByFirewall", "ForbiddenByConnection"]);

/** Undefined if the vault denies access to its contents. */
export async function orDenied<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!isRestError(error) || !deniedCodes.has(azureCodeOf(error) ?? "")) throw error;
    return undefined;
  }
}

type State = "live" | "deleted";

async function itemsOf(azure: Azure, vaultName: string, state: State): Promise<VaultItems> {
  const content = await azure.vaultContent(vaultName);
  // If both fail, the failure is that of the certificates.
  const secrets = azure.connection.early.start(() => secretsIn(content, state));
  const certificates = await certificatesIn(content, state);
  // A certificate's secret is deleted with it.
  return { certificates: certificates.map(itemOf), secrets: (await secrets).filter(isOnlySecret).map(itemOf) };
}

/** For a caller with a role for secrets alone: each certificate is known by its secret. */
export async function itemsBySecrets(azure: Azure, vaultName: string, state: State): Promise<VaultItems> {
  const listed = await secretsIn(await azure.vaultContent(vaultName), state);
  return { certificates: listed.filter((one) => !isOnlySecret(one)).map(itemOf), secrets: listed.filter(isOnlySecret).map(itemOf) };
}

async function secretsIn({ secrets }: VaultContent, state: State) {
  if (state === "live") return all(secrets.listPropertiesOfSecrets());
  return (await all(secrets.listDeletedSecrets())).map(({ properties }) => properties);
}

async function certificatesIn({ certificates }: VaultContent, state: State) {
  if (state === "live") return all(certificates.listPropertiesOfCertificates());
  return (await all(certificates.listDeletedCertificates())).map(({ properties }) => properties);
}

/** Not that of a certificate, which the vault manages. */
function isOnlySecret({ managed }: { readonly managed?: boolean }): boolean {
  return managed !== true;
}

function itemOf({ name = "", tags }: { readonly name?: string; readonly tags?: Record<string, string> }): VaultItem {
  return { name, ...(tags && { tags }) };
}
