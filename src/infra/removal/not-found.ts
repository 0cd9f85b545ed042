/** What a command says if nothing belongs to a cluster. */
import type { Azure } from "../../azure/azure.js";
import type { ClusterKey } from "../../domain/names.js";
import { infraIdTag } from "../../domain/ownership.js";
import { tagValue } from "../../domain/tags.js";
import type { Inventory } from "../../removal/inventory.js";
import { exists, nothing, type Subscription } from "../../removal/nothing-found.js";
import { resourcesWithTagName } from "../../removal/set-groups.js";

export function noSuchCluster(
  { connection }: Pick<Azure, "connection">,
  cluster: ClusterKey,
  { otherClusters }: Pick<Inventory, "otherClusters">,
): string {
  const others = otherClusters.map((other) => other.infraId);
  return `${nothingOfCluster(connection, cluster)}${exists("infra IDs", cluster.infraId, others)}`;
}

/** Serves a command that has no inventory of the subscription. */
export async function noSuchClusterTag(azure: Azure, cluster: ClusterKey): Promise<string> {
  const tagged = await resourcesWithTagName(azure, infraIdTag);
  const others = tagged.flatMap(({ tags }) => tagValue(tags, infraIdTag) ?? []).filter((other) => other !== cluster.infraId);
  return `${nothingOfCluster(azure.connection, cluster)}${exists("infra IDs", cluster.infraId, others)}`;
}

function nothingOfCluster(place: Subscription, { name, infraId }: ClusterKey): string {
  return `${nothing(place)} belongs to cluster ${name}/${infraId}`;
}
