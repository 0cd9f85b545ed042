/** The resource groups and resources that a cluster owns, found by the ownership tags. Without the permission to list, as if there were nothing. */
import { clusterOwns } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { infraIdTag } from "../domain/ownership.js";
import type { Azure } from "./azure.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";

interface Tagged {
  readonly id?: string;
  readonly tags?: Record<string, string>;
}

export async function ownGroups(azure: Azure, cluster: ClusterKey): Promise<readonly Tagged[]> {
  const { resourceGroups } = await azure.resources();
  return owned(await orRefused(all(resourceGroups.list({ filter: filterOf(cluster) }))), cluster);
}

export async function ownResources(azure: Azure, cluster: ClusterKey): Promise<readonly Tagged[]> {
  const { resources } = await azure.resources();
  return owned(await orRefused(all(resources.list({ filter: filterOf(cluster) }))), cluster);
}

function filterOf({ infraId }: ClusterKey): string {
  return `tagName eq '${infraIdTag}' and tagValue eq '${infraId}'`;
}

/** Nothing has said yet which existing group replaces the managed group, so any may be one. */
function owned(found: readonly Tagged[] = [], cluster: ClusterKey): readonly Tagged[] {
  return found.filter((one) => clusterOwns({ cluster, existingGroups: undefined }, one));
}
