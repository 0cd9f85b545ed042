/** Keeps the node resource group of an AKS cluster as the cluster and its agent pools say: scale sets and the identities that they have. */
import type { StoredResource } from "../../../state/state.js";
import { resourcesWithin } from "../../indexes.js";
import { keyOf, segmentsOf } from "../../resource-id.js";
import type { Moment } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import { ensureScaleSets, type AssignedIdentity, type NodeGroup } from "./node-group.js";
import type { StoredPool } from "./pool-defaults.js";

export function ensureNodes(moment: Moment, cluster: StoredResource): void {
  const { identityProfile, addonProfiles, powerState } = cluster.properties as unknown as ClusterProperties;
  const reader = addonProfiles?.azureKeyvaultSecretsProvider?.identity;
  const group = nodeGroupOf(moment, cluster);
  const [managedSubnet] = resourcesWithin(moment.state, group.id, "Microsoft.Network/virtualNetworks/subnets");
  const pools = childrenOf(moment.state, cluster.id, "agentPools").map((pool) => {
    const { vmSize, count, vnetSubnetID, podSubnetID, availabilityZones, powerState: own } = pool.properties as StoredPool;
    const isRunning = powerState.code === "Running" && own.code === "Running";
    const subnets = [vnetSubnetID ?? managedSubnet?.id, podSubnetID].filter((id) => id !== undefined);
    return { name: pool.name, vmSize, count: isRunning ? count : 0, subnets, zones: availabilityZones };
  });
  const identities = [identityProfile.kubeletidentity, ...(reader === undefined ? [] : [reader])];
  ensureScaleSets(group, pools, identities, readerName(cluster.name));
}

/** What AKS stores of a cluster, as far as its nodes follow from it. */
interface ClusterProperties {
  readonly identityProfile: { readonly kubeletidentity: AssignedIdentity };
  readonly addonProfiles?: { readonly azureKeyvaultSecretsProvider?: { readonly identity?: AssignedIdentity } };
  readonly powerState: { readonly code: string };
}

/** The identity of the add-on that reads vaults. */
export function readerName(cluster: string): string {
  return `azurekeyvaultsecretsprovider-${cluster}`.toLowerCase();
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
