/** Which resources an identity set owns: those with its tag and a name that follows from the set, or that their create recorded on them. */
import { dataPlaneComponents, type DataPlaneComponent } from "./components.js";
import type { DnsZoneOwner } from "./dns-zone.js";
import { defaultVaultName, managedIdentityName, persistentGroupName } from "./identity-names.js";
import type { IdentitySetKey } from "./identity-spec.js";
import { issuerNames } from "./issuer.js";
import { ownedBy, ownershipTags, type IdentitySet } from "./ownership.js";
import { tagValue, type Tags } from "./tags.js";
import { sameText } from "../text/same-text.js";

/** Records a name that the user chose, on the resource itself. A resource that inherited the tag has another name. */
export const createdAsTag = "aro-hcp-created-as";

interface Named {
  readonly name?: string | undefined;
  readonly tags?: Tags;
}

/** An owner that uses an existing group as it is, so that its tags must show whether it created the group. */
export type GroupOwner = IdentitySet | DnsZoneOwner;

/** The tags of a new group. */
export function createdGroupTags(owner: GroupOwner, name: string): Record<string, string> {
  return tagsOf(owner, name, groupNames(owner));
}

export function ownsGroup(owner: GroupOwner, group: Named): boolean {
  return owns(owner, group, groupNames(owner));
}

/** The tags of the new vault. */
export function setVaultTags(key: IdentitySetKey): Record<string, string> {
  return tagsOf({ identitySet: key.name }, key.vaultName, [defaultVaultName(key)]);
}

/** In the group of the set. */
export function ownsVault(key: IdentitySetKey, vault: Named): boolean {
  return owns({ identitySet: key.name }, vault, [key.vaultName, defaultVaultName(key)]);
}

/** The tags of the new storage account. */
export function setAccountTags(set: IdentitySet, name: string): Record<string, string> {
  return tagsOf(set, name, [defaultAccountName(set)]);
}

/** `chosen`: the name that an option gives it. */
export function ownsAccount(set: IdentitySet, account: Named, chosen: string | undefined): boolean {
  return owns(set, account, [defaultAccountName(set), ...(chosen === undefined ? [] : [chosen])]);
}

/** The component of a managed identity in the group of the set; undefined if the set does not own it. */
export function ownIdentity(key: Pick<IdentitySetKey, "name">, identity: Named): DataPlaneComponent | undefined {
  if (ownedBy(identity.tags, { identitySet: key.name }) !== "ours") return undefined;
  return dataPlaneComponents.find((component) => sameText(managedIdentityName(key, component), identity.name));
}

function tagsOf(owner: GroupOwner, name: string, derived: readonly string[]): Record<string, string> {
  const isDerived = derived.some((one) => sameText(one, name));
  return { ...ownershipTags(owner), ...(isDerived ? {} : { [createdAsTag]: name }) };
}

function owns(owner: GroupOwner, { name, tags }: Named, names: readonly string[]): boolean {
  return ownedBy(tags, owner) === "ours" && [...names, tagValue(tags, createdAsTag)].some((one) => sameText(one, name));
}

/** The user always chooses the group of a zone. */
function groupNames(owner: GroupOwner): string[] {
  return "dnsZone" in owner ? [] : [persistentGroupName(owner.identitySet), issuerNames(owner.identitySet).group];
}

function defaultAccountName({ identitySet }: IdentitySet): string {
  return issuerNames(identitySet).account;
}
