/** What a cluster lacks that a finished create of aro-hcp or hypershift has made. */
import { resourceTypes } from "../../domain/resource-types.js";
import { isType, type Entry } from "../domain/estate.js";

/**
 * A cluster may use a network, a group and an egress of others, but always has a zone of its own. Without an own egress, only role assignments show
 * that a create came to its end.
 */
export function missingOfCluster(entries: readonly Entry[], hasRoles: boolean): string[] {
  const has = (type: { readonly type: string }) => entries.some((one) => isType(one, type));
  const hasEgress = has(resourceTypes.loadBalancer) || has(resourceTypes.natGateway);
  return [
    ...(has(resourceTypes.privateDnsZone) ? [] : ["private DNS zone"]),
    ...(hasEgress || hasRoles ? [] : ["load balancer or NAT gateway"]),
  ];
}
