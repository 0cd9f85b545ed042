/** The tags of what a cluster owns, by the ownership tags. Without the permission to list, as if there were nothing. */
import type { ClusterKey } from "../domain/names.js";
import { infraIdTag, ownedBy } from "../domain/ownership.js";
import type { Tags } from "../domain/tags.js";
import type { Azure } from "./azure.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";

/** One entry for each resource group of the cluster. */
export async function ownGroupTags(azure: Azure, cluster: ClusterKey): Promise<readonly Tags[]> {
  const { resourceGroups } = await azure.resources();
  return ownTags(await orRefused(all(resourceGroups.list({ filter: filterOf(cluster) }))), cluster);
}

/** One entry for each resource of the cluster. */
export async function ownResourceTags(azure: Azure, cluster: ClusterKey): Promise<readonly Tags[]> {
  const { resources } = await azure.resources();
  return ownTags(await orRefused(all(resources.list({ filter: filterOf(cluster) }))), cluster);
}

function filterOf({ infraId }: ClusterKey): string {
  return `tagName eq '${infraIdTag}' and tagValue eq '${infraId}'`;
}

function ownTags(found: readonly { readonly tags?: Record<string, string> }[] = [], cluster: ClusterKey): readonly Tags[] {
  return found.flatMap(({ tags }) => (ownedBy(tags, cluster) === "ours" ? [tags] : []));
}
