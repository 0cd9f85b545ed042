/** The outbound load balancer of an AKS cluster's nodes, and its public addresses. */
import type { ApiError } from "../../../core/service.js";
import type { AzureState } from "../../../state/state.js";
import { resourcesWithin } from "../../indexes.js";
import { normalLocation } from "../../locations.js";
import { storeOwn } from "../../put.js";
import { removeTree } from "../../removal.js";
import { isWithin, keyOf, nameOf } from "../../resource-id.js";
import type { ArmCall, Put } from "../../resource-type.js";
import { directUsersOf, sameId } from "../../uses.js";
import type { ClusterBody } from "./cluster-body.js";
import type { LoadBalancerProfile } from "./cluster-profiles.js";
import { allPools, type WantedCluster } from "./cluster-state.js";
import { groupId } from "./nodes.js";
import { refusal } from "./provider.js";

const addressType = "Microsoft.Network/publicIPAddresses";

/** Azure's own ports of an address. */
const portsOfAddress = 64_000;

export function outboundAddressesIn(profile: LoadBalancerProfile | undefined): string[] {
  return profile?.outboundIPs?.publicIPs.map(({ id }) => id) ?? [];
}

function balancerOf(group: string): string {
  return `${group}/providers/Microsoft.Network/loadBalancers/kubernetes`;
}

/** @throws ApiError for addresses that cannot be used, or too few ports */
export function checkOutbound(put: Put<ClusterBody>, { network, pools }: WantedCluster): void {
  const { state, id, body, existing } = put;
  const profile = network.loadBalancerProfile;
  if (profile === undefined) return;
  const kinds = [profile.managedOutboundIPs, profile.outboundIPs, profile.outboundIPPrefixes].filter((one) => one !== undefined);
  if (kinds.length > 1) {
    throw refusal(
      400,
      "InvalidLoadBalancerProfile",
      "Load balancer profile must specify one of ManagedOutboundIPs, OutboundIPPrefixes and OutboundIPs.",
    );
  }
  const own = existing === undefined ? undefined : groupId(existing.id, String(existing.properties["nodeResourceGroup"]));
  for (const address of outboundAddressesIn(profile)) checkAddress(state, address, body.location, own);
  const addresses = profile.outboundIPs?.publicIPs.length ?? profile.managedOutboundIPs?.count ?? 1;
  const nodes = allPools(state, existing?.id ?? id, pools).reduce(
    (sum, { properties: pool }) => sum + (pool.enableAutoScaling === true ? (pool.maxCount ?? pool.count) : pool.count),
    0,
  );
  checkPorts(profile.allocatedOutboundPorts ?? 0, addresses, nodes);
}

function checkAddress(state: AzureState, id: string, location: string, nodeGroup: string | undefined): void {
  const address = state.resources[keyOf(id)];
  if (address === undefined || !sameId(address.type, addressType)) {
    throw unusable("NotExist", `Outbound IP ${id} does not exist.`);
  }
  if (address.location !== normalLocation(location)) {
    throw unusable("NotInTheSameRegion", `Outbound IP ${id} is in region ${address.location ?? ""}, and the cluster in ${location}.`);
  }
  if (address.sku?.["name"] !== "Standard") throw unusable("NotStandardSKU", `Outbound IP ${id} does not have the Standard SKU.`);
  if (address.properties["provisioningState"] !== "Succeeded") {
    throw unusable("ProvisioningNotSucceeded", `Outbound IP ${id} is not in provisioning state Succeeded.`);
  }
  const other = directUsersOf(state, id).find(({ from }) => nodeGroup === undefined || !isWithin(from, nodeGroup));
  if (other !== undefined) {
    throw unusable("AttachedToAnotherIPConfiguration", `Outbound IP ${id} is already attached to IP configuration ${other.from}.`);
  }
}

function unusable(why: string, message: string): ApiError {
  return refusal(400, `LoadBalancerProfileOutboundIP${why}`, message);
}

/** Without a number, Azure divides the ports by itself. */
function checkPorts(ports: number, addresses: number, nodes: number): void {
  if (ports % 8 !== 0) {
    throw refusal(
      400,
      "LoadBalancerProfileAllocatedOutboundPortsMustBeMultipleOfEight",
      `Load balancer profile allocated ports ${String(ports)} is not a multiple of 8.`,
    );
  }
  const needed = ports * nodes;
  if (needed <= addresses * portsOfAddress) return;
  throw refusal(
    400,
    "InsufficientOutboundPorts",
    `Load balancer profile allocated ports ${String(ports)} is too large: ${String(nodes)} nodes need ${String(needed)} ports, ` +
      `and ${String(addresses)} outbound IPs have ${String(addresses * portsOfAddress)}.`,
  );
}

