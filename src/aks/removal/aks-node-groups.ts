/** The resource groups that AKS creates for the nodes of a cluster, and may leave behind. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { ownedBy } from "../../domain/ownership.js";
import { formatResourceId, parseResourceId, resourceGroupId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import type { AksClusterGroup } from "./cluster-group.js";
import type { AksPlace } from "./cluster-group-name.js";
import type { EmptiedGroup } from "../../removal/emptied-group.js";
import type { FoundGroup } from "../../removal/inventory.js";

export function namedGroup(groups: readonly ResourceGroup[], wanted: string | undefined): EmptiedGroup | undefined {
  const group = groups.find(({ name }) => sameText(name, wanted));
  return group && { id: group.id ?? "", name: group.name ?? "" };
}

export function orphanedGroup({
  id,
  name,
  deleting,
  contents,
}: EmptiedGroup & { deleting?: boolean; contents: readonly GenericResourceExpanded[] }): FoundGroup {
  const inside = contents.map(({ id: one = "", type = "" }) => ({
    id: one,
    type,
    name: parseResourceId(one).name,
    group: name,
    origin: "ours" as const,
  }));
  return { id, name, ours: true, deleting: deleting === true, contents: inside };
}

/** Azure itself records which cluster manages a group. The name or the tag, which AKS copies from the cluster, must show the same. */
export async function orphansOf(
  azure: Azure,
  { cluster, subscriptionId }: AksPlace,
  { groupName, groups }: AksClusterGroup,
): Promise<(EmptiedGroup & { readonly deleting: boolean })[]> {
  const names = aksClusterNames(cluster, subscriptionId);
  const group = groupName ?? names.group;
  const id = formatResourceId(resourceGroupId(subscriptionId, group), resourceTypes.managedCluster.type, names.cluster);
  const managed = groups
    .filter(({ managedBy }) => managedBy !== undefined && sameId(managedBy, id))
    .filter(({ name, tags }) => sameText(name, names.nodeGroup) || ownedBy(tags, cluster) === "ours")
    .map(({ id: groupId = "", name = "", properties }) => ({ id: groupId, name, deleting: properties?.provisioningState === "Deleting" }));
  return managed.length > 0 && (await isGone(azure, group, names.cluster)) ? managed : [];
}

/** Lists leave out what the caller may not read, or what is too new: only this answer shows that there is no cluster. */
async function isGone(azure: Azure, group: string, name: string): Promise<boolean> {
  const { managedClusters } = await azure.clusters();
  const answer = await orRefused(found(managedClusters.get(group, name)).then((live) => ({ live })));
  return answer !== undefined && answer.live === undefined;
}
