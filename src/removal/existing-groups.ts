/** The groups that a cluster's resources may be in besides its own: existing groups that replaced its managed group. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { clusterOwns, type ClusterPlaces } from "../domain/cluster-resource.js";
import { recordedOption } from "../domain/option-tags.js";
import { groupIn } from "../domain/resource-id.js";
import type { Search } from "./inventory.js";
import { sameText } from "../text/same-text.js";

/** `tagged`: the resources with the tag of a cluster. A cluster that was created again in another group has resources in both. */
export function placesOf({ cluster, existingGroup, recorded }: Search, tagged: readonly GenericResourceExpanded[]): ClusterPlaces {
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
