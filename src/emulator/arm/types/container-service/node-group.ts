/** The node resource group of an AKS cluster: its scale sets, and the identities that AKS creates and assigns to them. */
import type { StoredResource, AzureState } from "../../../state/state.js";
import { resourcesWithin } from "../../indexes.js";
import { removeTree } from "../../removal.js";
import { keyOf, resourceGroupsType } from "../../resource-id.js";
import { isRecord } from "../../body-schema.js";
import { sameId } from "../../uses.js";
import { scaleSetType } from "../compute/compute-lists.js";
import { eightDigits } from "./derived.js";

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
  /** Of nodes and, if they have one, pods. */
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

/** Its role assignments stay, as orphans. */
export function removeIdentity({ state, id }: NodeGroup, name: string): void {
  removeTree(state, identityId(id, name));
}

function identityId(group: string, name: string): string {
  return `${group}/providers/${identityType}/${name}`;
}

/** One for each pool, with exactly these identities and those that others assigned to it. */
export function ensureScaleSets(
  group: NodeGroup,
  pools: readonly NodePool[],
  identities: readonly AssignedIdentity[],
  removed: string,
): void {
  const { state } = group;
  const there = resourcesWithin(state, group.id, scaleSetType);
  const poolOf = ({ tags = {} }: StoredResource) => tags[poolTag];
  for (const gone of there.filter((one) => !pools.some(({ name }) => name === poolOf(one)))) removeTree(state, gone.id);
  for (const pool of pools) {
    const existing = there.find((one) => poolOf(one) === pool.name);
    const scaleSet = scaleSetOf(group, pool, existing);
    const others = Object.entries(assignedTo(existing)).filter(([id]) => !sameId(id, identityId(group.id, removed)));
    const own = identities.map(({ resourceId, clientId, objectId }) => [resourceId, { clientId, principalId: objectId }] as const);
    const userAssignedIdentities = Object.fromEntries([...others.filter(([id]) => !own.some(([other]) => sameId(id, other))), ...own]);
    const beside = { identity: { type: "UserAssigned", userAssignedIdentities }, ...(pool.zones && { zones: pool.zones }) };
    state.resources[keyOf(scaleSet.id)] = { ...scaleSet, beside };
  }
}

const poolTag = "aks-managed-poolName";

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
