/** Who else uses the resources of an AKS cluster, which are kept for them. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { idKey, isWithin, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import type { FoundAksResource } from "./cluster-group.js";
import { principalsOf } from "./aks-assignments.js";

/** The other AKS clusters of the subscription. @throws ARO-AUTHZ-001 without the permission to list them: they may use what is deleted */
export async function otherAksClusters(azure: Azure, ownId: string | undefined): Promise<ManagedCluster[]> {
  const { managedClusters } = await azure.clusters();
  const listed = await all(managedClusters.list());
  return listed.filter(({ id = "" }) => ownId === undefined || !sameId(id, ownId));
}

/** "AKS cluster svc" if one of them has the principal as its identity. */
export function clusterWithIdentity(others: readonly ManagedCluster[], objectId: string): string | undefined {
  return titled(others.find((other) => principalsOf(other, []).some((one) => sameText(one.objectId, objectId))));
}

/** Whoever uses each resource besides the cluster and its nodes; empty if nobody does. */
export async function usersOf(
  azure: Azure,
  resources: readonly FoundAksResource[],
  isOwnUser: (id: string) => boolean,
  others: readonly ManagedCluster[],
): Promise<ReadonlyMap<FoundAksResource, readonly string[]>> {
  const users = await Promise.all(
    resources.map(async (resource) => {
      const refers = others.filter((other) => refersTo(other, resource)).flatMap((other) => titled(other) ?? []);
      const attached = (await attachments(azure, resource)).filter((id) => !isOwnUser(id));
      return [resource, refers.length > 0 ? refers : attached] as const;
    }),
  );
  return keptOnes(new Map(users));
}

/** A subnet of a deleted network holds nothing; one of a kept network does. */
function keptOnes(users: ReadonlyMap<FoundAksResource, readonly string[]>): ReadonlyMap<FoundAksResource, readonly string[]> {
  const deletedNetworks = [...users].flatMap(([{ id, type }, some]) =>
    sameType(type, resourceTypes.virtualNetwork.type) && some.length === 0 ? [id] : [],
  );
  return new Map(
    [...users].map(
      ([resource, some]) => [resource, some.filter((user) => !deletedNetworks.some((network) => isWithin(user, network)))] as const,
    ),
  );
}

function titled(cluster: ManagedCluster | undefined): string | undefined {
  return cluster && `${resourceTypes.managedCluster.label} ${cluster.name ?? cluster.id ?? ""}`;
}

/** Whether any property of a cluster has the ID of the resource or of a part of it, or the hostname of the vault. */
export function refersTo(cluster: ManagedCluster, { id, type, name }: Pick<FoundAksResource, "id" | "type" | "name">): boolean {
  const text = JSON.stringify(cluster).toLowerCase();
  if (sameType(type, resourceTypes.keyVault.type) && text.includes(`https://${name.toLowerCase()}.`)) return true;
  return text.includes(`"${idKey(id)}"`) || text.includes(`"${idKey(id)}/`);
}

/** The IDs of what is attached to a resource of the network, as the resource itself shows them. */
async function attachments(azure: Azure, { id, type, name }: FoundAksResource): Promise<string[]> {
  const group = parseResourceId(id).resourceGroup ?? "";
  const { virtualNetworks, networkSecurityGroups, publicIPAddresses } = await azure.network();
  if (sameType(type, resourceTypes.virtualNetwork.type)) {
    const subnets = (await found(virtualNetworks.get(group, name)))?.subnets ?? [];
    return subnets.flatMap(({ ipConfigurations = [], privateEndpoints = [] }) => idsOf([...ipConfigurations, ...privateEndpoints]));
  }
  if (sameType(type, resourceTypes.networkSecurityGroup.type)) {
    const live = await found(networkSecurityGroups.get(group, name));
    return idsOf([...(live?.subnets ?? []), ...(live?.networkInterfaces ?? [])]);
  }
  if (sameType(type, resourceTypes.publicIpAddress.type)) {
    const live = await found(publicIPAddresses.get(group, name));
    return idsOf([live?.ipConfiguration, live?.natGateway]);
  }
  return [];
}

function idsOf(references: readonly ({ readonly id?: string } | undefined)[]): string[] {
  return [...new Set(references.flatMap((one) => one?.id ?? []))];
}
