/** Lists the resources of a cluster by tags and derived names, each with an ownership decision. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { infraIdOfOther } from "../domain/infra-id-of-other.js";
import { clusterOwns, clusterResource, isManagedGroup, type ClusterPlaces } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { kubernetesOrigin, ownedBy } from "../domain/ownership.js";
import { groupIn, isWithin, sameId } from "../domain/resource-id.js";
import { assignmentsOf, type FoundAssignment } from "./assignments.js";
import { placesOf, showsGroup, unrecordedGroupReason, type SettingsOfGroup } from "./existing-groups.js";
import { listContents } from "../azure/group-contents.js";
import { liveAssignmentTitle } from "../domain/role-assignment-title.js";
import { networkUsers, readReferences, type NetworkUser, type Reference } from "./network-users.js";
import { retainedOf, sharedAssignments } from "./shared-assignments.js";
import { clustersIn, type ExistingCluster } from "./existing-clusters.js";
import type { Kept } from "./owned.js";
import { requireOneOwner } from "./second-owner.js";
import {
  noNetworkLists,
  readNetworkLists,
  readSubscriptionLists,
  withOtherSubscriptions,
  type SubscriptionLists,
} from "./subscription-lists.js";

export interface Search extends SettingsOfGroup {
  /** Subscriptions of existing resources, which also have role assignments. */
  readonly otherSubscriptions: readonly string[];
}

export interface FoundResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly group: string;
  /** `kubernetes`: created by this cluster's Kubernetes. `foreign`: of others; only in `FoundGroup.contents`. */
  readonly origin: "ours" | "kubernetes" | "foreign";
  /** It has the ownership tags, but no name of the cluster in that group. */
  readonly copiedTags?: true;
  /** It shows that its group is the cluster's existing group. */
  readonly showsGroup?: true;
}

export interface FoundGroup {
  readonly id: string;
  readonly name: string;
  /** Created by aro-hcp, so the group is deleted too. Otherwise only the cluster's resources in it are. */
  readonly ours: boolean;
  /** An earlier destroy is deleting it. */
  readonly deleting: boolean;
  readonly contents: readonly FoundResource[];
}

export function unownedReason({ copiedTags }: Pick<FoundResource, "copiedTags">): string {
  return copiedTags ? copiedTagsReason : "created neither by aro-hcp nor by this cluster";
}

const copiedTagsReason = "has the ownership tags but not a name that this cluster gives";

export interface Inventory {
  readonly groups: readonly FoundGroup[];
  readonly assignments: readonly FoundAssignment[];
  readonly kept: readonly Kept[];
  readonly otherClusters: readonly ExistingCluster[];
  /** The users of this cluster's network. */
  readonly networkUsers: readonly NetworkUser[];
}

/** `read`: the lists with those of the other subscriptions. @throws Failure ARO-OWN-001 if the infra ID belongs to another cluster: only the infra ID identifies role assignments. */
export async function takeInventory(
  azure: Azure,
  search: Search,
  read = withOtherSubscriptions(azure, readSubscriptionLists(azure), search.otherSubscriptions),
): Promise<Inventory> {
  const lists = await read;
  const listContent = async (one: ClusterGroup) => ({ ...one, listed: await listContents(azure, one.group.name ?? "") });
  const found = clusterGroups(search, lists);
  const [contents, networks, references] = await Promise.all([
    Promise.all(found.map(listContent)),
    mayShare(search.cluster, lists, found)
      ? readNetworkLists(azure, [azure.connection.subscriptionId, ...search.otherSubscriptions])
      : Promise.resolve(noNetworkLists),
    readReferences(azure, search.cluster, lists),
  ]);
  return decideInventory(search, lists, contents, networks, references);
}

interface ClusterGroup {
  readonly group: ResourceGroup;
  readonly ours: boolean;
}

/**
 * The groups that may contain something of the cluster: its own, then those of others.
 * @throws ARO-OWN-001 where the infra ID is another cluster's
 */
export function clusterGroups(search: Search, { groups, tagged }: SubscriptionLists): ClusterGroup[] {
  const { cluster, existingGroup } = search;
  // A mistyped name would match none of the cluster's resources but all of its role assignments.
  const taken = infraIdOfOther(cluster, [...groups, ...tagged]);
  if (taken) throw taken;
  const own = placesOf(search, { groups, tagged });
  const ours = groups.filter((group) => clusterOwns(own, group));
  const homes = new Set(tagged.flatMap((one) => (clusterOwns(own, one) ? groupIn(one.id ?? "")?.resourceGroup.toLowerCase() : [])));
  if (existingGroup !== undefined) homes.add(existingGroup.toLowerCase());
  const others = groups.filter((group) => !ours.includes(group) && homes.has(group.name?.toLowerCase()));
  return [...ours.map((group) => ({ group, ours: true })), ...others.map((group) => ({ group, ours: false }))];
}

/**
 * The inventory, from the lists of the subscription and the contents of each of the cluster's groups.
 * @throws ARO-OWN-001 where another owner has a tag on a resource of the cluster
 */
