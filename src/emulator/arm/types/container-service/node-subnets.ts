/** The subnets of an AKS cluster's nodes and pods: those of a client, or those that AKS makes. */
import type { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { resourcesWithin } from "../../indexes.js";
import { storeOwn } from "../../put.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall, Put } from "../../resource-type.js";
import { childrenOf, parentResource, sameId } from "../../uses.js";
import { overlap, readRange } from "../network/cidr.js";
import { prefixesOf } from "../network/subnets.js";
import type { ClusterBody } from "./cluster-body.js";
import { allPools, type WantedCluster } from "./cluster-state.js";
import type { StoredNetwork } from "./defaults.js";
import type { StoredPool } from "./pool-defaults.js";
import { refusal } from "./provider.js";

const subnetType = "Microsoft.Network/virtualNetworks/subnets";

type Pools = readonly { readonly name: string; readonly properties: StoredPool }[];

export function checkClusterSubnets({ state, id, existing }: Put<ClusterBody>, { network, pools }: WantedCluster): void {
  checkPoolSubnets(state, allPools(state, existing?.id ?? id, pools), network);
}

/** @throws ApiError for a subnet that is missing, delegated to others, too small, or in conflict with the addresses of services. */
export function checkPoolSubnets(state: AzureState, pools: Pools, network: StoredNetwork): void {
  for (const { properties: pool } of pools) {
    if (pool.vnetSubnetID === undefined) continue;
    const subnet = subnetOf(state, pool.vnetSubnetID);
    requireDelegation(subnet, undefined);
    if (pool.podSubnetID !== undefined) requireDelegation(subnetOf(state, pool.podSubnetID), "Microsoft.ContainerService/managedClusters");
    checkServiceRange(state, subnet, network.serviceCidr);
    checkSize(subnet, pools, network);
  }
}

function subnetOf(state: AzureState, id: string): StoredResource {
  const subnet = state.resources[keyOf(id)];
  if (subnet !== undefined && sameId(subnet.type, subnetType)) return subnet;
  throw refusal(400, "SubnetNotFound", `The subnet ${id} was not found.`);
}

/** `allowed` is the service that pods' subnets may be delegated to; AKS delegates them itself if they are not. */
function requireDelegation({ id, properties }: StoredResource, allowed: string | undefined): void {
  const { delegations = [] } = properties as {
    readonly delegations?: readonly { readonly properties: { readonly serviceName: string } }[];
  };
  const other = delegations.find(({ properties: { serviceName } }) => serviceName !== allowed);
  if (other === undefined) return;
  throw refusal(
    400,
    "SubnetIsDelegated",
    `The subnet ${id} is delegated to ${other.properties.serviceName}, so it cannot be used for the agent pool.`,
  );
}

function checkServiceRange(state: AzureState, subnet: StoredResource, serviceCidr: string): void {
  const services = readRange(serviceCidr, "networkProfile.serviceCidr");
  for (const sibling of childrenOf(state, parentResource(state, subnet.id).id, "subnets")) {
    const conflict = prefixesOf(sibling.properties).find((prefix) => overlap(readRange(prefix, sibling.id), services));
    if (conflict === undefined) continue;
    throw refusal(
      400,
      "ServiceCidrOverlapExistingSubnetsCidr",
      `The specified service CIDR ${serviceCidr} is conflicted with an existing subnet CIDR ${conflict}.`,
      "networkProfile.serviceCIDR",
    );
  }
}

/** Azure takes five addresses of every subnet. */
const reservedBySubnet = 5;

/** Nodes need an address each, and one more pool's surge; pods too, if they have neither a subnet of their own nor an overlay. */
function checkSize(subnet: StoredResource, pools: Pools, { networkPlugin, networkPluginMode }: StoredNetwork): void {
  const [prefix = ""] = prefixesOf(subnet.properties);
  const range = readRange(prefix, subnet.id);
  const available = Number(range.last - range.first) + 1 - reservedBySubnet;
  const isFlat = networkPlugin === "azure" && networkPluginMode !== "overlay";
  const needed = pools
    .filter(({ properties }) => sameId(properties.vnetSubnetID ?? "", subnet.id))
    .reduce((sum, { properties: pool }) => sum + pool.count * (isFlat && pool.podSubnetID === undefined ? pool.maxPods + 1 : 1), 0);
  if (needed <= available) return;
  throw insufficient(subnet, prefix, needed, available);
}

function insufficient({ name }: StoredResource, prefix: string, needed: number, available: number): ApiError {
  return refusal(
    400,
    "InsufficientSubnetSize",
    `Pre-allocated IPs ${String(needed)} exceeds IPs available ${String(available)} in Subnet Cidr ${prefix}, Subnet Name ${name}. ` +
      "http://aka.ms/aks/insufficientsubnetsize",
  );
}

export interface NodeNetwork {
  readonly group: string;
  readonly location: string;
  /** Eight digits that all of a cluster's own resources have in their names. */
  readonly digits: string;
  /** Whether no pool has a subnet of the client's. */
  readonly isManaged: boolean;
}

/** The security group of the nodes, and their network if AKS makes it. Both are made once. Returns the ID of the managed subnet. */
export function ensureNodeNetwork(call: ArmCall, { group, location, digits, isManaged }: NodeNetwork): string | undefined {
  const { state } = call;
  const guard = `${group}/providers/Microsoft.Network/networkSecurityGroups/aks-agentpool-${digits}-nsg`;
  if (state.resources[keyOf(guard)] === undefined) storeOwn(call, guard, { location, properties: {} });
  const kept = resourcesWithin(state, group, subnetType)[0];
  if (kept !== undefined || !isManaged) return kept?.id;
  const network = `${group}/providers/Microsoft.Network/virtualNetworks/aks-vnet-${digits}`;
  storeOwn(call, network, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ["10.224.0.0/12"] },
      subnets: [{ name: "aks-subnet", properties: { addressPrefix: "10.224.0.0/16", networkSecurityGroup: { id: guard } } }],
    },
  });
  return `${network}/subnets/aks-subnet`;
}
