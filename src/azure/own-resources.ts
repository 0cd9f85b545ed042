/** Finds the resource groups and resources of a cluster by their ownership tags. */
import { clusterOwns } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { infraIdTag, nameTag } from "../domain/ownership.js";
import { tagValue } from "../domain/tags.js";
import type { Azure } from "./azure.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";
import { listWithTag, withTags } from "./tagged-resources.js";

export interface Tagged {
  readonly id?: string;
  readonly tags?: Record<string, string>;
}

export async function ownGroups(azure: Azure, cluster: ClusterKey): Promise<readonly Tagged[]> {
  return owned(await groupsWithInfraId(azure, cluster), cluster);
}

/** Without the permission to list, finds nothing. */
export async function ownResources(azure: Azure, cluster: ClusterKey): Promise<readonly Tagged[]> {
  return owned(await resourcesWithInfraId(azure, cluster), cluster);
}

/** Includes those of another cluster with the same infra ID. */
export async function groupsWithInfraId(azure: Azure, { infraId }: ClusterKey): Promise<readonly Tagged[]> {
  const { resourceGroups } = await azure.resources();
  const filter = `tagName eq '${infraIdTag}' and tagValue eq '${infraId}'`;
  return (await orRefused(all(resourceGroups.list({ filter })))) ?? [];
}

/** The infra IDs of the clusters with this name that have a resource group of their own. */
export async function infraIdsOfName(azure: Azure, name: string): Promise<readonly string[]> {
  const { resourceGroups } = await azure.resources();
  const filter = `tagName eq '${nameTag}' and tagValue eq '${name}'`;
  const groups = (await orRefused(all(resourceGroups.list({ filter })))) ?? [];
  const infraIds = groups.flatMap((group) => {
    const infraId = tagValue(group.tags, infraIdTag);
    return infraId !== undefined && owned([group], { name, infraId }).length > 0 ? [infraId] : [];
  });
  return [...new Set(infraIds)].toSorted();
}

/** Includes those of another cluster with the same infra ID. */
export async function resourcesWithInfraId(azure: Azure, { infraId }: ClusterKey): Promise<readonly Tagged[]> {
  const listed = listWithTag(azure, infraIdTag, infraId);
  return (await orRefused(listed.then((some) => withTags(azure, some)))) ?? [];
}

/** Nothing has said yet which existing group replaces the managed group, so any may be one. */
export function owned(found: readonly Tagged[], cluster: ClusterKey): readonly Tagged[] {
  return found.filter((one) => clusterOwns({ cluster, existingGroups: undefined }, one));
}
