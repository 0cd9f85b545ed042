/** Keeps the node resource group of an AKS cluster consistent with the cluster and its agent pools. */
import type { StoredResource, AzureState } from "../../../state/state.js";
import { resourcesWithin } from "../../indexes.js";
import { keyOf, segmentsOf, resourceGroupsType } from "../../resource-id.js";
import type { Moment } from "../../resource-type.js";
import { childrenOf, sameId } from "../../uses.js";
import { addOnIdentityName, addOnsWithIdentity } from "./add-on-identities.js";
import type { StoredPool } from "./pool-defaults.js";
import { removeTree } from "../../removal.js";
import { isRecord } from "../../body-schema.js";
import { scaleSetType } from "../compute/compute-lists.js";
import { createHash } from "node:crypto";

export function ensureNodes(moment: Moment, cluster: StoredResource): void {
  const { identityProfile, addonProfiles = {}, powerState } = cluster.properties as unknown as ClusterProperties;
  const group = nodeGroupOf(moment, cluster);
  const [managedSubnet] = resourcesWithin(moment.state, group.id, "Microsoft.Network/virtualNetworks/subnets");
  const pools = childrenOf(moment.state, cluster.id, "agentPools").map((pool) => {
    const { vmSize, count, vnetSubnetID, podSubnetID, availabilityZones, powerState: own } = pool.properties as StoredPool;
    const isRunning = powerState.code === "Running" && own.code === "Running";
    const subnets = [vnetSubnetID ?? managedSubnet?.id, podSubnetID].filter((id) => id !== undefined);
    return { name: pool.name, vmSize, count: isRunning ? count : 0, subnets, zones: availabilityZones };
  });
  const held = [identityProfile?.kubeletidentity, ...Object.values(addonProfiles).map(({ identity }) => identity)];
  const identities = held.filter((identity) => identity !== undefined);
  const addOns = addOnsWithIdentity.map((addOn) => addOnIdentityName(addOn, cluster.name));
  ensureScaleSets(group, pools, identities, addOns);
}

/** What AKS stores of a cluster, as far as its nodes follow from it. */
interface ClusterProperties {
  readonly identityProfile?: { readonly kubeletidentity: AssignedIdentity };
  readonly addonProfiles?: Readonly<Record<string, { readonly identity?: AssignedIdentity }>>;
  readonly powerState: { readonly code: string };
}

function nodeGroupOf({ state, now, uuid }: Moment, { id, location = "", properties }: StoredResource): NodeGroup {
  return { state, now, uuid, id: groupId(id, String(properties["nodeResourceGroup"])), location, managedBy: id };
}

/** A group beside that of the cluster. */
export function groupId(clusterId: string, name: string): string {
  return `/${segmentsOf(clusterId).slice(0, 3).join("/")}/${name}`;
}

/** The ID of an identity and its two others, as AKS answers them. */
export function assignedIdentity({ state }: Pick<Moment, "state">, id: string): AssignedIdentity {
  const identity = state.resources[keyOf(id)];
  const { clientId, principalId } = identity?.properties ?? {};
  return { resourceId: identity?.id ?? id, clientId: String(clientId), objectId: String(principalId) };
}

/** The node resource group of an AKS cluster: its scale sets, and the identities that AKS creates and assigns to them. */
const identityType = "Microsoft.ManagedIdentity/userAssignedIdentities";

/** What the functions below need to know of a cluster and its current write. */
export interface NodeGroup {
  readonly state: AzureState;
  readonly now: number;
  readonly uuid: () => string;
  /** ID of the group. */
  readonly id: string;
  readonly location: string;
  /** ID of the cluster. */
  readonly managedBy: string;
}

/** What a scale set follows from. */
export interface NodePool {
  readonly name: string;
  readonly vmSize: string;
  readonly count: number;
  /** The subnets of nodes and, if they have one, pods. */
  readonly subnets: readonly string[];
  readonly zones: readonly string[] | undefined;
}

export interface AssignedIdentity {
  readonly resourceId: string;
  readonly clientId: string;
  readonly objectId: string;
}

export function ensureGroup({ state, now, id, location, managedBy }: NodeGroup): void {
  state.resources[keyOf(id)] ??= {
    id,
    name: id.split("/").at(-1) ?? "",
    type: resourceGroupsType,
    location,
    beside: { location, managedBy },
    createdAt: now,
    properties: { provisioningState: "Succeeded" },
  };
}

