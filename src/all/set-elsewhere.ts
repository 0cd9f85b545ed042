/** Refuses a destroy of a cluster with a resource group that does not contain the cluster's identity set. */
import type { IdentityInventory } from "../identities/index.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { orRefused } from "../azure/or-refused.js";
import type { ClusterKey } from "../domain/names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { groupNameOf, parseResourceId } from "../domain/resource-id.js";
import { namedApplication } from "../domain/identity-names.js";
import { ownIdentity } from "../domain/set-ownership.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf } from "../removal/assignments.js";
import type { DestroyAllInventory } from "./removal.js";
import { groupsContain, isSetOfCluster, otherGroupsOf, partsOfSet } from "../removal/set-groups.js";
import { withPrincipals } from "../removal/set-principals.js";

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

/** The name of the set whose identities have the cluster's roles; undefined if identities of none or of several sets have them. */
export async function setOfCluster(azure: Azure, infraId: string, assignments: readonly RoleAssignment[]): Promise<string | undefined> {
  const principalIds = new Set(assignmentsOf(infraId, assignments).map(({ principalId }) => principalId));
  if (principalIds.size === 0) return undefined;
  const directory = await azure.directory();
  const principals = (await orRefused(directory.principals([...principalIds]))) ?? [];
  const clientIds = principals.flatMap((one) => (one.servicePrincipalType === "Application" ? [one.appId] : []));
  const applications = clientIds.length === 0 ? [] : ((await orRefused(directory.applicationsOf(clientIds))) ?? []);
  const [name, ...others] = new Set(applications.flatMap(({ uniqueName }) => namedApplication(uniqueName ?? "")?.set.name ?? []));
  return others.length === 0 ? name : undefined;
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