export interface OutboundOf {
  /** ID of the cluster. */
  readonly cluster: string;
  readonly group: string;
  readonly location: string;
  readonly profile: LoadBalancerProfile | undefined;
}

/** Creates the load balancer with its managed addresses, or changes both. A cluster without one has none. */
export function ensureBalancer(call: ArmCall, { cluster, group, location, profile }: OutboundOf): void {
  const { state } = call;
  const id = balancerOf(group);
  const given = outboundAddressesIn(profile);
  const managed = managedAddresses(state, group);
  const wanted = profile?.managedOutboundIPs?.count ?? 0;
  const created = Array.from({ length: Math.max(0, wanted - managed.length) }, () => {
    const tags = { "aks-managed-cluster-name": nameOf(cluster), "aks-managed-type": "aks-slb-managed-outbound-ip" };
    const body = {
      location,
      tags,
      sku: { name: "Standard" },
      properties: { publicIPAllocationMethod: "Static", idleTimeoutInMinutes: 30 },
    };
    return storeOwn(call, `${group}/providers/${addressType}/${call.uuid()}`, body).id;
  });
  const addresses = [...managed.slice(0, wanted), ...created, ...given];
  if (profile === undefined) removeTree(state, id);
  else storeOwn(call, id, balancerBody(id, location, addresses, profile, state.resources[keyOf(id)]?.properties ?? {}));
  for (const unused of managed.slice(wanted)) removeTree(state, unused);
}

function managedAddresses(state: AzureState, group: string): string[] {
  return resourcesWithin(state, group, addressType).flatMap(({ id, tags }) => (tags?.["aks-managed-type"] === undefined ? [] : [id]));
}

/** What the cloud provider of Kubernetes added for services stays. */
function balancerBody(
  id: string,
  location: string,
  addresses: readonly string[],
  profile: LoadBalancerProfile,
  { frontendIPConfigurations: frontends = [], loadBalancingRules, probes, ...before }: Balancer,
): object {
  const frontend = (address: string) => nameOf(address);
  const ofServices = frontends.filter(({ name }) => !outboundFrontends(before).includes(name));
  const own = addresses.map((address) => ({ name: frontend(address), properties: { publicIPAddress: { id: address } } }));
  return {
    location,
    tags: { "aks-managed-type": "aks-slb" },
    sku: { name: "Standard" },
    properties: {
      frontendIPConfigurations: [...own, ...ofServices],
      ...(loadBalancingRules && { loadBalancingRules }),
      ...(probes && { probes }),
      backendAddressPools: [{ name: "aksOutboundBackendPool" }, { name: "kubernetes" }],
      outboundRules: [
        {
          name: "aksOutboundRule",
          properties: {
            protocol: "All",
            frontendIPConfigurations: addresses.map((address) => ({ id: `${id}/frontendIPConfigurations/${frontend(address)}` })),
            backendAddressPool: { id: `${id}/backendAddressPools/aksOutboundBackendPool` },
            allocatedOutboundPorts: profile.allocatedOutboundPorts ?? 0,
            enableTcpReset: true,
            idleTimeoutInMinutes: Math.min(profile.idleTimeoutInMinutes ?? 30, 100),
          },
        },
      ],
    },
  };
}

/** The addresses that the load balancer's outbound rule uses now: what somebody changes there shows here. */
export function effectiveAddresses(state: AzureState, group: string): { readonly id: string }[] {
  const balancer = (state.resources[keyOf(balancerOf(group))]?.properties ?? {}) as Balancer;
  const { frontendIPConfigurations: frontends = [] } = balancer;
  const used = outboundFrontends(balancer);
  return frontends.flatMap(({ name, properties: { publicIPAddress } }) =>
    publicIPAddress !== undefined && used.includes(name) ? [{ id: publicIPAddress.id }] : [],
  );
}

function outboundFrontends({ outboundRules = [] }: Balancer): string[] {
  return outboundRules.flatMap((rule) => rule.properties.frontendIPConfigurations.map(({ id }) => nameOf(id)));
}

interface Frontend {
  readonly name: string;
  readonly properties: { readonly publicIPAddress?: { readonly id: string } };
}

interface Balancer {
  readonly frontendIPConfigurations?: readonly Frontend[];
  readonly loadBalancingRules?: readonly object[];
  readonly probes?: readonly object[];
  readonly outboundRules?: readonly {
    readonly properties: { readonly frontendIPConfigurations: readonly { readonly id: string }[] };
  }[];
}