export function decideInventory(
  search: Search,
  lists: SubscriptionLists,
  listedGroups: readonly (ClusterGroup & { readonly listed: readonly GenericResourceExpanded[] })[],
  networks = noNetworkLists,
  references: readonly Reference[] = [],
): Inventory {
  const { cluster } = search;
  const own = placesOf(search, lists);
  requireOneOwner(cluster, [
    ...listedGroups.flatMap(({ group, ours }) => (ours ? [group] : [])),
    ...listedGroups.flatMap(({ listed }) => listed.filter((one) => clusterOwns(own, one))),
  ]);
  const groups = listedGroups.map(({ group, ours, listed }) => foundGroup(own, group, ours, listed));
  const named = assignmentsOf(cluster.infraId, lists.assignments);
  const deletedGroups = groups.filter(({ ours }) => ours);
  const otherClusters = clustersIn(lists).filter(({ infraId }) => infraId !== cluster.infraId);
  const { assignments: every, loadBalancers } = lists;
  const infraIds = otherClusters.map(({ infraId }) => infraId);
  const shared = sharedAssignments({ ours: named, every, otherClusters: infraIds, deletedGroups, loadBalancers, networks });
  return {
    groups,
    assignments: named.filter((assignment) => !shared.has(assignment)),
    kept: [
      ...keptOf(groups, lists, own),
      ...[...shared].map(([{ id, component, ...live }, infraId]) => ({
        id,
        title: liveAssignmentTitle(live, component),
        why: `cluster ${infraId} has the same identity and needs the assignment`,
      })),
    ],
    otherClusters,
    networkUsers: networkUsers(groups, otherClusters, lists, references),
  };
}

/** Whether another cluster may need an assignment that is not on a deleted group; if not, the lists of networks are not needed. */
function mayShare({ infraId }: ClusterKey, lists: SubscriptionLists, found: readonly ClusterGroup[]): boolean {
  const deletedGroups = found.filter(({ ours }) => ours).map(({ group }) => group);
  const retained = retainedOf({ ours: assignmentsOf(infraId, lists.assignments), deletedGroups });
  return retained.length > 0 && clustersIn(lists).some((other) => other.infraId !== infraId);
}

function foundGroup(own: ClusterPlaces, group: ResourceGroup, ours: boolean, listed: readonly GenericResourceExpanded[]): FoundGroup {
  const { cluster } = own;
  const name = group.name ?? "";
  const shared = listed.some(({ tags }) => ownedBy(tags, cluster) === "other-owner" || kubernetesOrigin(tags, cluster) === "other-cluster");
  const contents = withChildren(listed.map((resource) => classified(resource, own, name, ours && !shared)));
  return { id: group.id ?? "", name, ours, deleting: group.properties?.provisioningState === "Deleting", contents };
}

/** `onlyOwn`: aro-hcp created the group, and nothing in it has the tags of another cluster. */
function classified(
  { id = "", type = "", tags }: GenericResourceExpanded,
  own: ClusterPlaces,
  group: string,
  onlyOwn: boolean,
): FoundResource {
  const { cluster } = own;
  const owner = ownedBy(tags, cluster);
  const kubernetes = kubernetesOrigin(tags, cluster);
  // In a group of this cluster only, resources of an unnamed Kubernetes cluster are this cluster's; elsewhere their tags must name it.
  const createdByItsKubernetes =
    owner !== "other-owner" && (kubernetes === "this-cluster" || (onlyOwn && kubernetes === "unnamed-cluster"));
  const origin = clusterOwns(own, { id, tags }) ? "ours" : createdByItsKubernetes ? "kubernetes" : "foreign";
  const copied = owner === "ours" && origin === "foreign";
  const shows = origin === "ours" && !isManagedGroup(cluster, group) && showsGroup(cluster, id);
  // The list has "zone/link" as the name of a child.
  const name = id.split("/").at(-1) ?? "";
  return { id, type, name, group, origin, ...(copied && { copiedTags: true }), ...(shows && { showsGroup: true }) };
}

/** Children belong to the cluster too: a link that others added to the zone is deleted with it. */
function withChildren(contents: readonly FoundResource[]): FoundResource[] {
  return contents.map((resource) => {
    const parent = contents.find((other) => other !== resource && isWithin(resource.id, other.id));
    return parent && resource.origin === "foreign" ? { ...resource, origin: parent.origin } : resource;
  });
}

function keptOf(groups: readonly FoundGroup[], { groups: allGroups, tagged }: SubscriptionLists, own: ClusterPlaces): Kept[] {
  const { cluster } = own;
  const named = allGroups.filter(
    ({ id = "" }) => id !== "" && clusterResource(own, id) !== undefined && !groups.some((group) => sameId(group.id, id)),
  );
  return [
    ...groups.filter(({ ours }) => !ours).map(({ id }) => ({ id, why: "not created by aro-hcp" })),
    ...named.map(({ id = "" }) => ({ id, why: "has a name of this cluster but not its ownership tags" })),
    ...groups
      .filter(({ ours }) => !ours)
      .flatMap(({ contents }) => contents)
      .filter(({ origin }) => origin === "foreign")
      .map((unowned) => ({ id: unowned.id, why: unownedReason(unowned) })),
    ...[...allGroups, ...tagged]
      .filter((one) => ownedBy(one.tags, cluster) === "ours" && !clusterOwns(own, one))
      .filter(({ id = "" }) => !groups.some((group) => isWithin(id, group.id)))
      .map(({ id = "" }) => ({ id, why: outsideReason(cluster, id) })),
  ];
}

/** Why something with the tags of the cluster is retained outside of its groups. */
function outsideReason(cluster: ClusterKey, id: string): string {
  const group = groupIn(id)?.resourceGroup;
  if (group === undefined || clusterResource({ cluster, existingGroups: [group] }, id) === undefined) return copiedTagsReason;
  return unrecordedGroupReason(group, "destroy infra");
}
