/** The resources that show in which groups clusters are. Tags are not needed: HyperShift sets none. */
import type { Azure } from "../azure/azure.js";
import { all } from "../azure/pages.js";
import { resourceTypes } from "../domain/resource-types.js";

export interface ClusterPlaces {
  /** IDs. */
  readonly virtualNetworks: readonly string[];
  readonly securityGroups: readonly {
    readonly id: string;
    /** IDs of the subnets that it is attached to. */
    readonly subnets: readonly string[];
  }[];
  /** IDs of the public DNS zones. */
  readonly publicZones: readonly string[];
}

export const noPlaces: ClusterPlaces = { virtualNetworks: [], securityGroups: [], publicZones: [] };

/** IDs of the load balancers of the subscription. That of a cluster has its infra ID as name: the cloud provider and Cluster API expect it. */
export function listLoadBalancers(azure: Azure): Promise<string[]> {
  return listIds(azure, undefined, resourceTypes.loadBalancer.type);
}

export async function readPlaces(azure: Azure, subscriptions: readonly string[]): Promise<ClusterPlaces> {
  const distinct = [...new Set(subscriptions.map((id) => id.toLowerCase()))];
  const places = await Promise.all(
    distinct.map(async (subscription) => {
      const [virtualNetworks, securityGroups, publicZones] = await Promise.all([
        listIds(azure, subscription, resourceTypes.virtualNetwork.type),
        listSecurityGroups(azure, subscription),
        listIds(azure, subscription, resourceTypes.publicDnsZone.type),
      ]);
      return { virtualNetworks, securityGroups, publicZones };
    }),
  );
  return {
    virtualNetworks: places.flatMap((one) => one.virtualNetworks),
    securityGroups: places.flatMap((one) => one.securityGroups),
    publicZones: places.flatMap((one) => one.publicZones),
  };
}

async function listIds(azure: Azure, subscription: string | undefined, type: string): Promise<string[]> {
  const { resources } = await azure.resources(subscription);
  const listed = await all(resources.list({ filter: `resourceType eq '${type}'` }));
  return listed.flatMap(({ id }) => id ?? []);
}

async function listSecurityGroups(azure: Azure, subscription: string): Promise<ClusterPlaces["securityGroups"]> {
  const { networkSecurityGroups } = await azure.network(subscription);
  const listed = await all(networkSecurityGroups.listAll());
  return listed.flatMap(({ id, subnets = [] }) =>
    id === undefined ? [] : [{ id, subnets: subnets.flatMap((subnet) => subnet.id ?? []) }],
  );
}
