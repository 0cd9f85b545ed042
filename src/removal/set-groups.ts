/** The resource groups that contain an identity set. The names of its applications contain the group, so a set is found only in its group. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { Failure } from "../errors/failure.js";
import type { Azure } from "../azure/azure.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { defaultVaultName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { identitySetTag } from "../domain/ownership.js";
import { groupNameOf, parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownIdentity, ownsVault } from "../domain/set-ownership.js";
import { sameText } from "../text/same-text.js";
import type { IdentityInventory } from "./identities.js";

/** Every resource of the subscription that has the tag, with its tags. Without the permission to list, as if there were none. */
export async function resourcesWithTagName(azure: Azure, tag: string): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  return (await orRefused(all(resources.list({ filter: `tagName eq '${tag}'` })))) ?? [];
}

/** Whether a resource of any group is an identity or the vault of the set, if the set is in that group. */
export function isOfSet({ name: set, subscriptionId }: IdentitySetKey, { id = "", type = "", tags }: GenericResourceExpanded): boolean {
  const groupName = groupNameOf(id);
  if (groupName === undefined) return false;
  const { name } = parseResourceId(id);
  if (sameType(type, resourceTypes.managedIdentity.type)) return ownIdentity({ name: set }, { name, tags }) !== undefined;
  const key = { name: set, subscriptionId, groupName };
  return sameType(type, resourceTypes.keyVault.type) && ownsVault({ ...key, vaultName: defaultVaultName(key) }, { name, tags });
}

/** The groups of these resources, except for the one that was searched. */
export function otherGroupsOf(resources: readonly GenericResourceExpanded[], searched: string): string[] {
  const names = resources.flatMap(({ id }) => groupNameOf(id) ?? []).filter((name) => !sameText(name, searched));
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/** The other groups that contain the set. */
export async function otherGroupsOfSet(azure: Azure, key: IdentitySetKey): Promise<string[]> {
  return otherGroupsOf(await partsOfSet(azure, key), key.groupName);
}

async function partsOfSet(azure: Azure, key: IdentitySetKey): Promise<GenericResourceExpanded[]> {
  return (await resourcesWithTagName(azure, identitySetTag)).filter((one) => isOfSet(key, one));
}

/** Why a create without the option of its group may not create the set: only other groups than the default one contain it. */
export async function secondSetRefusal(azure: Azure, key: IdentitySetKey): Promise<Failure | undefined> {
  const parts = await partsOfSet(azure, key);
  const groups = otherGroupsOf(parts, key.groupName);
  if (groups.length === 0 || parts.some(({ id }) => sameText(groupNameOf(id), key.groupName))) return undefined;
  return notInGroup(key, groups, "and this run would create a second set", "to create a second set");
}

/** "resource group a contains", "resource groups a, b contain". */
export function groupsContain(groups: readonly string[]): string {
  return groups.length === 1 ? `resource group ${groups[0] ?? ""} contains` : `resource groups ${groups.join(", ")} contain`;
}

/** Whether the searched group has nothing of the set. Soft-deleted resources and an empty group may be of an earlier one. */
export function isEmptySet({ applications, identities, vaults, keptVaults }: IdentityInventory): boolean {
  return [applications, identities, vaults, keptVaults].every((list) => list.length === 0);
}

/** Why a destroy that would leave the identities of a set may not delete its issuer: the set is in other groups than the default one. */
export function setElsewhere(key: IdentitySetKey, groups: readonly string[]): Failure | undefined {
  if (groups.length === 0) return undefined;
  return notInGroup(key, groups, "which would be left without their issuer", `to keep ${groups.length === 1 ? "it" : "them"}`);
}

/** `consequence` continues the reason; `otherwise` is the wish for which the default group is right. */
function notInGroup({ name, groupName }: IdentitySetKey, groups: readonly string[], consequence: string, otherwise: string): Failure {
  return new Failure("ARO-USAGE-001", `the identity set "${name}" is not in resource group ${groupName}`, {
    because: `${groupsContain(groups)} identities or a vault with its tag and names, ${consequence}`,
    next: [
      ...groups.map((group) => `if that is the set of this cluster, pass --persistent-resource-group-name ${group}`),
      `${otherwise}, pass --persistent-resource-group-name ${groupName}`,
    ],
  });
}
