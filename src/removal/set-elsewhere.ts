/** Refuses a destroy of a cluster with a resource group that does not contain the cluster's identity set. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import type { ClusterKey } from "../domain/names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { groupNameOf, parseResourceId } from "../domain/resource-id.js";
import { ownIdentity } from "../domain/set-ownership.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import type { DestroyAllInventory } from "./all.js";
import { withPrincipals, type IdentityInventory } from "./identities.js";
import { groupsContain, isSetOfCluster, otherGroupsOf, partsOfSet } from "./set-groups.js";

type Found = Pick<DestroyAllInventory, "infra" | "identities" | "users">;

/**
 * The other groups that contain the cluster's set: every one with a set of this name if the searched group has nothing of it. Otherwise, those whose
 * identities have role assignments of the cluster, if none of the found set has any.
 */
export async function groupsOfClustersSet(azure: Azure, key: IdentitySetKey, { infra, identities: set, users }: Found): Promise<string[]> {
  // Nothing of the set or its issuer is deleted then.
  if (users.length > 0) return [];
  const parts = await partsOfSet(azure, key);
  const groups = otherGroupsOf(parts, key.groupName);
  if (groups.length === 0 || isEmptySet(set)) return groups;
  const isAssigned = (principal: string | undefined) => infra.assignments.some(({ principalId }) => sameText(principalId, principal));
  if ([...set.applications, ...set.identities].some(({ principalId }) => isAssigned(principalId))) return [];
  const elsewhere = await withPrincipals(azure, identitiesOutside(key, parts));
  const used = elsewhere.filter(({ principalId }) => isAssigned(principalId)).map(({ id }) => groupNameOf(id));
  return groups.filter((group) => used.some((one) => sameText(one, group)));
}

function identitiesOutside(key: IdentitySetKey, parts: readonly GenericResourceExpanded[]) {
  return parts.flatMap(({ id = "", tags }) => {
    const { name } = parseResourceId(id);
    const component = ownIdentity(key, { name, tags })?.key;
    return component === undefined || sameText(groupNameOf(id), key.groupName) ? [] : [{ id, name, component }];
  });
}

/** Whether the searched group has nothing of the set. Soft-deleted resources and an empty group may be of an earlier one. */
function isEmptySet({ applications, identities, vaults, keptVaults }: IdentityInventory): boolean {
  return [applications, identities, vaults, keptVaults].every((list) => list.length === 0);
}

/** Whether the cluster's role assignments all belong to identities of other sets: then this set is not the cluster's, whatever a tag says. */
export function isSetOfOthers({ infra, identities: set }: Found): boolean {
  const { assignments } = infra;
  const own = [...set.applications, ...set.identities].map(({ principalId }) => principalId);
  return assignments.length > 0 && !assignments.some(({ principalId }) => own.some((one) => sameText(one, principalId)));
}

export interface Elsewhere {
  readonly groups: readonly string[];
  /** Infra IDs of other clusters. */
  readonly issuerUsers: readonly string[];
}

/** Undefined without such groups. No advice may delete a set or an issuer that others use: each names the group of a set, or keeps both. */
export function setElsewhere(key: IdentitySetKey, cluster: ClusterKey, { groups, issuerUsers }: Elsewhere): Failure | undefined {
  if (groups.length === 0) return undefined;
  const consequence =
    issuerUsers.length > 0 ? `and identities of ${issuerUsers.join(", ")} trust its issuer` : "which would be left without their issuer";
  return new Failure("ARO-USAGE-001", `resource group ${key.groupName} does not contain the identity set "${key.name}" of this cluster`, {
    because: `${groupsContain(groups)} identities or a vault with its tag and names, ${consequence}`,
    next: [
      ...groups.map(isSetOfCluster),
      advise`otherwise, delete the cluster without set and issuer: ${aroHcp("destroy infra", { ...cluster })}`,
    ],
  });
}
