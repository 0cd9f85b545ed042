/** A load balancer as Azure answers it: its parts with their IDs, and with those who refer to them. */
import type { AzureState, StoredResource } from "../../../state/state.js";
import { isWithin, nameOf } from "../../resource-id.js";
import { isRecord } from "../../body-schema.js";
import { directUsersOf, sameId } from "../../uses.js";
import { usesWithin } from "../../uses-within.js";

type Members = Record<string, unknown>;

export function presentParts(state: AzureState, balancer: StoredResource): Members {
  const { id, etag, sku, properties } = balancer;
  const isBasic = sku?.["name"] === "Basic";
  const uses = usesWithin(id, properties);
  const { outboundRules, ...others } = properties;
  return Object.fromEntries(
    Object.entries(isBasic ? others : { ...others, outboundRules }).map(([collection, held]) => [
      collection,
      Array.isArray(held) ? held.filter(isRecord).map((part) => presentPart(collection, part)) : held,
    ]),
  );

  function presentPart(collection: string, part: Members): Members {
    const partId = `${id}/${collection}/${String(part["name"])}`;
    const own = isRecord(part["properties"]) ? part["properties"] : {};
    return {
      ...part,
      id: partId,
      etag,
      type: `${balancer.type}/${collection}`,
      properties: { provisioningState: properties["provisioningState"], ...answered(collection, partId, own), ...usersOf(partId) },
    };
  }

  function answered(collection: string, partId: string, own: Members): Members {
    if (collection === "loadBalancingRules") return { ...own, ...bothPools(own) };
    if (collection === "inboundNatRules") return { ...own, ...interfaceOf(partId) };
    return collection === "backendAddressPools" ? poolMembers(partId, own) : own;
  }

  /** The parts that refer to this one, by their collection. */
  function usersOf(partId: string): Members {
    const users: Record<string, { id: string }[]> = {};
    for (const { from } of uses.filter(({ to }) => sameId(to, partId))) (users[collectionOf(from)] ??= []).push({ id: from });
    return users;
  }

  function poolMembers(partId: string, own: Members): Members {
    const { loadBalancerBackendAddresses: addresses, tunnelInterfaces, ...others } = own;
    const interfaces = othersUsing(partId);
    const isReady = properties["provisioningState"] === "Succeeded";
    return {
      ...others,
      ...(isBasic && Array.isArray(addresses) && addresses.length === 0 ? {} : { loadBalancerBackendAddresses: addresses }),
      ...(Array.isArray(tunnelInterfaces) && { tunnelInterfaces: isReady ? tunnelInterfaces.map(withPort) : tunnelInterfaces }),
      ...(interfaces.length > 0 && { backendIPConfigurations: interfaces }),
    };
  }

  /** The one interface to which an inbound NAT rule leads. */
  function interfaceOf(partId: string): Members {
    const [configuration] = othersUsing(partId);
    return configuration === undefined ? {} : { backendIPConfiguration: configuration };
  }

  function othersUsing(partId: string): { id: string }[] {
    const others = directUsersOf(state, partId).filter(({ from }) => !isWithin(from, id));
    return others.map(({ from }) => ({ id: from }));
  }
}

/** A rule with one pool names it in both members. */
function bothPools({ backendAddressPool, backendAddressPools }: Members): Members {
  const pools = Array.isArray(backendAddressPools) ? (backendAddressPools as unknown[]) : [backendAddressPool].filter(isRecord);
  return { ...(pools.length === 1 && { backendAddressPool: pools[0] }), ...(pools.length > 0 && { backendAddressPools: pools }) };
}

/** Azure chooses the port of a tunnel if the client did not. */
function withPort(tunnel: Members): Members {
  return tunnel["port"] === 0 ? { ...tunnel, port: tunnel["type"] === "External" ? 10801 : 10800 } : tunnel;
}

/** ".../loadBalancers/b/probes/p" is in "probes". */
function collectionOf(id: string): string {
  return nameOf(id.slice(0, id.lastIndexOf("/")));
}
