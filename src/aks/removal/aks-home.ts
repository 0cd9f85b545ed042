/** The resource group of an AKS cluster, and what in it is the cluster's: decided by tags, names and group together. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../../azure/azure.js";
import { all } from "../../azure/pages.js";
import { resourcesWithTag } from "../../azure/tagged-resources.js";
import { aksClusterOwns, aksClusterResource, type AksClusterPlaces } from "../domain/cluster-resource.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { kindFacts, type AksClusterKey } from "../../domain/cluster-kind.js";
import { hasOwner, ownedBy, ownershipTags } from "../../domain/ownership.js";
import { labelled, titleOf } from "../../domain/resource-catalogue.js";
import { groupNameOf, isGroupId, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Tags } from "../../domain/tags.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { requireOneOwner } from "../../removal/second-owner.js";
import { decideContents, type GroupDecision, type GroupReads } from "../../removal/emptied-group.js";
import { unrecordedGroupReason } from "../../removal/existing-groups.js";
import type { FoundResource } from "../../removal/inventory.js";
import type { Kept } from "../../removal/owned.js";

/** Where a destroy searches. */
export interface AksPlace {
  readonly cluster: AksClusterKey;
  readonly subscriptionId: string;
  /** The group of the cluster, if an option or a file names it; otherwise its own group, or its resources show it. */
  readonly groupName: string | undefined;
}

export interface FoundAksResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly location: string;
  readonly tags: Tags;
}

export interface AksHome {
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
export async function aksHome(azure: Azure, place: AksPlace, reads: GroupReads): Promise<AksHome> {
  const { resourceGroups } = await azure.resources();
  const [[tag, value]] = Object.entries(ownershipTags(place.cluster)) as [[string, string]];
  const [groups, tagged] = await Promise.all([all(resourceGroups.list()), resourcesWithTag(azure, tag, value)]);
  const groupName = homeOf(place, groups, tagged);
  const contents = groupName === undefined ? [] : await reads.contents(groupName);
  return decideHome(place, groupName, { groups, tagged, contents });
}

/** What a create makes first: a destroy deletes that last in an existing group, so it leads the next one there. */
const showingTypes = [resourceTypes.managedIdentity, resourceTypes.publicIpAddress, resourceTypes.networkSecurityGroup];

export function showsAksGroup({ id = "" }: { readonly id?: string }): boolean {
  return showingTypes.some(({ type }) => sameType(parseResourceId(id).type, type));
}

/**
 * A create puts everything of a cluster into one group. In an existing group, these types show it, by names that others do not give. An AKS cluster
 * of others may have its name, and whoever may write tags can add the tag.
 */
export function homeOf(place: AksPlace, groups: readonly ResourceGroup[], tagged: readonly GenericResourceExpanded[]): string | undefined {
  const { cluster, groupName } = place;
  if (groupName !== undefined) return groupName;
  const places = anywhereOf(place);
  const own = groups.find((group) => aksClusterOwns(places, group));
  if (own?.name !== undefined) return own.name;
  const homes = new Map(
    tagged.flatMap((one) => {
      const isShowing = aksClusterOwns(places, one) && aksClusterResource(places, one.id ?? "") !== undefined && showsAksGroup(one);
      const name = isShowing ? groupNameOf(one.id) : undefined;
      return name === undefined ? [] : [[name.toLowerCase(), name] as const];
    }),
  );
  if (homes.size > 1) {
    const { label } = kindFacts[cluster.kind];
    throw new Failure("ARO-USAGE-001", `${plural(homes.size, "resource group")} contain resources of the ${label} "${cluster.name}"`, {
      because: [...homes.values()].join(", "),
      next: ["pass the group of the cluster as --resource-group-name"],
    });
  }
  const [home] = homes.values();
  if (home !== undefined) return home;
  // A group with the name of the cluster's own may contain its resources without their tags.
  return groups.find(({ name }) => sameText(name, aksClusterNames(cluster, place.subscriptionId).group))?.name;
}

export interface AksLists {
  readonly groups: readonly ResourceGroup[];
  /** The resources of the subscription with the tag of the cluster. */
  readonly tagged: readonly GenericResourceExpanded[];
  /** The contents of the cluster's group. */
  readonly contents: readonly GenericResourceExpanded[];
}

/** @throws ARO-OWN-001 where a cluster of the other kind owns a resource too */
export function decideHome(place: AksPlace, groupName: string | undefined, { groups, tagged, contents }: AksLists): AksHome {
  const { cluster } = place;
  const places = placesOf({ ...place, groupName });
  const live = groups.find(({ name }) => sameText(name, groupName));
  const ownGroup = live !== undefined && aksClusterOwns(places, live) ? live : undefined;
  const listed = contents.flatMap(({ id = "", type = "", location = "", tags }) =>
    id === "" ? [] : [{ id, type, name: parseResourceId(id).name, location, tags }],
  );
  const resources = listed.filter((one) => aksClusterOwns(places, one));
  requireOneOwner(cluster, [...(ownGroup ? [ownGroup] : []), ...resources]);
  const named = listed.filter((one) => !resources.includes(one) && aksClusterResource(places, one.id) !== undefined);
  const ofOthers = named.filter(({ tags }) => hasOwner(tags));
  const copies = [...tagged, ...contents, ...groups].filter(
    (one) =>
      ownedBy(one.tags, cluster) === "ours" && !aksClusterOwns(places, one) && !(one.id !== undefined && sameId(one.id, live?.id ?? "")),
  );
  const whyKept = (id: string) => {
    const group = groupNameOf(id);
    const isNamed = group !== undefined && !isGroupId(id) && aksClusterResource(anywhereOf(place), id) !== undefined;
    if (!isNamed || sameText(group, groupName)) return "has the ownership tag but not a name that this cluster gives";
    return groupName === undefined
      ? unrecordedGroupReason(group, `destroy ${cluster.kind}`)
      : `has the ownership tag, but is not in resource group ${groupName}`;
  };
  return {
    groupName,
    ownGroup,
    resources,
    kept: [
      ...(live?.id === undefined || ownGroup !== undefined
        ? []
        : [{ id: live.id, why: hasOwner(live.tags) ? "its ownership tags name another owner" : "not created by aro-hcp" }]),
      ...ofOthers.map(({ id }) => ({ id, why: "has a name of this cluster, but its ownership tags name another owner" })),
      ...distinctIds(copies).map((id) => ({ id, why: whyKept(id) })),
    ],
    unclaimed: named.filter((one) => !ofOthers.includes(one)),
    groups,
  };
}

/** A resource of others that is deleted with the group. */
export type CascadedResource = FoundResource & { readonly title: string };

interface AksGroupDecision extends GroupDecision {
  readonly cascaded?: readonly CascadedResource[];
}

/** `deleteForeign`: it is deleted with everything in it. */
export async function decideOwnGroup(
  reads: GroupReads,
  { ownGroup }: AksHome,
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

function anywhereOf({ cluster, subscriptionId }: AksPlace): AksClusterPlaces {
  return { cluster, subscriptionId, existingGroups: undefined };
}

function distinctIds(resources: readonly { readonly id?: string }[]): string[] {
  return [...new Map(resources.map(({ id = "" }) => [id.toLowerCase(), id])).values()].filter((id) => id !== "");
}
