/** Every `{ id }` inside a stored resource's properties is a use of another resource. */
import { isRecord } from "./body-schema.js";

export interface Use {
  /** The user: the resource, or the named part of it (".../loadBalancers/x/frontendIPConfigurations/y"). */
  readonly from: string;
  /** The ID as the user wrote it. */
  readonly to: string;
}

/**
 * What can be deleted although these name it: subnets in the network rules of vaults and storage accounts, targets of alias record sets.
 * The outbound addresses of an AKS cluster are held by its load balancer.
 */
const unbinding = ["virtualNetworkRules", "targetResource", "outboundIPs", "outboundIPPrefixes"];

/** The uses inside `value`, which belongs to the resource, or to the part of one, with the ID `from`. */
export function usesWithin(from: string, value: unknown): Use[] {
  if (!isRecord(value)) {
    return [];
  }
  if (typeof value["id"] === "string") {
    // A part stored with its own ID, as in seeds copied from Azure, does not use itself.
    return "properties" in value ? usesWithin(value["id"], value["properties"]) : [{ from, to: value["id"] }];
  }
  return Object.entries(value).flatMap(([key, held]) =>
    unbinding.includes(key)
      ? []
      : Array.isArray(held)
        ? held.flatMap((item: unknown) => usesWithin(partOf(from, key, item), item))
        : usesWithin(from, held),
  );
}

function partOf(from: string, collection: string, item: unknown): string {
  return isRecord(item) && typeof item["name"] === "string" ? `${from}/${collection}/${item["name"]}` : from;
}
