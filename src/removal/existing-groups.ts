/** The groups that a cluster's resources may be in besides its own: existing groups that replaced its managed group. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { clusterOwns, type ClusterPlaces } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { recordedOption } from "../domain/option-tags.js";
import { groupIn } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

/** What the user, the file or the record of a cluster says. */
export interface SettingsOfGroup {
  readonly cluster: ClusterKey;
  /** The existing group that replaces the managed group. */
  readonly existingGroup: string | undefined;
}

/**
 * `tagged`: the resources with the tag of a cluster. A cluster that was created again in another group has resources in both. Without a record, a
 * group counts only if the user names it: tags and names of what is in another one may be copies.
 */
export function placesOf({ cluster, existingGroup }: SettingsOfGroup, tagged: readonly GenericResourceExpanded[]): ClusterPlaces {
  // The address in an existing group records that group.
  const recordedGroups = tagged.flatMap((one) => {
    const group = groupIn(one.id ?? "")?.resourceGroup;
    const isRecorded = group !== undefined && sameText(recordedOption(one.tags, "resourceGroupName"), group);
    return isRecorded && clusterOwns(inAnyGroup(cluster), one) ? [group] : [];
  });
  return { cluster, existingGroups: [...(existingGroup === undefined ? [] : [existingGroup]), ...recordedGroups] };
}

/** The group that would have to be an existing one of the cluster, so that the resource is the cluster's. */
export function unknownGroupOf(cluster: ClusterKey, one: Parameters<typeof clusterOwns>[1]): string | undefined {
  return clusterOwns(inAnyGroup(cluster), one) ? groupIn(one.id ?? "")?.resourceGroup : undefined;
}

function inAnyGroup(cluster: ClusterKey): ClusterPlaces {
  return { cluster, existingGroups: undefined };
}
