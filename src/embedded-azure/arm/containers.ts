/** What a path must lie in: its subscription and its resource group. */
import type { Call } from "../service.js";
import type { StoredResource, World } from "../world/world.js";
import { readOnlyDisabledSubscription, resourceGroupNotFound, subscriptionNotFound } from "./errors.js";
import { keyOf } from "./resource-id.js";

export type Subscription = World["subscriptions"][number];

/** Throws SubscriptionNotFound. */
export function findSubscription({ world }: Call, subscriptionId: string): Subscription {
  const found = world.subscriptions.find((one) => keyOf(one.subscriptionId) === keyOf(subscriptionId));
  if (found === undefined) throw subscriptionNotFound(subscriptionId);
  return found;
}

/** A subscription that nobody pays for can be read, and nothing of it written. Throws ReadOnlyDisabledSubscription. */
export function requireEnabled({ world, request }: Call): void {
  const state = world.knobs?.subscriptionState;
  if (!["PUT", "PATCH", "DELETE"].includes(request.method) || (state !== "Disabled" && state !== "Deleted")) return;
  throw readOnlyDisabledSubscription(request.path[1] ?? "");
}

/** Throws ResourceGroupNotFound. */
export function findGroup({ world }: Call, subscriptionId: string, name: string): StoredResource {
  const group = world.resources[keyOf(`/subscriptions/${subscriptionId}/resourceGroups/${name}`)];
  if (group === undefined) throw resourceGroupNotFound(name);
  return group;
}

/** Whether a group refuses writes because it is going. */
export function isBeingDeleted(group: StoredResource | undefined): boolean {
  return group?.properties["provisioningState"] === "Deleting";
}
