/** What a destroy of a cluster reads whatever it finds. It starts at once, while the destroy still reads the cluster's recorded settings. */
import type { Azure } from "../azure/azure.js";
import { apiVersionLookup, type ApiVersions } from "./azure-removals.js";
import { blocksReader, type BlocksOf } from "./blocked.js";
import { resourceTypes } from "../domain/resource-types.js";
import { readSubscriptionLists, type SubscriptionLists } from "./subscription-lists.js";

export interface EarlyReads {
  readonly blocksOf: BlocksOf;
  /** Of the connection's subscription. */
  readonly lists: Promise<SubscriptionLists>;
  readonly apiVersions: ApiVersions;
}

export function startEarlyReads(azure: Azure): EarlyReads {
  const { early } = azure.connection;
  const lists = early.start(() => readSubscriptionLists(azure));
  const apiVersions = apiVersionLookup(azure);
  void early.start(async () => {
    const { tagged } = await lists;
    // Without resources of clusters, no deletion needs it.
    if (tagged.length > 0) await apiVersions(resourceTypes.virtualNetwork.type);
  });
  return { blocksOf: blocksReader(azure), lists, apiVersions };
}
