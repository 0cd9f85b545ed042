/** The contents of a vault, and whether it can be deleted: never with secrets, certificates or keys of others. */
import type { DeletedVault, Vault } from "@azure/arm-keyvault";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { orRefused } from "../azure/or-refused.js";
import { permissionsReader } from "../azure/permissions.js";
import { signedIn } from "../azure/signed-in.js";
import { orDenial, orDenied, type Waiting } from "../azure/vault-admission.js";
import { contentsReader } from "../azure/vault-role.js";
import { allows } from "../domain/allowed-actions.js";
import { controlPlaneComponents } from "../domain/components.js";
import { ownsContent, type ContentOwner } from "../domain/set-content.js";
import { certificateName, credentialSecretName, encryptionKeyName } from "../domain/identity-names.js";
import { isInspected } from "../domain/inspected-vault.js";
import { hasOwner } from "../domain/ownership.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId, resourceGroupId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { vaultReader } from "../domain/roles.js";
import type { Tags } from "../domain/tags.js";
import type { Kept } from "./owned.js";
import { sameText } from "../text/same-text.js";
import { rfc3339 } from "../text/rfc3339.js";

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
  /** The names of those of them that aro-hcp created for another owner. */
  readonly ofOwners: readonly string[];
  /** Soft-deleted contents of others: only a purge destroys them. */
  readonly foreignDeleted: readonly string[];
  /** The caller cannot read its contents. */
  readonly closed: boolean;
  /** Unreadable only because the caller has no role for it. */
  readonly lacksRole?: boolean;
  /** The caller may assign itself the role that reads them: a run does so before it deletes the vault. */
  readonly canOpen?: boolean;
  /** It has purge protection: only Azure purges it. */
  readonly purgeProtected: boolean;
  /** How long Azure keeps it after its deletion. */
  readonly keptDays: number;
  /** Reads it again, right before its deletion, with a role for this run if it needs one; undefined if it is gone. */
  readonly again: (io: Waiting) => Promise<FoundVault | undefined>;
  readonly isOwn: VaultOwner["isOwn"];
}

export type ContentKind = "secret" | "certificate" | "key";

export type VaultContents = Pick<FoundVault, "secrets" | "certificates" | "keys" | "foreign" | "ofOwners" | "closed">;

export interface VaultOwner {
  isOwn(item: VaultItem, kind: ContentKind): boolean;
  /** The names of its certificates: a key with such a name belongs to one, even if that is gone or cannot be read. */
  readonly certificateNames?: readonly string[];
  readonly readItems?: (azure: Azure, vaultName: string) => Promise<VaultItems>;
}

type Place = Pick<FoundVault, "id" | "name" | "location">;

/** Undefined if the vault is deleted in the meantime. */
export async function readContents(azure: Azure, vault: Place, owner: VaultOwner): Promise<FoundVault | undefined> {
  let [lacksRole, canOpen] = [false, false];
  const found = await readVault(azure, vault, owner, async (reading) => {
    const result = await orDenial(reading);
    if ("value" in result) return result.value;
    // A role opens neither a firewall nor a vault with access policies.
    lacksRole = result.denied === "ForbiddenByRbac";
    canOpen = lacksRole && (await mayAssign(azure, vault));
    return undefined;
  });
  return found && { ...found, lacksRole, canOpen };
}

/** As `readContents`, for a vault that only tags name: no run assigns itself a role on it. */
export async function readShown(azure: Azure, vault: Place, owner: VaultOwner): Promise<FoundVault | undefined> {
  const read = await readContents(azure, vault, owner);
  return read && { ...read, canOpen: false, again: () => readShown(azure, vault, owner) };
}

