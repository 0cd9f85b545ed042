/** Which resource group is that of an AKS cluster, if only its tags show it. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import { kindFacts, type AksClusterKey } from "../../domain/cluster-kind.js";
import { groupNameOf, parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { aksClusterOwns, aksClusterResource, type AksClusterPlaces } from "../domain/cluster-resource.js";

/** Where a destroy searches. */
export interface AksPlace {
  readonly cluster: AksClusterKey;
  readonly subscriptionId: string;
  /** The group of the cluster, if an option or a file names it; otherwise its own group, or its resources show it. */
  readonly groupName: string | undefined;
}

/** What a create makes first, and a destroy deletes last: an interrupted destroy still finds an existing group by it. */
const showingTypes = [resourceTypes.managedIdentity, resourceTypes.publicIpAddress, resourceTypes.networkSecurityGroup];

export function showsAksGroup({ id = "" }: { readonly id?: string }): boolean {
  return showingTypes.some(({ type }) => sameType(parseResourceId(id).type, type));
}

/**
 * A create puts everything of a cluster into one group. In an existing group, these types show it, by names that others do not give. An AKS cluster
 * of others may have its name, and whoever may write tags can add the tag.
 */
export function clusterGroupName(
  place: AksPlace,
  groups: readonly ResourceGroup[],
  tagged: readonly GenericResourceExpanded[],
): string | undefined {
  const { cluster, groupName } = place;
  if (groupName !== undefined) return groupName;
  const places = anywhereOf(place);
  const own = groups.find((group) => aksClusterOwns(places, group));
  if (own?.name !== undefined) return own.name;
  const [shown, ...more] = shownGroups(places, tagged);
  if (more.length > 0) throw severalGroups(cluster, [shown ?? "", ...more]);
  if (shown !== undefined) return shown;
  // A group with the name of the cluster's own may contain its resources without their tags.
  return groups.find(({ name }) => sameText(name, aksClusterNames(cluster, place.subscriptionId).group))?.name;
}

/** The groups with resources that show the cluster. */
function shownGroups(places: AksClusterPlaces, tagged: readonly GenericResourceExpanded[]): string[] {
  const showing = tagged.filter(
    (one) => showsAksGroup(one) && aksClusterOwns(places, one) && aksClusterResource(places, one.id ?? "") !== undefined,
  );
  const names = showing.flatMap(({ id }) => groupNameOf(id) ?? []);
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

function severalGroups(cluster: AksClusterKey, groups: readonly string[]): Failure {
  const { label } = kindFacts[cluster.kind];
  return new Failure("ARO-USAGE-001", `${plural(groups.length, "resource group")} contain resources of the ${label} "${cluster.name}"`, {
    because: groups.join(", "),
    next: ["pass the group of the cluster as --resource-group-name"],
  });
}

/** The resources of the cluster in any group. */
export function anywhereOf({ cluster, subscriptionId }: AksPlace): AksClusterPlaces {
  return { cluster, subscriptionId, existingGroups: undefined };
}
