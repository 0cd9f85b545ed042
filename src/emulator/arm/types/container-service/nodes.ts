/** Keeps the node resource group of an AKS cluster as the cluster and its agent pools say: scale sets and the identities that they have. */
import type { StoredResource } from "../../../state/state.js";
import { segmentsOf } from "../../resource-id.js";
import type { Moment } from "../../resource-type.js";
import { childrenOf } from "../uses.js";
import { ensureScaleSets, type AssignedIdentity, type NodeGroup } from "./node-group.js";

export function ensureNodes(moment: Moment, cluster: StoredResource): void {
  const { identityProfile, addonProfiles } = cluster.properties as unknown as ClusterProperties;
  const reader = addonProfiles?.azureKeyvaultSecretsProvider?.identity;
  const pools = childrenOf(moment.state, cluster.id, "agentPools").map(({ name, properties: { vmSize, count } }) => ({
    name,
    vmSize: String(vmSize),
    count: Number(count),
  }));
  const identities = [identityProfile.kubeletidentity, ...(reader === undefined ? [] : [reader])];
  ensureScaleSets(nodeGroupOf(moment, cluster), pools, identities, readerName(cluster.name));
}

/** What AKS stores of a cluster, as far as its nodes follow from it. */
interface ClusterProperties {
  readonly identityProfile: { readonly kubeletidentity: AssignedIdentity };
  readonly addonProfiles?: { readonly azureKeyvaultSecretsProvider?: { readonly identity?: AssignedIdentity } };
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
