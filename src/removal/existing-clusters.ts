/** The clusters of a subscription, with or without our tags: HyperShift sets none. Names of role assignments, groups and load balancers show them. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { groupIdOf, groupIn, idKey, isWithin, sameId } from "../domain/resource-id.js";
import { componentRoles } from "../domain/roles.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf } from "./assignments.js";

export interface ExistingCluster {
  readonly infraId: string;
  /** IDs of groups with its load balancer and without a role assignment of its own: its identities rely on those of other clusters there. */
  readonly unassigned: readonly string[];
}

export function unassignedGroups(infraId: string, loadBalancers: readonly string[], assignments: readonly RoleAssignment[]): string[] {
  const groups = loadBalancers.filter((id) => sameText(id.split("/").at(-1), infraId)).map((id) => groupIdOf(id) ?? id);
  const onGroup = (group: string) => assignments.filter(({ scope = "" }) => sameId(scope, group));
  return groups.filter((group) => assignmentsOf(infraId, onGroup(group)).length === 0);
}

const roles = new Set<string | undefined>(Object.values(componentRoles).map(({ id }) => id));

/**
 * The infra IDs of the clusters with a role assignment on one of these groups. The name of the assignment proves the infra ID, which ends the name of
 * the group or is the name of a load balancer in it.
 */
export function untaggedClusters(
  groups: readonly { readonly id?: string }[],
  loadBalancers: readonly string[],
  assignments: readonly RoleAssignment[],
): string[] {
  const existing = new Set(groups.map(({ id = "" }) => idKey(id)));
  const candidates = new Map<string, readonly string[]>();
  const candidatesOf = (group: string): readonly string[] => {
    const known = candidates.get(idKey(group)) ?? [
      ...loadBalancers.filter((id) => isWithin(id, group)).map((id) => id.split("/").at(-1) ?? ""),
      ...endingsOf(groupIn(group)?.resourceGroup ?? ""),
    ];
    candidates.set(idKey(group), known);
    return known;
  };
  const onGroups = assignments.filter(
    ({ scope = "", roleDefinitionId = "" }) => existing.has(idKey(scope)) && roles.has(roleDefinitionId.split("/").at(-1)?.toLowerCase()),
  );
  return [
    ...new Set(
      onGroups.flatMap((assignment) =>
        candidatesOf(assignment.scope ?? "").filter((infraId) => assignmentsOf(infraId, [assignment]).length > 0),
      ),
    ),
  ];
}

/** What follows each hyphen: the infra ID of `NAME-INFRAID`, of `NAME-vnet-INFRAID`, and of `NAME-INFRAID-vnet`. */
function endingsOf(group: string): string[] {
  const names = new Set([group, group.replace(/-(?:vnet|nsg)$/i, "")]);
  return [...names].flatMap((name) => [...name.matchAll(/-/g)].map(({ index }) => name.slice(index + 1)));
}