/** `orClosed`: what a vault that denies access counts as. */
async function readVault(
  azure: Azure,
  vault: Place,
  owner: VaultOwner,
  orClosed: (reading: Promise<VaultItems>) => Promise<VaultItems | undefined>,
): Promise<FoundVault | undefined> {
  const { isOwn, readItems = itemsOf } = owner;
  const { vaults, keys } = await azure.vaults();
  const group = parseResourceId(vault.id).resourceGroup ?? "";
  const read = () => found(vaults.get(group, vault.name));
  const live = await read();
  if (!live) return undefined;
  try {
    const reading = orClosed(readItems(azure, vault.name));
    const [items, deleted, liveKeys] = await Promise.all([
      reading,
      // Not at the same time: a client signs in with its first request, and sends a second one twice.
      reading.then((readable) => (readable === undefined ? [] : deletedItems(azure, vault.name))),
      // Resource Manager lists keys without a role for the contents of the vault.
      found(all(keys.list(group, vault.name))),
    ]);
    const foreignDeleted = deleted.filter((item) => !isOwn(item, item.kind)).map(({ kind, name }) => `deleted ${kind} ${name}`);
    return {
      ...vault,
      ...contentsOf(owner, items, (liveKeys ?? []).map(itemOf)),
      isOwn,
      foreignDeleted,
      purgeProtected: isPurgeProtected(live),
      keptDays: live.properties.softDeleteRetentionInDays ?? 90,
      again: (io) => readAgain(azure, vault, owner, io),
    };
  } catch (error) {
    // The hostname of a vault that another run deleted no longer resolves.
    if (await read()) throw error;
    return undefined;
  }
}

const roleWriting = `${resourceTypes.roleAssignment.type}/write`;

/** If the permissions cannot be read, Azure's own refusal shows that it may not. */
async function mayAssign(azure: Azure, { id }: Place): Promise<boolean> {
  const { subscriptionId, resourceGroup = "" } = parseResourceId(id);
  const permissions = await orRefused(permissionsReader(azure)(resourceGroupId(subscriptionId, resourceGroup)));
  return permissions === undefined || allows(permissions, roleWriting);
}

async function readAgain(azure: Azure, vault: Place, owner: VaultOwner, io: Waiting): Promise<FoundVault | undefined> {
  const live = await readContents(azure, vault, owner);
  if (live?.canOpen !== true) return live;
  const reader = contentsReader(azure, vault.name, await signedIn(azure.connection));
  try {
    return await reader.use(vault.id, io, () => readVault(azure, vault, owner, (reading) => reading));
  } finally {
    await reader.takeBack(vault.id);
  }
}

export interface VaultItem {
  readonly name: string;
  readonly tags?: Tags;
}

export interface VaultItems {
  readonly certificates: readonly VaultItem[];
  /** The secrets that belong to no certificate. */
  readonly secrets: readonly VaultItem[];
}

export function setVault(key: ContentOwner): VaultOwner {
  const names = {
    certificate: controlPlaneComponents.map((component) => certificateName(key, component)),
    secret: controlPlaneComponents.map((component) => credentialSecretName(key, component)),
    key: [encryptionKeyName(key)],
  };
  return {
    isOwn: ({ name, tags }, kind) => ownsContent(key, tags) && names[kind].some((own) => sameText(own, name)),
    certificateNames: names.certificate,
  };
}

/** `items` is undefined if the caller cannot read them. */
export function contentsOf(
  { isOwn, certificateNames = [] }: VaultOwner,
  items: VaultItems | undefined,
  keys: readonly VaultItem[],
): VaultContents {
  const { certificates = [], secrets = [] } = items ?? {};
  // A certificate's key has the same name and is deleted with it.
  const certified = new Set([...namesOf(certificates), ...certificateNames]);
  const kinds = [
    ["certificate", certificates],
    ["secret", secrets],
    ["key", keys.filter(({ name }) => !certified.has(name))],
  ] as const;
  const [ownCertificates, ownSecrets, ownKeys] = kinds.map(([kind, some]) => namesOf(some.filter((one) => isOwn(one, kind))));
  const foreign = kinds.flatMap(([kind, some]) => some.filter((one) => !isOwn(one, kind)).map(({ name }) => `${kind} ${name}`));
  // The key of a certificate shows its owner, also if the certificate cannot be read.
  const others = [
    ...certificates.filter((one) => !isOwn(one, "certificate")),
    ...secrets.filter((one) => !isOwn(one, "secret")),
    ...keys.filter((one) => !isOwn(one, "key") && !isOwn(one, "certificate")),
  ];
  return {
    secrets: ownSecrets ?? [],
    certificates: ownCertificates ?? [],
    ...(ownKeys !== undefined && ownKeys.length > 0 && { keys: ownKeys }),
    foreign,
    ofOwners: [...new Set(namesOf(others.filter(({ tags }) => hasOwner(tags))))],
    closed: items === undefined,
  };
}

function namesOf(items: readonly VaultItem[]): string[] {
  return items.map(({ name }) => name);
}

