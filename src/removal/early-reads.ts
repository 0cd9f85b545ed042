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
  const lists = readSubscriptionLists(azure);
  const apiVersions = apiVersionLookup(azure);
  // Without resources of clusters, no deletion needs it. The destroy awaits the lists later; until then, a failure is not unhandled.
  lists.then(async ({ tagged: [one] }) => one && apiVersions(resourceTypes.virtualNetwork.type)).catch(() => undefined);
  return { blocksOf: blocksReader(azure), lists, apiVersions };
}
