/** Decides which resources an identity set owns, by its tag and a name, or by the record of their create. */
import { dataPlaneComponents, type DataPlaneComponent } from "./components.js";
import { defaultVaultName, managedIdentityName, persistentGroupName } from "./identity-names.js";
import type { IdentitySetKey } from "./identity-spec.js";
import { defaultAccountName, issuerGroupName, plainAccountName } from "./issuer.js";
import { isSharing, ownedBy, ownershipTags, type IdentitySet, type Owner, type SharingOwner } from "./ownership.js";
import { tagValue, type Tags } from "./tags.js";
import { parseResourceId } from "./resource-id.js";
import type { SetPlace } from "./unique-suffix.js";
import { sameText } from "../text/same-text.js";

/** Records a name that the user chose, on the resource itself. A resource that inherited the tag has another name. */
export const createdAsTag = "aro-hcp-created-as";

interface Named {
  readonly name?: string | undefined;
  readonly tags?: Tags;
}

/** The tags of a new group: they show that its owner created it. */
export function createdGroupTags(owner: Owner, name: string): Record<string, string> {
  return isSharing(owner) ? tagsOf(owner, name, groupNames(owner)) : ownershipTags(owner);
}

export function ownsGroup(owner: SharingOwner, group: Named): boolean {
  return owns(owner, group, groupNames(owner));
}

export function setVaultTags(key: IdentitySetKey): Record<string, string> {
  return tagsOf({ identitySet: key.name }, key.vaultName, [defaultVaultName(key)]);
}

/** In the group of the set, by a name that whoever may write tags cannot choose: the derived one, or that of the option. */
export function namesVault(key: IdentitySetKey, vault: Named): boolean {
  return isNamed({ identitySet: key.name }, vault, ownVaultNames(key));
}

/** In the group of the set, also by tags alone: those prove nothing before a deletion. */
export function ownsVault(key: IdentitySetKey, vault: Named): boolean {
  return owns({ identitySet: key.name }, vault, ownVaultNames(key)) && !isGiven(key, vault);
}

function ownVaultNames(key: IdentitySetKey): string[] {
  return [key.vaultName, defaultVaultName(key)];
}

/** Whatever its tags say: the operator says that somebody else has prepared it. No two vaults have the same name. */
function isGiven({ givenVaultId, vaultName }: IdentitySetKey, { name }: Named): boolean {
  return givenVaultId !== undefined && sameText(name, vaultName);
}

export function setAccountTags(place: SetPlace, name: string): Record<string, string> {
  return tagsOf({ identitySet: place.name }, name, accountNames(place));
}

/** Where the operator says that an account is. */
export interface NamedAccount {
  /** The group of an option, or the set's own. */
  readonly groupName: string;
  /** The name of an option. */
  readonly accountName: string | undefined;
}

/** Whoever may write tags can put them on any account: elsewhere than in that group, only a name that contains its place counts. */
export function ownsAccount(
  { identitySet }: IdentitySet,
  { id, tags }: { readonly id: string; readonly tags?: Tags },
  { groupName, accountName }: NamedAccount,
): boolean {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  const place = { subscriptionId, groupName: resourceGroup, name: identitySet };
  const names = sameText(resourceGroup, groupName) ? [...accountNames(place), tagValue(tags, createdAsTag)] : [defaultAccountName(place)];
  return isNamed({ identitySet }, { name, tags }, [...names, accountName]);
}

/** The component of a managed identity in the group of the set; undefined if the set does not own it. */
export function ownIdentity(key: Pick<IdentitySetKey, "name">, identity: Named): DataPlaneComponent | undefined {
  if (ownedBy(identity.tags, { identitySet: key.name }) !== "ours") return undefined;
  return dataPlaneComponents.find((component) => sameText(managedIdentityName(key, component), identity.name));
}

function tagsOf(owner: SharingOwner, name: string, derived: readonly (string | undefined)[]): Record<string, string> {
  const isDerived = derived.some((one) => sameText(one, name));
  return { ...ownershipTags(owner), ...(isDerived ? {} : { [createdAsTag]: name }) };
}

function owns(owner: SharingOwner, { name, tags }: Named, names: readonly string[]): boolean {
  return isNamed(owner, { name, tags }, [...names, tagValue(tags, createdAsTag)]);
}

function isNamed(owner: SharingOwner, { name, tags }: Named, names: readonly (string | undefined)[]): boolean {
  return ownedBy(tags, owner) === "ours" && names.some((one) => sameText(one, name));
}

/** Only the groups of an identity set have default names. */
function groupNames(owner: SharingOwner): string[] {
  return "identitySet" in owner ? [persistentGroupName(owner.identitySet), issuerGroupName(owner.identitySet)] : [];
}

/** The default name, and that of accounts which earlier versions created. */
function accountNames(place: SetPlace): (string | undefined)[] {
  return [defaultAccountName(place), plainAccountName(place)];
}