/** The identity with that name in the group, created if absent. */
export function ensureIdentity({ state, now, uuid, id: group, location }: NodeGroup, name: string): AssignedIdentity {
  const id = identityId(group, name);
  const identity = (state.resources[keyOf(id)] ??= {
    id,
    name,
    type: identityType,
    location,
    tags: {},
    createdAt: now,
    properties: { tenantId: state.tenantId, principalId: uuid(), clientId: uuid() },
  });
  const { clientId, principalId } = identity.properties;
  return { resourceId: identity.id, clientId: String(clientId), objectId: String(principalId) };
}

/** The role assignments of the identity stay as orphans. */
export function removeIdentity({ state, id }: NodeGroup, name: string): void {
  removeTree(state, identityId(id, name));
}

function identityId(group: string, name: string): string {
  return `${group}/providers/${identityType}/${name}`;
}

/** One for each pool, with exactly these identities and those that others assigned to it. `addOns` are the names of AKS's own. */
function ensureScaleSets(
  group: NodeGroup,
  pools: readonly NodePool[],
  identities: readonly AssignedIdentity[],
  addOns: readonly string[],
): void {
  const { state } = group;
  const there = resourcesWithin(state, group.id, scaleSetType);
  for (const gone of there.filter((one) => !pools.some(({ name }) => name === poolOfScaleSet(one)))) removeTree(state, gone.id);
  for (const pool of pools) {
    const existing = there.find((one) => poolOfScaleSet(one) === pool.name);
    const scaleSet = scaleSetOf(group, pool, existing);
    const others = Object.entries(assignedTo(existing)).filter(([id]) => !addOns.some((name) => sameId(id, identityId(group.id, name))));
    const own = identities.map(({ resourceId, clientId, objectId }) => [resourceId, { clientId, principalId: objectId }] as const);
    const userAssignedIdentities = Object.fromEntries([...others.filter(([id]) => !own.some(([other]) => sameId(id, other))), ...own]);
    const beside = { identity: { type: "UserAssigned", userAssignedIdentities }, ...(pool.zones && { zones: pool.zones }) };
    state.resources[keyOf(scaleSet.id)] = { ...scaleSet, beside };
  }
}

const poolTag = "aks-managed-poolName";

export function poolOfScaleSet({ tags = {} }: StoredResource): string | undefined {
  return tags[poolTag];
}

function scaleSetOf(
  { id, now, uuid, location, managedBy }: NodeGroup,
  { name: pool, vmSize, count, subnets }: NodePool,
  existing: StoredResource | undefined,
) {
  const name = existing?.name ?? `aks-${pool}-${eightDigits(`${managedBy}/agentPools/${pool}`)}-vmss`;
  return {
    id: existing?.id ?? `${id}/providers/${scaleSetType}/${name}`,
    name,
    type: scaleSetType,
    location,
    tags: { ...existing?.tags, [poolTag]: pool },
    sku: { name: vmSize, tier: "Standard", capacity: count },
    createdAt: existing?.createdAt ?? now,
    properties: {
      orchestrationMode: "Uniform",
      provisioningState: "Succeeded",
      uniqueId: existing?.properties["uniqueId"] ?? uuid(),
      ...existing?.properties,
      virtualMachineProfile: { networkProfile: { networkInterfaceConfigurations: [interfaceIn(name, subnets)] } },
    },
  };
}

/** Holds the subnets: they cannot be deleted while nodes use them. */
function interfaceIn(name: string, subnets: readonly string[]): object {
  const ipConfigurations = subnets.map((id, index) => ({
    name: `ipconfig${String(index + 1)}`,
    properties: { primary: index === 0, privateIPAddressVersion: "IPv4", subnet: { id } },
  }));
  return { name, properties: { primary: true, enableIPForwarding: true, ipConfigurations } };
}

function assignedTo(scaleSet: StoredResource | undefined): Readonly<Record<string, unknown>> {
  const identity = scaleSet?.beside?.["identity"];
  const assigned = isRecord(identity) ? identity["userAssignedIdentities"] : undefined;
  return isRecord(assigned) ? assigned : {};
}

/** In the names of scale sets, networks and security groups. `id` is the cluster's, or a pool's. */
export function eightDigits(id: string): string {
  return String(Number.parseInt(hexOf(id, 8), 16) % 100_000_000).padStart(8, "0");
}

/** In the hostname of the API server, and as the UID of the cluster. */
export function hexOf(id: string, length: number): string {
  return createHash("sha256").update(keyOf(id)).digest("hex").slice(0, length);
}
