/** Other clusters whose network is one that a destroy of a cluster deletes. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { assignedComponents } from "../domain/components.js";
import { recordedOption } from "../domain/option-tags.js";
import { infraIdTag } from "../domain/ownership.js";
import { isWithin, sameId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { tagValue } from "../domain/tags.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf } from "./assignments.js";
import { nameOf, type ExistingCluster, type NamedCluster } from "./existing-clusters.js";
import { destroyFirst } from "./set-in-use.js";
import type { SubscriptionLists } from "./subscription-lists.js";

export interface NetworkUser extends Pick<NamedCluster, "infraId" | "name"> {
  /** ID of the network, security group, NAT gateway or other resource of the destroyed cluster. */
  readonly uses: string;
}

/** A group of the destroyed cluster. */
interface InspectedGroup {
  readonly id: string;
  readonly contents: readonly { readonly id: string; readonly type: string; readonly name: string; readonly origin: string }[];
}

const recordedIds = ["vnetId", "subnetId", "networkSecurityGroupId", "natGatewayId"] as const;
const networkTypes = [resourceTypes.virtualNetwork.type, resourceTypes.networkSecurityGroup.type];

/** Only these get roles on the groups of networks and on no group of a public zone. */
const networkComponents = assignedComponents
  .filter(({ assigned: { scopes } }) => !scopes.includes("dns") && (scopes.includes("vnet") || scopes.includes("nsg")))
  .map(({ key }) => key);

/**
 * Their records name the network. Clusters of hypershift have none: their role assignments show that their network is in this group, if the group
 * contains nothing of their own.
 */
export function networkUsers(
  groups: readonly InspectedGroup[],
  others: readonly ExistingCluster[],
  lists: Pick<SubscriptionLists, "groups" | "tagged" | "assignments">,
): NetworkUser[] {
  const deleted = groups.flatMap(({ contents }) => contents.filter(({ origin }) => origin !== "foreign"));
  return others.flatMap(({ infraId }) => {
    const own = [...lists.groups, ...lists.tagged].filter(({ tags }) => tagValue(tags, infraIdTag) === infraId);
    const recorded = recordedIds.flatMap((key) => own.flatMap(({ tags }) => recordedOption(tags, key) ?? []));
    const named = deleted.find(({ id }) => recorded.some((other) => isWithin(other, id)));
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
  if (users.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the network of this cluster is used by ${users.map(({ infraId }) => infraId).join(", ")}`, {
    because: `their records or role assignments name ${[...new Set(users.map(({ uses }) => uses))].join(", ")}`,
    next: destroyFirst(users),
  });
}
