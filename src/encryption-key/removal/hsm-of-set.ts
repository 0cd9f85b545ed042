/** The tag with which the vault of a set names the managed HSM of the set's key: removed after the key. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { patchTags } from "../../azure/patch-tags.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { managedHsmIn, managedHsmTag } from "../../domain/key-place.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { ownsVault } from "../../domain/set-ownership.js";
import { sameText } from "../../text/same-text.js";
import { removalOf, type OwnedRemoval } from "../../removal/owned.js";

/** The HSM that the vault names; undefined if it names none. */
export async function managedHsmOf(
  azure: Azure,
  set: IdentitySetKey,
): Promise<{ readonly vaultId: string; readonly hsmName: string } | undefined> {
  const { vaults } = await azure.vaults();
  const vault = await found(vaults.get(set.groupName, set.vaultName));
  const hsmName = managedHsmIn(vault?.tags);
  if (vault?.id === undefined || hsmName === undefined || !ownsVault(set, { name: set.vaultName, tags: vault.tags })) return undefined;
  return { vaultId: vault.id, hsmName };
}

/** None if the vault does not name this HSM. */
export async function hsmOfSetRemovals(azure: Azure, set: IdentitySetKey, name: string): Promise<OwnedRemoval[]> {
  const named = await managedHsmOf(azure, set);
  if (named === undefined || !sameText(named.hsmName, name)) return [];
  const title = `tag ${managedHsmTag} of ${titleOf(resourceTypes.keyVault, set.vaultName)}`;
  const remove = async () => {
    await found(patchTags(azure, named.vaultId, "Delete", { [managedHsmTag]: named.hsmName }));
  };
  return [removalOf(title, title, remove)];
}
