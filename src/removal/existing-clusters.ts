/** Finds the clusters of a subscription, with or without our tags, which HyperShift does not set. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { infraIdTag, nameTag } from "../domain/ownership.js";
import { groupIdOf, groupIn, idKey, isWithin, sameId } from "../domain/resource-id.js";
import { componentRoles } from "../domain/roles.js";
import { tagValue } from "../domain/tags.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf, listAssignments } from "./assignments.js";
import { readSubscriptionLists, type SubscriptionLists } from "./subscription-lists.js";

export interface ExistingCluster {
  readonly infraId: string;
  /** IDs of groups with its load balancer and without a role assignment of its own: its identities rely on those of other clusters there. */
  readonly unassigned: readonly string[];
}

/** `name` is undefined if neither a tag nor the name of a resource group shows it. */
export interface NamedCluster extends ExistingCluster {
  readonly name: string | undefined;
}

export async function existingClusters(
  azure: Azure,
  listed = listAssignments(azure, [azure.connection.subscriptionId]),
): Promise<NamedCluster[]> {
  const lists = await readSubscriptionLists(azure, listed);
  return clustersIn(lists).map((cluster) => ({ ...cluster, name: nameOf(cluster.infraId, lists) }));
}

/** From the tags; otherwise from a group, which HyperShift names after cluster and infra ID. */
export function nameOf(infraId: string, { groups, tagged }: Pick<SubscriptionLists, "groups" | "tagged">): string | undefined {
  const own = [...groups, ...tagged].find(({ tags }) => tagValue(tags, infraIdTag) === infraId);
  const named = groups.flatMap(({ name = "" }) => (name.endsWith(`-${infraId}`) ? [name.slice(0, -infraId.length - 1)] : []));
  // The names of its other groups are longer: demo-vnet-x7k2.
  return (own && tagValue(own.tags, nameTag)) ?? named.toSorted((a, b) => a.length - b.length)[0];
}

/** From the tags of groups and resources, and from role assignments on groups: HyperShift's clusters have no tags. */
export function clustersIn({ groups, tagged, loadBalancers, assignments }: SubscriptionLists): ExistingCluster[] {
  const infraIds = new Set([...clustersOf([...groups, ...tagged]), ...untaggedClusters(groups, loadBalancers, assignments)]);
  return [...infraIds].map((infraId) => ({
    infraId,
    unassigned: unassignedGroups(infraId, loadBalancers, assignments),
  }));
}

function clustersOf(tagged: readonly { readonly tags?: Record<string, string> }[]): string[] {
  return [...new Set(tagged.flatMap(({ tags }) => tagValue(tags, infraIdTag) ?? []))];
}

function unassignedGroups(infraId: string, loadBalancers: readonly string[], assignments: readonly RoleAssignment[]): string[] {
  const groups = loadBalancers.filter((id) => sameText(id.split("/").at(-1), infraId)).map((id) => groupIdOf(id) ?? id);
  const onGroup = (group: string) => assignments.filter(({ scope = "" }) => sameId(scope, group));
  return groups.filter((group) => assignmentsOf(infraId, onGroup(group)).length === 0);
}

const roles = new Set<string | undefined>(Object.values(componentRoles).map(({ id }) => id));

/**
 * The infra IDs of the clusters with a role assignment on one of these groups. The name of the assignment proves the infra ID, which ends the name of
 * the group or is the name of a load balancer in it.
 */
function untaggedClusters(
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
