/** Finds the resource groups that contain parts of an identity set. */
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

/**
 * The names of its applications contain the group, so a set is found only in its group.
 * @throws ARO-AUTHZ-001 without the permission to list: then it is not known whose the set is
 */
export async function partsOfSet(azure: Azure, key: IdentitySetKey): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  return (await all(resources.list({ filter: `tagName eq '${identitySetTag}'` }))).filter((one) => isOfSet(key, one));
}

/** Why a create without the option of its group may not create the set: only other groups than the default one contain it. */
export async function secondSetRefusal(azure: Azure, key: IdentitySetKey): Promise<Failure | undefined> {
  const parts = (await orRefused(partsOfSet(azure, key))) ?? [];
  const groups = otherGroupsOf(parts, key.groupName);
  if (groups.length === 0 || parts.some(({ id }) => sameText(groupNameOf(id), key.groupName))) return undefined;
  return new Failure("ARO-USAGE-001", `the identity set "${key.name}" is not in resource group ${key.groupName}`, {
    because: `${groupsContain(groups)} identities or a vault with its tag and names, and this run would create a second set`,
    next: [...groups.map(isSetOfCluster), `to create a second set, pass --persistent-resource-group-name ${key.groupName}`],
  });
}

/** "resource group a contains", "resource groups a, b contain". */
export function groupsContain(groups: readonly string[]): string {
  return groups.length === 1 ? `resource group ${groups[0] ?? ""} contains` : `resource groups ${groups.join(", ")} contain`;
}

export function isSetOfCluster(group: string): string {
  return `if that is the set of this cluster, pass --persistent-resource-group-name ${group}`;
}
