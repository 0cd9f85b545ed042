/** What a command says if nothing belongs to a cluster. */
import type { Azure } from "../../azure/azure.js";
import type { ClusterKey } from "../../domain/names.js";
import { infraIdTag, nameTag } from "../../domain/ownership.js";
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

/** Serves a command that has no inventory of the subscription. `infraIds` are those that exist for the name of the cluster. */
export async function noSuchClusterTag(
  azure: Azure,
  cluster: ClusterKey,
): Promise<{ readonly because: string; readonly infraIds: readonly string[] }> {
  const tagged = await resourcesWithTagName(azure, infraIdTag);
  const infraIdsIn = (of: typeof tagged) => [...new Set(of.flatMap(({ tags }) => tagValue(tags, infraIdTag) ?? []))];
  const others = infraIdsIn(tagged).filter((other) => other !== cluster.infraId);
  return {
    because: `${nothingOfCluster(azure.connection, cluster)}${exists("infra IDs", cluster.infraId, others)}`,
    infraIds: infraIdsIn(tagged.filter(({ tags }) => tagValue(tags, nameTag) === cluster.name)),
  };
}

function nothingOfCluster(place: Subscription, { name, infraId }: ClusterKey): string {
  return `${nothing(place)} belongs to cluster ${name}/${infraId}`;
}
