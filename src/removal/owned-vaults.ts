/** The vaults of an owner in its group: those that a name shows, and those that only tags name but whose contents show it. */
import type { Azure } from "../azure/azure.js";
import { all } from "../azure/pages.js";
import { isInGroup } from "../domain/resource-id.js";
import type { Tags } from "../domain/tags.js";
import type { Kept } from "./owned.js";
import { readContents, readShown, type FoundVault, type TaggedVault, type VaultOwner } from "./vaults.js";

interface Named {
  readonly name?: string | undefined;
  readonly tags?: Tags;
}

export interface ListedVault {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  readonly tags?: Tags;
}

export interface VaultShowing {
  readonly groupName: string;
  /** Decides by tags, which anybody who may write tags can plant. */
  isTagged(vault: Named): boolean;
  /** Decides by tags and a name that does not come from tags. */
  isNamed(vault: Named): boolean;
  /** Why one that only tags name is kept. */
  why(name: string): string;
}

export interface OwnedVaults<V extends ListedVault> {
  readonly found: readonly FoundVault[];
  /** The vaults as listed. */
  readonly own: readonly V[];
  /** The vaults that only tags name. */
  readonly kept: readonly Kept[];
  /** The IDs of those that are not the owner's. */
  readonly others: readonly string[];
}

/** `listed`: every vault of the group. */
export async function ownedVaults<V extends ListedVault>(
  azure: Azure,
  listed: readonly V[],
  { isTagged, isNamed, why }: VaultShowing,
  owner: VaultOwner,
): Promise<OwnedVaults<V>> {
  const read = await Promise.all(
    listed.filter(isTagged).map(async (vault) => {
      const { id, name, location } = vault;
      const named = isNamed(vault);
      const found = await (named ? readContents : readShown)(azure, { id, name, location }, owner);
      return { vault, found, isOwn: named || (found !== undefined && hasOwn(found)) };
    }),
  );
  const own = read.filter(({ isOwn }) => isOwn);
  return {
    found: own.flatMap(({ found }) => found ?? []),
    own: own.map(({ vault }) => vault),
    kept: read.flatMap(({ found, isOwn }) => (isOwn || found === undefined ? [] : [{ id: found.id, why: why(found.name) }])),
    others: listed.flatMap(({ id }) => (own.some(({ vault }) => vault.id === id) ? [] : [id])),
  };
}

/** Permission to write tags is not enough to write contents. Who may change the vault could write secrets, but may delete the vault too. */
export function hasOwn({ secrets, certificates }: FoundVault): boolean {
  return secrets.length > 0 || certificates.length > 0;
}

/** The soft-deleted ones, whose contents nobody can read. */
export async function ownedDeletedVaults(azure: Azure, { groupName, isTagged, isNamed, why }: VaultShowing): Promise<TaggedVault[]> {
  const { vaults } = await azure.vaults();
  return (await all(vaults.listDeleted())).flatMap((vault) => {
    const { name = "", properties: { tags, vaultId } = {} } = vault;
    if (!isTagged({ name, tags }) || !isInGroup(vaultId, groupName)) return [];
    return [isNamed({ name, tags }) ? vault : { ...vault, unnamed: why(name) }];
  });
}
