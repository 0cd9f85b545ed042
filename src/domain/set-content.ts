/** Decides by tags which certificates, secrets and keys of a vault belong to an identity set. */
import type { IdentitySetKey } from "./identity-spec.js";
import { ownershipTags, ownedBy, identitySetTag } from "./ownership.js";
import { type Tags, tagValue } from "./tags.js";

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

export type SetInGroup = Pick<IdentitySetKey, "name" | "groupName">;

/** The set whose contents of a given vault have these tags; undefined in the own vault of a set. */
export function setInTags(tags: Tags): SetInGroup | undefined {
  const [name, groupName] = [tagValue(tags, identitySetTag), tagValue(tags, setGroupTag)];
  return name === undefined || groupName === undefined ? undefined : { name, groupName };
}

/** Names of resource groups ignore case, and values of tags do not. */
export function inTag(groupName: string): string {
  return groupName.toLowerCase();
}
