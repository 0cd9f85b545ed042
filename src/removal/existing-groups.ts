/** The groups that a cluster's resources may be in besides its own: existing groups that replaced its managed group. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { clusterOwns, type ClusterPlaces } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { recordedOption } from "../domain/option-tags.js";
import { groupIn } from "../domain/resource-id.js";
import type { Tags } from "../domain/tags.js";
import { sameText } from "../text/same-text.js";

/** What the settings of a cluster say. */
export interface SettingsOfGroup {
  readonly cluster: ClusterKey;
  /** The existing group that replaces the managed group, of an option, a file or a record. Tags and names alone may be copies. */
  readonly existingGroup: string | undefined;
}

/** `tagged`: the resources with the tag of a cluster. A cluster that was created again in another group has resources in both. */
export function placesOf({ cluster, existingGroup }: SettingsOfGroup, tagged: readonly GenericResourceExpanded[]): ClusterPlaces {
  const recordedGroups = tagged.flatMap((one) => {
    const group = groupIn(one.id ?? "")?.resourceGroup;
    return group !== undefined && recordsGroup(one.tags, group) && clusterOwns({ cluster, existingGroups: [group] }, one) ? [group] : [];
  });
  return { cluster, existingGroups: [...(existingGroup === undefined ? [] : [existingGroup]), ...recordedGroups] };
}

/** Whether it records this group as the cluster's existing group, as the address in that group does. */
export function recordsGroup(tags: Tags, group: string): boolean {
  return sameText(recordedOption(tags, "resourceGroupName"), group);
}

/** Why a resource is kept that may be the cluster's, or a copy of others. `command`: the destroy that accepts the flag. */
export function unrecordedGroupReason(group: string, command: string): string {
  return `has tags and a name of this cluster, but nothing records resource group ${group} as the cluster's; if it is, pass --resource-group-name ${group} to ${command}`;
}
