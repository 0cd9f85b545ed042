/** Role assignments on a given vault, which name their identity set in the description. */
import { sameText } from "../text/same-text.js";
import { encryptionKeyName } from "./identity-names.js";
import type { IdentitySetKey } from "./identity-spec.js";
import { idKey, isIdOf, isInGroup, parentId, parseResourceId } from "./resource-id.js";
import { resourceTypes } from "./resource-types.js";
import { inTag, type SetInGroup } from "./set-content.js";

/**
 * The description of role assignments on a given vault. It outlives the set, and other sets and clusters may use it: a destroy removes only those
 * with this description. Undefined for the set's own vault.
 */
export function purposeOnVault({ name, groupName, givenVaultId }: IdentitySetKey): string | undefined {
  return givenVaultId === undefined ? undefined : `for ${setTitle({ name, groupName: inTag(groupName) })}`;
}

/** The set that the description names; undefined if it names none. */
export function setOfPurpose(description: string | undefined): SetInGroup | undefined {
  const found = /^for identity set (\S+) in resource group (.+)$/.exec(description ?? "");
  if (found === null) return undefined;
  const [, name = "", groupName = ""] = found;
  return { name, groupName: inTag(groupName) };
}
interface LiveRole {
  readonly scope?: string;
  readonly description?: string;
  readonly principalId?: string;
}

/** The IDs of the given vaults that role assignments show: by the description, or on the key of etcd by a principal of the set. */
export function vaultsShownBy(roles: readonly LiveRole[], set: SetInGroup, principals: readonly (string | undefined)[]): string[] {
  const shown = roles.flatMap(({ scope = "", description, principalId }) => {
    const found = vaultIn(scope);
    if (found === undefined) return [];
    const named = setOfPurpose(description);
    const isNamed = named?.name === set.name && sameText(named.groupName, set.groupName);
    const isOnKey = sameText(found.key, encryptionKeyName(set)) && principals.some((one) => sameText(one, principalId));
    return isNamed || (isOnKey && !isInGroup(found.id, set.groupName)) ? [found.id] : [];
  });
  return [...new Map(shown.map((id) => [idKey(id), id])).values()];
}

/** The vault of a scope, and the key if the scope is one; undefined for any other scope. */
function vaultIn(scope: string): { readonly id: string; readonly key?: string } | undefined {
  if (isIdOf(scope, resourceTypes.keyVault.type)) return { id: scope };
  const id = isIdOf(scope, resourceTypes.vaultKey.type) ? parentId(scope) : undefined;
  return id === undefined ? undefined : { id, key: parseResourceId(scope).name };
}

export function setTitle({ name, groupName }: SetInGroup): string {
  return `identity set ${name} in resource group ${groupName}`;
}
