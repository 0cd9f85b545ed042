/** What Azure holds of a cluster, found by tags and recomputed names and judged one by one. Reads only. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { groupNames, type ClusterKey } from "../infra/names.js";
import { infraIdTag, madeByKubernetes, ownedBy } from "../infra/ownership.js";
import { isWithin, parseResourceId, resourceGroupId, sameId } from "../infra/resource-id.js";
import { roleAssignmentName } from "../infra/role-assignment-name.js";
import { roleTable } from "../infra/role-table.js";

/** Where to look. */
export interface Search {
  readonly cluster: ClusterKey;
  /** The group that stands in the managed group's place, where one was brought. */
  readonly broughtGroup: string | undefined;
  /** Subscriptions that brought resources live in: roles were assigned there too. */
  readonly otherSubscriptions: readonly string[];
}

export interface FoundResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly group: string;
  /** "kubernetes": made by this cluster's Kubernetes. "foreign": neither ours nor its; only ever in `FoundGroup.contents`. */
  readonly origin: "ours" | "kubernetes" | "foreign";
}

export interface FoundGroup {
  readonly id: string;
  readonly name: string;
  /** Made by us: it goes, too. Otherwise only what is ours in it goes. */
  readonly ours: boolean;
  /** An earlier destroy is at work on it. */
  readonly deleting: boolean;
  readonly contents: readonly FoundResource[];
}

export interface FoundAssignment {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly component: string;
}

/** Something that has a name of ours, but is not ours: named, and left alone. */
export interface Kept {
  readonly id: string;
  readonly why: string;
}

/** Why a resource stays that stands beside ours. */
export const strangerWhy = "neither made by aro-hcp nor by this cluster";

export interface Inventory {
  readonly groups: readonly FoundGroup[];
  readonly assignments: readonly FoundAssignment[];
  readonly kept: readonly Kept[];
}

export async function takeInventory(azure: Azure, search: Search): Promise<Inventory> {
  const { subscriptionId } = azure.connection;
  const [allGroups, tagged, assignments] = await Promise.all([
    listGroups(azure),
    listTagged(azure, search.cluster),
    listAssignments(azure, search, [subscriptionId, ...search.otherSubscriptions]),
  ]);
  const ours = allGroups.filter(({ tags }) => ownedBy(tags, search.cluster) === "ours");
  const homes = new Set(tagged.map(({ id = "" }) => parseResourceId(id).resourceGroup?.toLowerCase()));
  if (search.broughtGroup !== undefined) homes.add(search.broughtGroup.toLowerCase());
  const others = allGroups.filter((group) => !ours.includes(group) && homes.has(group.name?.toLowerCase()));

  const groups = await Promise.all([
    ...ours.map((group) => look(azure, search.cluster, group, true)),
    ...others.map((group) => look(azure, search.cluster, group, false)),
  ]);
  return { groups, assignments, kept: keptOf(groups, allGroups, search.cluster) };
}

async function listGroups(azure: Azure): Promise<ResourceGroup[]> {
  const { resourceGroups } = await azure.resources();
  return all(resourceGroups.list());
}

async function listTagged(azure: Azure, { infraId }: ClusterKey): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  return all(resources.list({ filter: `tagName eq '${infraIdTag}' and tagValue eq '${infraId}'` }));
}

/** Assignments carry no tags: ours are those whose name can only have been computed from our infra id, a component of ours, and their scope. */
async function listAssignments(azure: Azure, { cluster }: Search, subscriptions: readonly string[]): Promise<FoundAssignment[]> {
  const lists = await Promise.all(
    [...new Set(subscriptions)].map(async (subscription) => {
      const { roleAssignments } = await azure.authorization(subscription);
      return all(roleAssignments.listForSubscription());
    }),
  );
  return lists.flat().flatMap(({ id, name, scope }) => {
    if (id === undefined || name === undefined || scope === undefined) return [];
    const component = roleTable.find((row) =>
      scopeSpellings(scope).some((text) => roleAssignmentName(cluster.infraId, row.component, text) === name),
    );
    return component ? [{ id, name, scope, component: component.component }] : [];
  });
}

/** Azure may answer a scope in other casing than it was given; the name was computed from the canonical one. */
function scopeSpellings(scope: string): string[] {
  const { subscriptionId, resourceGroup } = parseResourceIdOrNothing(scope);
  return resourceGroup === undefined ? [scope] : [scope, resourceGroupId(subscriptionId, resourceGroup)];
}

function parseResourceIdOrNothing(scope: string) {
  return scope.startsWith("/subscriptions/") ? parseResourceId(scope) : { subscriptionId: "", resourceGroup: undefined };
}

async function look(azure: Azure, cluster: ClusterKey, group: ResourceGroup, ours: boolean): Promise<FoundGroup> {
  const { resources } = await azure.resources();
  const name = group.name ?? "";
  const listed = await found(all(resources.listByResourceGroup(name)));
  const contents = withChildren((listed ?? []).map((resource) => judged(resource, cluster, name, ours)));
  return { id: group.id ?? "", name, ours, deleting: group.properties?.provisioningState === "Deleting", contents };
}

function judged(
  { id = "", type = "", tags }: GenericResourceExpanded,
  cluster: ClusterKey,
  group: string,
  groupIsOurs: boolean,
): FoundResource {
  const kubernetes = madeByKubernetes(tags, cluster);
  // In a group of ours, Kubernetes can only have been told of it by this cluster; elsewhere its tags must name the cluster.
  const itsKubernetes = kubernetes === "this-cluster" || (groupIsOurs && kubernetes === "unnamed-cluster");
  const origin = ownedBy(tags, cluster) === "ours" ? "ours" : itsKubernetes ? "kubernetes" : "foreign";
  // Of a child, the list gives "zone/link" as the name.
  return { id, type, name: parseResourceId(id).name, group, origin };
}

/** A child of what is ours is ours: a link that somebody added to our zone goes with the zone. */
function withChildren(contents: readonly FoundResource[]): FoundResource[] {
  return contents.map((resource) => {
    const parent = contents.find((other) => other !== resource && isWithin(resource.id, other.id));
    return parent && resource.origin === "foreign" ? { ...resource, origin: parent.origin } : resource;
  });
}

function keptOf(groups: readonly FoundGroup[], allGroups: readonly ResourceGroup[], cluster: ClusterKey): Kept[] {
  const names = (["documented", "hypershift"] as const).map((naming) => groupNames(naming, cluster));
  const ourNames = new Set(names.flatMap(({ managed, vnet, nsg }) => [managed, vnet, nsg]));
  const named = allGroups.filter(({ id = "", name = "" }) => ourNames.has(name) && !groups.some((group) => sameId(group.id, id)));
  return [
    ...groups.filter(({ ours }) => !ours).map(({ id }) => ({ id, why: "brought, not made by aro-hcp" })),
    ...named.map(({ id = "" }) => ({ id, why: "has a name of this cluster, but not its ownership tags" })),
    ...groups
      .filter(({ ours }) => !ours)
      .flatMap(({ contents }) => contents)
      .filter(({ origin }) => origin === "foreign")
      .map(({ id }) => ({ id, why: strangerWhy })),
  ];
}
