/** The containers of a path: its subscription and its resource group. */
import type { ArmCall } from "./resource-type.js";
import type { StoredResource, AzureState } from "../state/state.js";
import { readOnlyDisabledSubscription, resourceGroupNotFound, subscriptionNotFound } from "./errors.js";
import { keyOf } from "./resource-id.js";

export type Subscription = AzureState["subscriptions"][number];

/** @throws ApiError SubscriptionNotFound */
export function findSubscription({ state }: ArmCall, subscriptionId: string): Subscription {
  const found = state.subscriptions.find((one) => keyOf(one.subscriptionId) === keyOf(subscriptionId));
  if (found === undefined) throw subscriptionNotFound(subscriptionId);
  return found;
}

/** A disabled subscription can be read, but not written. @throws ApiError ReadOnlyDisabledSubscription */
export function requireEnabled({ state, request }: ArmCall): void {
  const { subscriptionState } = state.knobs ?? {};
  if (!["PUT", "PATCH", "DELETE"].includes(request.method) || (subscriptionState !== "Disabled" && subscriptionState !== "Deleted")) return;
  throw readOnlyDisabledSubscription(request.path[1] ?? "");
}

/** @throws ApiError ResourceGroupNotFound */
export function findGroup({ state }: ArmCall, subscriptionId: string, name: string): StoredResource {
  const group = state.resources[keyOf(`/subscriptions/${subscriptionId}/resourceGroups/${name}`)];
  if (group === undefined) throw resourceGroupNotFound(name);
  return group;
}

/** Whether a group refuses writes because it is being deleted. */
export function isBeingDeleted(group: StoredResource | undefined): boolean {
  return group?.properties["provisioningState"] === "Deleting";
}
