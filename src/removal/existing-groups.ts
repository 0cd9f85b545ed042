/** The groups that a cluster's resources may be in besides its own: existing groups that replaced its managed group. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { clusterOwns, type ClusterPlaces } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { recordedOption } from "../domain/option-tags.js";
import { groupIn } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

/** What the settings of a cluster say. */
export interface SettingsOfGroup {
  readonly cluster: ClusterKey;
  /** The existing group that replaces the managed group. */
  readonly existingGroup: string | undefined;
  /** Whether the settings of its create are known, and so whether there is an existing group. */
  readonly recorded: boolean;
}

/** `tagged`: the resources with the tag of a cluster. A cluster that was created again in another group has resources in both. */
export function placesOf({ cluster, existingGroup, recorded }: SettingsOfGroup, tagged: readonly GenericResourceExpanded[]): ClusterPlaces {
  const anywhere = { cluster, existingGroups: undefined };
  // The address in an existing group records that group.
  const recordedGroups = tagged.flatMap((one) => {
    const group = groupIn(one.id ?? "")?.resourceGroup;
    return group !== undefined && sameText(recordedOption(one.tags, "resourceGroupName"), group) && clusterOwns(anywhere, one)
      ? [group]
      : [];
  });
  const existingGroups = [...(existingGroup === undefined ? [] : [existingGroup]), ...recordedGroups];
  // An interrupted create may have left resources without a record of their group.
  return existingGroups.length === 0 && !recorded ? anywhere : { cluster, existingGroups };
}
