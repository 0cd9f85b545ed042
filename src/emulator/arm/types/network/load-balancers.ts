/** Load balancers: their parts are written with them or by a path of their own, and refer to each other by ID. */
import { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { isWithin, nameOf } from "../../resource-id.js";
import { defineType, type Put } from "../../resource-type.js";
import { networkNames, isRecord } from "../../body-schema.js";
import { directUsersOf, sameId } from "../../uses.js";
import { usesWithin } from "../../uses-within.js";
import { checkNames } from "./children.js";
import { loadBalancerBody, type LoadBalancerBody } from "./load-balancer-body.js";
import { addressFor } from "./private-addresses.js";
import { requireSameSku, networkDelete, networkPut, trackedType } from "./provider.js";
import { checkReferences, joinRights, missingReference } from "./references.js";

export const loadBalancers = defineType<LoadBalancerBody>({
  name: "Microsoft.Network/loadBalancers",
  ...trackedType,
  ...networkNames(1, 80),
  partLists: {
    frontendIPConfigurations: "read",
    backendAddressPools: "write",
    loadBalancingRules: "read",
    probes: "read",
    inboundNatRules: "write",
    outboundRules: "read",
  },
  versionDifferences: [{ member: "probes.properties.noHealthyBackendsBehavior", since: "2024-01-01" }],
  undescribedMembers: ["allowBackendPortConflict", "enableDestinationServiceEndpoint"],
  body: loadBalancerBody,
  latency: { put: "loadBalancer.put", ended: "network.put", delete: "loadBalancer.delete", inGroup: "loadBalancer" },
  put: networkPut("PutLoadBalancerOperation", 3, 10),
  delete: networkDelete("DeleteLoadBalancerOperation", 10),
  // Otherwise Azure has to find private addresses for the frontends.
  hasPutEnded: ({ body: { sku, properties } }, unchanged) =>
    unchanged || sku.name === "Basic" || properties.frontendIPConfigurations.every((one) => one.properties.subnet === undefined),
  lock: { on: "self", second: "supersede" },
  linkedRights: ({ properties: { frontendIPConfigurations, backendAddressPools } }) =>
    joinRights({ frontendIPConfigurations, backendAddressPools }),
  checkPut(put) {
    requireSameSku(put);
    for (const parts of Object.values(put.body.properties)) checkNames(put.id, parts);
    checkOwnParts(put.id, put.body.properties);
    checkRules(put.id, put.body.properties);
    checkReferences(put, put.body.location);
    checkAddresses(put.state, put.id, put.body);
  },
  storedProperties(put) {
    const { call, body, existing } = put;
    return {
      ...body.properties,
      frontendIPConfigurations: frontendsOf(put, body.properties.frontendIPConfigurations),
      resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
    };
  },
  presentedProperties: presentParts,
});

type Parts = LoadBalancerBody["properties"];

/** Frontends in a subnet get a private address. */
function frontendsOf({ state, id }: Put<LoadBalancerBody>, frontends: Parts["frontendIPConfigurations"]) {
  const taken = new Set(frontends.flatMap(({ properties }) => properties.privateIPAddress ?? []));
  return frontends.map((frontend) => {
    const { name, properties } = frontend;
    const { privateIPAddressVersion = "IPv4", ...own } = properties;
    if (own.subnet === undefined) return { ...frontend, properties: own };
    const privateIPAddress = own.privateIPAddress ?? addressFor(state, id, { name, subnet: own.subnet.id }, taken);
    taken.add(privateIPAddress);
    return { ...frontend, properties: { ...own, privateIPAddressVersion, privateIPAddress } };
  });
}

/** References between parts of one load balancer must name parts of the same body. */
function checkOwnParts(id: string, properties: Parts): void {
  const parts = Object.entries(properties).flatMap(([collection, held]) => held.map(({ name }) => `${id}/${collection}/${name}`));
  for (const { from, to } of usesWithin(id, properties)) {
    if (isWithin(to, id) && !parts.some((own) => sameId(own, to))) {
      throw missingReference(from, to);
    }
  }
}

/**
 * Two rules may lead to the same port of a pool only with a floating IP, or if they say that this is meant:
 * https://github.com/MicrosoftDocs/azure-docs/issues/117762. @throws ApiError RulesUseSameBackendPortProtocolAndPool
 */
function checkRules(id: string, { loadBalancingRules }: Parts): void {
  const rules = loadBalancingRules.filter(
    ({ properties: { enableFloatingIP, allowBackendPortConflict } }) => !enableFloatingIP && !allowBackendPortConflict,
  );
  for (const [index, { name, properties: rule }] of rules.entries()) {
    const pools = poolsOf(rule);
    const { backendPort = 0, protocol } = rule;
    const rival = rules
      .slice(0, index)
      .find(
        ({ properties: other }) =>
          (other.backendPort ?? 0) === backendPort &&
          other.protocol === protocol &&
          poolsOf(other).some((pool) => pools.some((own) => sameId(own, pool))),
      );
    if (rival === undefined) continue;
    const pool = poolsOf(rival.properties).find((one) => pools.some((own) => sameId(own, one))) ?? "";
    const ids = [rival.name, name].map((one) => `${id}/loadBalancingRules/${one}`).join(" and ");
    throw new ApiError(
      400,
      "RulesUseSameBackendPortProtocolAndPool",
      `Load balancing rules ${ids} with floating IP disabled use the same protocol ${protocol} and backend port ${String(backendPort)}, and must not be used with the same backend address pool ${pool}.`,
    );
  }
}

function poolsOf({ backendAddressPool, backendAddressPools = [] }: Parts["loadBalancingRules"][number]["properties"]): string[] {
  return [...(backendAddressPool === undefined ? [] : [backendAddressPool]), ...backendAddressPools].map(({ id }) => id);
}

/** A public IP address serves one frontend, and its SKU is the load balancer's. */
function checkAddresses(state: AzureState, id: string, { sku, properties }: LoadBalancerBody): void {
  for (const { name, properties: held } of properties.frontendIPConfigurations) {
    if (held.publicIPAddress === undefined) continue;
    const address = held.publicIPAddress.id;
    const other = directUsersOf(state, address).find(({ from }) => !isWithin(from, id));
    if (other !== undefined) {
      throw new ApiError(
        400,
        "PublicIPAddressInUse",
        `Resource ${id}/frontendIPConfigurations/${name} is referencing public IP address ${address} that is already allocated to resource ${other.from}.`,
      );
    }
    const addressSku = state.resources[address.toLowerCase()]?.sku?.["name"];
    if (addressSku !== sku.name) {
      throw new ApiError(
        400,
        "PublicIPAndLBSkuDoNotMatch",
        `${sku.name} sku load balancer ${id} cannot reference ${String(addressSku)} sku publicIP ${address}.`,
      );
    }
  }
}

/** A load balancer as Azure answers it: its parts with their IDs, and with those who refer to them. */
type Members = Record<string, unknown>;

function presentParts(state: AzureState, balancer: StoredResource): Members {
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
