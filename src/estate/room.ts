/** Whether more clusters fit a subscription: its limits, and the clusters that it has already. */
import type { Azure } from "../azure/azure.js";
import { findingsIn } from "./origins/findings.js";
import { readLimits, type Limit } from "./limits.js";
import type { Unread } from "./domain/estate.js";
import { readEstate } from "./reading/read-estate.js";

export interface Room {
  /** Of the clusters in it, whoever made them, in lower case. */
  readonly infraIds: ReadonlySet<string>;
  readonly limits: readonly Limit[];
  /** What could not be read: a limit that is not known refuses nothing. */
  readonly unread: readonly Unread[];
}

/** Without the quotas of nodes, which no create makes. `locations`: of the new clusters. */
export async function readRoom(azure: Azure, subscriptionId: string, locations: readonly string[], signal: AbortSignal): Promise<Room> {
  const estate = await readEstate(azure, [subscriptionId], signal);
  const clusters = findingsIn(estate).filter(({ kind }) => kind === "clusters");
  const { limits, unread } = await readLimits(azure, subscriptionId, estate.entries, { locations, nodes: 0 });
  return {
    infraIds: new Set(clusters.flatMap(({ infraId }) => infraId?.toLowerCase() ?? [])),
    limits,
    unread: [...estate.unread, ...unread],
  };
}
