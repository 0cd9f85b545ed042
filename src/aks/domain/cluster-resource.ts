/** Which resource of an AKS cluster has a given ID, by type, name and group. */
import { aksClusterNames, type AksClusterNames } from "./cluster-names.js";
import { kindFacts, type AksClusterKey } from "../../domain/cluster-kind.js";
import { ownedBy } from "../../domain/ownership.js";
import { parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import type { Tags } from "../../domain/tags.js";
import { sameText } from "../../text/same-text.js";

/** An AKS cluster, and where its resources may be. */
export interface AksClusterPlaces {
  readonly cluster: AksClusterKey;
  readonly subscriptionId: string;
  /** Groups that replace the cluster's own (`--resource-group-name`); undefined if unknown: then any group may be one. */
  readonly existingGroups: readonly string[] | undefined;
}

interface NamedType {
  readonly row: ResourceType;
  names(of: AksClusterNames): readonly string[];
}

/** Every type that a create makes in the cluster's group. Their children are deleted with them. */
export const aksNamedTypes: readonly NamedType[] = [
  { row: resourceTypes.managedCluster, names: ({ cluster }) => [cluster] },
  { row: resourceTypes.virtualNetwork, names: ({ vnet }) => [vnet] },
  { row: resourceTypes.networkSecurityGroup, names: ({ securityGroup }) => [securityGroup] },
  {
    row: resourceTypes.publicIpAddress,
    names: ({ outboundAddress, ingressAddress, opsIngressAddress }) => [outboundAddress, ingressAddress, opsIngressAddress],
  },
  { row: resourceTypes.managedIdentity, names: ({ clusterIdentity, kubeletIdentity }) => [clusterIdentity, kubeletIdentity] },
  { row: resourceTypes.keyVault, names: ({ etcdVault }) => [etcdVault] },
];

/** What earlier versions named otherwise. Another cluster, or Azure/ARO-HCP, may use the name too, so only the tag shows whose it is. */
const formerNames = ({ kind }: AksClusterKey): readonly NamedType[] => [
  { row: resourceTypes.networkSecurityGroup, names: () => [kindFacts[kind].formerSecurityGroup] },
];

/** The name of the security group that an earlier version created, if it is among the IDs of what the cluster owns. */
export function formerSecurityGroup({ kind }: AksClusterKey, own: readonly string[]): string | undefined {
  const name = kindFacts[kind].formerSecurityGroup;
  const ids = own.map(parseResourceId).filter(({ type }) => sameType(type, resourceTypes.networkSecurityGroup.type));
  return ids.some((one) => sameText(one.name, name)) ? name : undefined;
}

/** The row of a group or a resource that the cluster gives this name in this group; undefined if there is none. */
export function aksClusterResource(
  { cluster, subscriptionId, existingGroups }: AksClusterPlaces,
  id: string,
  types = aksNamedTypes,
): ResourceType | undefined {
  const { type, name, resourceGroup } = parseResourceId(id);
  const names = aksClusterNames(cluster, subscriptionId);
  const isOwnGroup = sameText(names.group, resourceGroup);
  if (sameType(type, resourceTypes.resourceGroup.type)) return isOwnGroup ? resourceTypes.resourceGroup : undefined;
  if (!isOwnGroup && existingGroups?.some((group) => sameText(group, resourceGroup)) === false) return undefined;
  return types.find(({ row, names: of }) => sameType(row.type, type) && of(names).some((one) => sameText(one, name)))?.row;
}

/** Whether it has the tag of the cluster and a name that the cluster gives in that place. A policy may copy tags. */
export function aksClusterOwns(places: AksClusterPlaces, { id = "", tags }: { readonly id?: string; readonly tags?: Tags }): boolean {
  if (id === "" || ownedBy(tags, places.cluster) !== "ours") return false;
  return aksClusterResource(places, id, [...aksNamedTypes, ...formerNames(places.cluster)]) !== undefined;
}
