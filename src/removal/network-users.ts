/** Other clusters whose network is one that a destroy of a cluster deletes. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { assignedComponents } from "../domain/components.js";
import { infraIdTag } from "../domain/ownership.js";
import { isWithin, parseResourceId, sameId, sameType } from "../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../domain/resource-types.js";
import { tagValue } from "../domain/tags.js";
import type { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf } from "./assignments.js";
import { nameOf, type ExistingCluster, type NamedCluster } from "./existing-clusters.js";
import { usedByClusters } from "./set-in-use.js";
import type { SubscriptionLists } from "./subscription-lists.js";

export interface NetworkUser extends Pick<NamedCluster, "infraId" | "name"> {
  /** ID of the network, security group, NAT gateway or other resource of the destroyed cluster. */
  readonly uses: string;
}

interface InspectedGroup {
  readonly id: string;
  readonly contents: readonly { readonly id: string; readonly type: string; readonly name: string; readonly origin: string }[];
}

/** What something of a cluster refers to. */
export interface Reference {
  readonly infraId: string;
  readonly id: string;
}

const networkTypes = [resourceTypes.virtualNetwork.type, resourceTypes.networkSecurityGroup.type];

/** Only these get roles on the groups of networks and on no group of a public zone. */
const networkComponents = assignedComponents
  .filter(({ assigned: { scopes } }) => !scopes.includes("dns") && (scopes.includes("vnet") || scopes.includes("nsg")))
  .map(({ key }) => key);

/** The network behind the zone's link of each cluster without an own one; and the clusters whose subnets have a resource of the destroyed one. */
export async function readReferences(
  azure: Azure,
  { infraId }: { readonly infraId: string },
  { tagged }: Pick<SubscriptionLists, "tagged">,
): Promise<Reference[]> {
  const all = tagged.flatMap((one) => ({ id: one.id ?? "", type: one.type ?? "", owner: tagValue(one.tags, infraIdTag) ?? "" }));
  const isOf =
    ({ type }: ResourceType) =>
    (one: Pick<GenericResourceExpanded, "type">) =>
      sameType(one.type ?? "", type);
  const others = all.filter(({ owner }) => owner !== infraId);
  if (others.length === 0) return [];
  const networks = others.filter(isOf(resourceTypes.virtualNetwork));
  const links = others.filter(isOf(resourceTypes.virtualNetworkLink)).filter(({ owner }) => !networks.some((one) => one.owner === owner));
  const attachable = all.filter(({ owner }) => owner === infraId);
  const { virtualNetworkLinks } = await azure.privateDns();
  const { networkSecurityGroups, natGateways } = await azure.network();
  const behindLinks = links.map(async ({ id, owner }) => {
    const {
      resourceGroup = "",
      names: [zone = "", link = ""],
    } = parseResourceId(id);
    const live = await orRefused(found(virtualNetworkLinks.get(resourceGroup, zone, link)));
    return live?.virtualNetwork?.id === undefined ? [] : [{ infraId: owner, id: live.virtualNetwork.id }];
  });
  const attached = [
    ...attachable.filter(isOf(resourceTypes.networkSecurityGroup)).map(({ id }) => usersOf(networkSecurityGroups, id)),
    ...attachable.filter(isOf(resourceTypes.natGateway)).map(({ id }) => usersOf(natGateways, id)),
  ];
  return (await Promise.all([...behindLinks, ...attached])).flat();

  async function usersOf(
    client: { get(group: string, name: string): Promise<{ readonly subnets?: readonly { readonly id?: string }[] }> },
    id: string,
  ): Promise<Reference[]> {
    const { resourceGroup = "", name } = parseResourceId(id);
    const subnets = (await orRefused(found(client.get(resourceGroup, name))))?.subnets ?? [];
    return networks.flatMap((one) => (subnets.some((subnet) => isWithin(subnet.id ?? "", one.id)) ? [{ infraId: one.owner, id }] : []));
  }
}

/**
 * Something of theirs refers to the network. Clusters of hypershift have no tags: their role assignments show that their network is in this group, if
 * the group contains nothing of their own.
 */
export function networkUsers(
  groups: readonly InspectedGroup[],
  others: readonly ExistingCluster[],
  lists: Pick<SubscriptionLists, "groups" | "tagged" | "assignments">,
  references: readonly Reference[],
): NetworkUser[] {
  const deleted = groups.flatMap(({ contents }) => contents.filter(({ origin }) => origin !== "foreign"));
  return others.flatMap(({ infraId }) => {
    const own = references.filter((one) => one.infraId === infraId);
    const named = deleted.find(({ id }) => own.some((reference) => isWithin(reference.id, id)));
    const shown = groups.find((group) => isNetworkOf(infraId, group, lists.assignments));
    const network = named ?? shown?.contents.find(({ type, origin }) => origin === "ours" && isNetwork(type));
    return network === undefined ? [] : [{ infraId, name: nameOf(infraId, lists), uses: network.id }];
  });
}

function isNetworkOf(infraId: string, { id, contents }: InspectedGroup, assignments: readonly RoleAssignment[]): boolean {
  if (!contents.some(({ type, origin }) => origin === "ours" && isNetwork(type))) return false;
  const hasOwn = contents.some(({ name }) => sameText(name, infraId) || name.toLowerCase().includes(`-${infraId}`.toLowerCase()));
  if (hasOwn) return false;
  const onGroup = assignments.filter(({ scope = "" }) => sameId(scope, id));
  return assignmentsOf(infraId, onGroup).some(({ component }) => networkComponents.includes(component));
}

function isNetwork(type: string): boolean {
  return networkTypes.some((network) => sameType(type, network));
}

/** Undefined if no other cluster uses a network that is deleted. */
export function networkInUse({ networkUsers: users }: { readonly networkUsers: readonly NetworkUser[] }): Failure | undefined {
  const because = `their networks, zones or role assignments refer to ${[...new Set(users.map(({ uses }) => uses))].join(", ")}`;
  return usedByClusters("the network of this cluster is used", users, because);
}
