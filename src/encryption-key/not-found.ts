/** What a command says if an identity set has no key. */
import type { Azure } from "../azure/azure.js";
import { requireVaultOfSet } from "../azure/set-vault.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { managedHsmIn } from "../domain/key-place.js";
import { identitySetTag } from "../domain/ownership.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { noSuchSet } from "../removal/nothing-found.js";
import { isOfSet, resourcesWithTagName } from "../removal/set-groups.js";
import { sameText } from "../text/same-text.js";

/** The set may exist without the key, which is in its vault or in the managed HSM. */
export async function noSuchKey(azure: Azure, set: IdentitySetKey, hsmName: string | undefined): Promise<string> {
  const vault = await requireVaultOfSet(azure, set);
  if (vault === undefined) {
    const parts = (await resourcesWithTagName(azure, identitySetTag)).filter((one) => isOfSet(set, one));
    if (!parts.some(({ id = "" }) => sameText(groupNameOf(id), set.groupName))) return noSuchSet(azure, set);
    return `resource group ${set.groupName} has no ${titleOf(resourceTypes.keyVault, set.vaultName)}; if the vault of the identity set has another name, pass --key-vault-name`;
  }
  const where = hsmName === undefined ? titleOf(resourceTypes.keyVault, set.vaultName) : `managed HSM ${hsmName}`;
  const named = managedHsmIn(vault.tags);
  const elsewhere =
    named === undefined || sameText(named, hsmName)
      ? ""
      : `; the tags of the vault name managed HSM ${named}: pass --managed-hsm-name ${named}`;
  return `${where} has no key ${encryptionKeyName(set)} of the identity set "${set.name}"${elsewhere}`;
}