/** A vault is deleted only if its contents are read just before: whoever may change a vault can write secrets to it without a role on its contents. */
export function keptFor(vault: FoundVault, { purge }: { readonly purge: boolean }): Kept | undefined {
  const { id, foreign, foreignDeleted, closed, canOpen, purgeProtected, keys = [] } = vault;
  if (foreign.length > 0) {
    const left = keys.length === 0 ? "" : `; key ${keys.join(", ")} stays in it: destroy encryption-key deletes it`;
    return { id, why: `it also contains ${foreign.join(", ")}, not created by aro-hcp${left}` };
  }
  if (closed && canOpen !== true) {
    return { id, why: `its contents cannot be read; ask an owner for "${vaultReader.name}" on it, then rerun the command` };
  }
  if (!purge || purgeProtected || foreignDeleted.length === 0) return undefined;
  const them = foreignDeleted.join(", ");
  return {
    id,
    why: `it also contains ${them}, not created by aro-hcp, which a purge would destroy; purge or recover that, or rerun without --purge`,
  };
}

function isPurgeProtected({ properties }: Vault): boolean {
  return properties.enablePurgeProtection === true;
}

/** `unnamed`: why it is kept, if its tags alone name the owner. Whoever may write tags can also write the mark of a destroy. */
export interface TaggedVault extends DeletedVault {
  readonly unnamed?: string;
}

/** Whether a deleted vault is purged: not with purge protection, and only if a destroy has seen that its contents are all its own. */
export function canPurge({ properties, unnamed }: TaggedVault): boolean {
  if (unnamed !== undefined) return false;
  const { purgeProtectionEnabled, tags, deletionDate } = properties ?? {};
  return purgeProtectionEnabled !== true && deletionDate !== undefined && isInspected(tags, deletionDate);
}

/** The deleted vaults that a purge leaves to Azure. */
export function unseenVaults(deleted: readonly TaggedVault[], { purge }: { readonly purge: boolean }): Kept[] {
  if (!purge) return [];
  return deleted
    .filter((vault) => !canPurge(vault))
    .map(({ name = "", properties, unnamed }) => {
      const on = properties?.scheduledPurgeDate ? rfc3339(properties.scheduledPurgeDate) : "its scheduled date";
      const why =
        properties?.purgeProtectionEnabled === true
          ? `it has purge protection; Azure purges it on ${on}`
          : (unnamed ??
            `it was not deleted by a destroy that could read its contents; Azure purges it on ${on}, and its owner can purge it before`);
      return { id: properties?.vaultId ?? name, title: `deleted ${titleOf(resourceTypes.keyVault, name)}`, why };
    });
}

export async function itemsOf(azure: Azure, vaultName: string): Promise<VaultItems> {
  const content = await azure.vaultContent(vaultName);
  // If both fail, the failure is that of the certificates.
  const secrets = azure.connection.early.start(() => all(content.secrets.listPropertiesOfSecrets()));
  const certificates = await all(content.certificates.listPropertiesOfCertificates());
  // A certificate's secret is deleted with it.
  return { certificates: certificates.map(itemOf), secrets: (await secrets).filter(isOnlySecret).map(itemOf) };
}

interface DeletedItem extends VaultItem {
  readonly kind: ContentKind;
}

/** A deleted certificate has a deleted secret. Few callers may list deleted keys, and each list that they may not read counts as empty. */
async function deletedItems(azure: Azure, vaultName: string): Promise<DeletedItem[]> {
  const [{ secrets }, keys] = await Promise.all([azure.vaultContent(vaultName), azure.vaultKeys(vaultName)]);
  const [deletedSecrets = [], deletedKeys = []] = await Promise.all([
    orDenied(all(secrets.listDeletedSecrets())),
    orDenied(all(keys.listDeletedKeys())),
  ]);
  const item = (kind: ContentKind, name: string, tags: VaultItem["tags"]) => ({ ...itemOf({ name, ...(tags && { tags }) }), kind });
  return [
    ...deletedSecrets.map((one) => item(isOnlySecret(one.properties) ? "secret" : "certificate", one.name, one.properties.tags)),
    ...deletedKeys.filter(({ properties }) => properties.managed !== true).map((one) => item("key", one.name, one.properties.tags)),
  ];
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

function itemOf({ name = "", tags }: Partial<VaultItem>): VaultItem {
  return { name, ...(tags && { tags }) };
}
