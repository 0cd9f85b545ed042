/** Azure's lists of whole subscriptions, from which a destroy decides what belongs to which cluster. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { distinct } from "../azure/distinct.js";
import { all } from "../azure/pages.js";
import { infraIdTag } from "../domain/ownership.js";
import { resourceTypes } from "../domain/resource-types.js";
import { sameText } from "../text/same-text.js";
import { listAssignments } from "./assignments.js";

export interface SubscriptionLists {
  readonly groups: readonly ResourceGroup[];
  /** The resources with the tag of a cluster, of all clusters. */
  readonly tagged: readonly GenericResourceExpanded[];
  /** IDs of the load balancers. That of a cluster has its infra ID as name: the cloud provider and Cluster API expect it. */
  readonly loadBalancers: readonly string[];
  readonly assignments: readonly RoleAssignment[];
}

/** Reads the connection's subscription. `listed` are its role assignments, if other callers need them too. */
export async function readSubscriptionLists(
  azure: Azure,
  listed: Promise<RoleAssignment[]> = listAssignments(azure, [azure.connection.subscriptionId]),
): Promise<SubscriptionLists> {
  const [groups, tagged, loadBalancers, assignments] = await Promise.all([
    listGroups(azure),
    listTagged(azure),
    listIds(azure, undefined, resourceTypes.loadBalancer.type),
    listed,
  ]);
  return { groups, tagged, loadBalancers, assignments };
}

/** The lists with the role assignments of other subscriptions. */
export async function withOtherSubscriptions(
  azure: Azure,
  read: Promise<SubscriptionLists>,
  subscriptions: readonly string[],
): Promise<SubscriptionLists> {
  const others = subscriptions.filter((id) => !sameText(id, azure.connection.subscriptionId));
  const [lists, assignments] = await Promise.all([read, listAssignments(azure, others)]);
  return { ...lists, assignments: distinct([...lists.assignments, ...assignments]) };
}

/** The networks and zones that show in which groups clusters are. Tags are not needed: HyperShift sets none. */
export interface NetworkLists {
  /** The IDs of the virtual networks. */
  readonly virtualNetworks: readonly string[];
  readonly securityGroups: readonly {
    readonly id: string;
    /** IDs of the subnets that it is attached to. */
    readonly subnets: readonly string[];
  }[];
  /** IDs of the public DNS zones. */
  readonly publicZones: readonly string[];
}

export const noNetworkLists: NetworkLists = { virtualNetworks: [], securityGroups: [], publicZones: [] };

export async function readNetworkLists(azure: Azure, subscriptions: readonly string[]): Promise<NetworkLists> {
  const distinct = [...new Set(subscriptions.map((id) => id.toLowerCase()))];
  const lists = await Promise.all(
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
    virtualNetworks: lists.flatMap((one) => one.virtualNetworks),
    securityGroups: lists.flatMap((one) => one.securityGroups),
    publicZones: lists.flatMap((one) => one.publicZones),
  };
}

async function listGroups(azure: Azure): Promise<ResourceGroup[]> {
  const { resourceGroups } = await azure.resources();
  return all(resourceGroups.list());
}

/** Lists the resources of all clusters, to know what belongs to others. */
async function listTagged(azure: Azure): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  return all(resources.list({ filter: `tagName eq '${infraIdTag}'` }));
}

async function listIds(azure: Azure, subscription: string | undefined, type: string): Promise<string[]> {
  const { resources } = await azure.resources(subscription);
  const listed = await all(resources.list({ filter: `resourceType eq '${type}'` }));
  return listed.flatMap(({ id }) => id ?? []);
}

async function listSecurityGroups(azure: Azure, subscription: string): Promise<NetworkLists["securityGroups"]> {
  const { networkSecurityGroups } = await azure.network(subscription);
  const listed = await all(networkSecurityGroups.listAll());
  return listed.flatMap(({ id, subnets = [] }) =>
    id === undefined ? [] : [{ id, subnets: subnets.flatMap((subnet) => subnet.id ?? []) }],
  );
}
