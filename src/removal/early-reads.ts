/** What a destroy of a cluster reads whatever it finds. It starts at once, while the destroy still reads the cluster's recorded settings. */
import type { Azure } from "../azure/azure.js";
import { apiVersionLookup, type ApiVersions } from "./azure-removals.js";
import { blocksReader, type BlocksOf } from "./blocked.js";
import { readSubscriptionLists, type SubscriptionLists } from "./subscription-lists.js";

export interface EarlyReads {
  readonly blocksOf: BlocksOf;
  /** Of the connection's subscription. */
  readonly lists: Promise<SubscriptionLists>;
  readonly apiVersions: ApiVersions;
}

export function startEarlyReads(azure: Azure): EarlyReads {
  const lists = readSubscriptionLists(azure);
  // The destroy awaits it later; until then, a failure is not unhandled.
  lists.catch(() => undefined);
  return { blocksOf: blocksReader(azure), lists, apiVersions: apiVersionLookup(azure, ["Microsoft.Network"]) };
}
