/** The containers of a path: its subscription and its resource group. */
import type { ArmCall } from "./resource-type.js";
import type { SubscriptionState } from "../state/seed-settings.js";
import type { StoredResource, AzureState } from "../state/state.js";
import {
  invalidSubscriptionId,
  notEmulated,
  readOnlyDisabledSubscription,
  resourceGroupNotFound,
  resourceNotFound,
  subscriptionNotFound,
} from "./errors.js";
import { groupOf, keyOf, segmentsOf, typeAndNamesOf } from "./resource-id.js";

export type Subscription = AzureState["subscriptions"][number];

/** @throws ApiError SubscriptionNotFound */
export function findSubscription({ state }: ArmCall, subscriptionId: string): Subscription {
  const found = state.subscriptions.find((one) => keyOf(one.subscriptionId) === keyOf(subscriptionId));
  if (found === undefined) throw subscriptionNotFound(subscriptionId);
  return found;
}

/** @throws ApiError InvalidSubscriptionId */
export function requireSubscriptionId({ request: { path } }: ArmCall): void {
  const [subscriptions, subscriptionId] = path;
  if (subscriptions?.toLowerCase() !== "subscriptions" || subscriptionId === undefined) return;
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(subscriptionId)) throw invalidSubscriptionId(subscriptionId);
}

export function stateOf({ knobs }: AzureState, { state }: Subscription): SubscriptionState {
  return state ?? knobs?.subscriptionState ?? "Enabled";
}

/** A disabled subscription can be read, but not written. @throws ApiError ReadOnlyDisabledSubscription */
export function requireEnabled({ state, request: { method, path } }: ArmCall): void {
  if (!["PUT", "PATCH", "DELETE"].includes(method) || path[0]?.toLowerCase() !== "subscriptions") return;
  const subscription = state.subscriptions.find((one) => keyOf(one.subscriptionId) === keyOf(path[1] ?? ""));
  if (subscription === undefined || !["Disabled", "Deleted"].includes(stateOf(state, subscription))) return;
  throw readOnlyDisabledSubscription(subscription.subscriptionId);
}

/** @throws ApiError ResourceGroupNotFound */
export function findGroup({ state }: ArmCall, subscriptionId: string, name: string): StoredResource {
  const group = state.resources[keyOf(`/subscriptions/${subscriptionId}/resourceGroups/${name}`)];
  if (group === undefined) throw resourceGroupNotFound(name);
  return group;
}

/**
 * What an extension of a resource (a lock, an assignment, a custom role) extends: a subscription, a group or a resource, as it is
 * stored; undefined for a subscription. @throws ApiError if it does not exist
 */
export function findScope(call: ArmCall, scope: string): StoredResource | undefined {
  const [subscriptions, subscriptionId = "", , group] = segmentsOf(scope);
  if (subscriptions?.toLowerCase() !== "subscriptions") throw notEmulated(call.request.method, call.request.path);
  findSubscription(call, subscriptionId);
  if (groupOf(scope) === undefined || group === undefined) return undefined;
  const { name } = findGroup(call, subscriptionId, group);
  const resource = call.state.resources[keyOf(scope)];
  if (resource === undefined) throw resourceNotFound(typeAndNamesOf(scope), name);
  return resource;
}

/** Whether a group refuses writes because it is being deleted. */
export function isBeingDeleted(group: StoredResource | undefined): boolean {
  return group?.properties["provisioningState"] === "Deleting";
}
