/** The resource group of an AKS cluster and what in it is the cluster's, by tags, names and group together. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../../azure/azure.js";
import { all } from "../../azure/pages.js";
import { resourcesWithTag } from "../../azure/tagged-resources.js";
import { aksClusterOwns, aksClusterResource, type AksClusterPlaces } from "../domain/cluster-resource.js";
import { hasOwner, ownedBy, ownershipTags } from "../../domain/ownership.js";
import { labelled, titleOf } from "../../domain/resource-catalogue.js";
import { groupNameOf, isGroupId, parseResourceId, sameId } from "../../domain/resource-id.js";
import type { Tags } from "../../domain/tags.js";
import { sameText } from "../../text/same-text.js";
import { requireOneOwner } from "../../removal/second-owner.js";
import { decideContents, type GroupDecision, type GroupReads } from "../../removal/emptied-group.js";
import { unrecordedGroupReason } from "../../removal/existing-groups.js";
import type { FoundResource } from "../../removal/inventory.js";
import type { Kept } from "../../removal/owned.js";
import { anywhereOf, clusterGroupName, type AksPlace } from "./cluster-group-name.js";

export interface FoundAksResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly location: string;
  readonly tags: Tags;
}

export interface AksClusterGroup {
  /** Undefined if nothing of the cluster was found. */
  readonly groupName: string | undefined;
  /** The group itself, if a create of the cluster created it. */
  readonly ownGroup: ResourceGroup | undefined;
  readonly resources: readonly FoundAksResource[];
  readonly kept: readonly Kept[];
  /** Resources with names of the cluster and no owner, which are never deleted. */
  readonly unclaimed: readonly FoundAksResource[];
  /** All groups of the subscription. */
  readonly groups: readonly ResourceGroup[];
}

/** @throws ARO-USAGE-001 if several groups contain a cluster of that name, and none is given */
export async function findClusterGroup(azure: Azure, place: AksPlace, reads: GroupReads): Promise<AksClusterGroup> {
  const { resourceGroups } = await azure.resources();
  const [[tag, value]] = Object.entries(ownershipTags(place.cluster)) as [[string, string]];
  const [groups, tagged] = await Promise.all([all(resourceGroups.list()), resourcesWithTag(azure, tag, value)]);
  const groupName = clusterGroupName(place, groups, tagged);
  const contents = groupName === undefined ? [] : await reads.contents(groupName);
  return decideClusterGroup(place, groupName, { groups, tagged, contents });
}

export interface AksLists {
  readonly groups: readonly ResourceGroup[];
  /** The resources of the subscription with the tag of the cluster. */
  readonly tagged: readonly GenericResourceExpanded[];
  /** The contents of the cluster's group. */
  readonly contents: readonly GenericResourceExpanded[];
}

/** @throws ARO-OWN-001 where a cluster of the other kind owns a resource too */
export function decideClusterGroup(place: AksPlace, groupName: string | undefined, lists: AksLists): AksClusterGroup {
  const { cluster } = place;
  const { groups } = lists;
  const places = placesOf({ ...place, groupName });
  const live = groups.find(({ name }) => sameText(name, groupName));
  const ownGroup = live !== undefined && aksClusterOwns(places, live) ? live : undefined;
  const listed = lists.contents.flatMap(({ id = "", type = "", location = "", tags }) =>
    id === "" ? [] : [{ id, type, name: parseResourceId(id).name, location, tags }],
  );
  const resources = listed.filter((one) => aksClusterOwns(places, one));
  requireOneOwner(cluster, [...(ownGroup ? [ownGroup] : []), ...resources]);
  const named = listed.filter((one) => !resources.includes(one) && aksClusterResource(places, one.id) !== undefined);
  const ofOthers = named.filter(({ tags }) => hasOwner(tags));
  return {
    groupName,
    ownGroup,
    resources,
    kept: [
      ...(live === undefined || ownGroup !== undefined ? [] : keptGroup(live)),
      ...ofOthers.map(({ id }) => ({ id, why: "has a name of this cluster, but its ownership tags name another owner" })),
      ...keptCopies(place, groupName, lists, live?.id ?? ""),
    ],
    unclaimed: named.filter((one) => !ofOthers.includes(one)),
    groups,
  };
}

function keptGroup({ id, tags }: ResourceGroup): Kept[] {
  return id === undefined ? [] : [{ id, why: hasOwner(tags) ? "its ownership tags name another owner" : "not created by aro-hcp" }];
}

/** What has the tag of the cluster, but is not the cluster's. */
function keptCopies(place: AksPlace, groupName: string | undefined, { groups, tagged, contents }: AksLists, groupId: string): Kept[] {
  const { cluster } = place;
  const places = placesOf({ ...place, groupName });
  const copies = [...tagged, ...contents, ...groups].filter(
    (one) => ownedBy(one.tags, cluster) === "ours" && !aksClusterOwns(places, one) && !sameId(one.id ?? "", groupId),
  );
  return distinctIds(copies).map((id) => ({ id, why: whyKept(place, groupName, id) }));
}

function whyKept(place: AksPlace, groupName: string | undefined, id: string): string {
  const group = groupNameOf(id);
  const isNamed = group !== undefined && !isGroupId(id) && aksClusterResource(anywhereOf(place), id) !== undefined;
  if (!isNamed || sameText(group, groupName)) return "has the ownership tag but not a name that this cluster gives";
  return groupName === undefined
    ? unrecordedGroupReason(group, `destroy ${place.cluster.kind}`)
    : `has the ownership tag, but is not in resource group ${groupName}`;
}

/** A resource of others that is deleted with the group. */
export type CascadedResource = FoundResource & { readonly title: string };

interface AksGroupDecision extends GroupDecision {
  readonly cascaded?: readonly CascadedResource[];
}

/** `deleteForeign`: it is deleted with everything in it. */
export async function decideOwnGroup(
  reads: GroupReads,
  { ownGroup }: AksClusterGroup,
  deleteForeign: boolean,
  isDeleted: (id: string) => boolean,
): Promise<AksGroupDecision> {
  if (ownGroup?.id === undefined || ownGroup.name === undefined) return {};
  const group = { id: ownGroup.id, name: ownGroup.name };
  if (!deleteForeign) return decideContents(reads, group, isDeleted);
  const others = (await reads.contents(group.name)).filter(({ id = "" }) => id !== "" && !isDeleted(id));
  const cascaded = others.map(({ id = "", type = "" }): CascadedResource => {
    const { name } = parseResourceId(id);
    return { id, type, name, group: group.name, origin: "foreign", title: titleOf(labelled(type), name) };
  });
  return { group, ...(cascaded.length > 0 && { cascaded }) };
}

function placesOf({ cluster, subscriptionId, groupName }: AksPlace): AksClusterPlaces {
  return { cluster, subscriptionId, existingGroups: groupName === undefined ? [] : [groupName] };
}

function distinctIds(resources: readonly { readonly id?: string }[]): string[] {
  return [...new Map(resources.map(({ id = "" }) => [id.toLowerCase(), id])).values()].filter((id) => id !== "");
}
