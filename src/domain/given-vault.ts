/** What differs for an identity set whose vault somebody else has prepared: where it is, and what in it is the set's. */
import { encryptionKeyName } from "./identity-names.js";
import type { IdentitySetKey } from "./identity-spec.js";
import { identitySetTag, ownedBy, ownershipTags } from "./ownership.js";
import { groupNameOf } from "./resource-id.js";
import { tagValue, type Tags } from "./tags.js";
import { sameText } from "../text/same-text.js";

/** Names the resource group of the set on its contents of a given vault: sets of other groups can have the same name, and use the same vault. */
const setGroupTag = "aro-hcp-identities-group";

/** The parts of the key of a set that its contents of a vault show. */
export type ContentOwner = Pick<IdentitySetKey, "name" | "groupName" | "givenVaultId">;

/** The tags of a new certificate, secret or key of the set. */
export function contentTags({ name, groupName, givenVaultId }: ContentOwner): Record<string, string> {
  const tags = ownershipTags({ identitySet: name });
  return givenVaultId === undefined ? tags : { ...tags, [setGroupTag]: inTag(groupName) };
}

/**
 * Whether a certificate, secret or key of the vault with these tags is the set's. In the set's own vault, none has the group. So contents of a
 * given vault never show that it is the set's, whatever tags it has.
 */
export function ownsContent(set: ContentOwner, tags: Tags): boolean {
  const group = set.givenVaultId === undefined ? undefined : inTag(set.groupName);
  return tagValue(tags, setGroupTag) === group && ownedBy(tags, { identitySet: set.name }) === "ours";
}

/** A set by its name and its resource group. */
export type SetInGroup = Pick<IdentitySetKey, "name" | "groupName">;

/** The set whose contents of a given vault have these tags; undefined in the own vault of a set. */
export function setInTags(tags: Tags): SetInGroup | undefined {
  const [name, groupName] = [tagValue(tags, identitySetTag), tagValue(tags, setGroupTag)];
  return name === undefined || groupName === undefined ? undefined : { name, groupName };
}

/** Names of resource groups ignore case, and values of tags do not. */
function inTag(groupName: string): string {
  return groupName.toLowerCase();
}

/** The resource group of the vault. */
export function vaultGroupOf({ groupName, givenVaultId }: IdentitySetKey): string {
  return groupNameOf(givenVaultId) ?? groupName;
}

/** The option that chooses the vault. */
export function vaultOption({ givenVaultId }: IdentitySetKey): "--key-vault-id" | "--key-vault-name" {
  return givenVaultId === undefined ? "--key-vault-name" : "--key-vault-id";
}

/** The settings that choose the vault, for a command as advice. */
export function vaultSettings({ vaultName: keyVaultName, givenVaultId: keyVaultId }: IdentitySetKey) {
  return keyVaultId === undefined ? { keyVaultName } : { keyVaultId };
}

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
export function vaultsShownBy(
  roles: readonly LiveRole[],
  set: Pick<IdentitySetKey, "name" | "groupName">,
  principals: readonly (string | undefined)[],
): string[] {
  const shown = roles.flatMap(({ scope = "", description, principalId }) => {
    const [, id, group, key] = vaultScope.exec(scope) ?? [];
    const named = setOfPurpose(description);
    const isNamed = named?.name === set.name && sameText(named.groupName, set.groupName);
    const isOnKey = sameText(key, encryptionKeyName(set)) && principals.some((one) => sameText(one, principalId));
    return id !== undefined && (isNamed || (isOnKey && !sameText(group, set.groupName))) ? [id] : [];
  });
  return [...new Map(shown.map((id) => [id.toLowerCase(), id])).values()];
}

const vaultScope =
  /^(\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/Microsoft\.KeyVault\/vaults\/[^/]+)(?:\/keys\/([^/]+))?$/i;

export function setTitle({ name, groupName }: SetInGroup): string {
  return `identity set ${name} in resource group ${groupName}`;
}
