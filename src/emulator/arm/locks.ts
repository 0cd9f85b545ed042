/** Management locks: resources of type Microsoft.Authorization/locks at a scope. They can be seeded and deleted, and are enforced. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../service.js";
import type { AzureState } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import { findSubscription } from "./containers.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { scopeLocked } from "./errors.js";
import { page } from "./paging.js";
import { isWithin, keyOf } from "./resource-id.js";

const lockType = "microsoft.authorization/locks";
const marker = "/providers/microsoft.authorization/locks/";

export function isLock(type: string): boolean {
  return type.toLowerCase() === lockType;
}

/** The scope of a lock that forbids this verb on `id`: CanNotDelete forbids deletes, ReadOnly deletes and writes. */
function lockedScope(state: AzureState, id: string, verb: "write" | "delete"): string | undefined {
  for (const [key, lock] of Object.entries(state.resources)) {
    if (!isLock(lock.type)) continue;
    const scope = lock.id.slice(0, key.lastIndexOf(marker));
    const forbids = lock.properties["level"] === "ReadOnly" || verb === "delete";
    if (forbids && isWithin(id, scope)) return scope;
  }
  return undefined;
}

const versions = ["2016-09-01", "2020-05-01"];

export const lockEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/subscriptions/{subscriptionId}/providers/Microsoft.Authorization/locks", versions, handle: listInSubscription },
  { method: "DELETE", path: "{scope}/providers/Microsoft.Authorization/locks/{name}", versions, handle: remove },
];

/** Locks do not protect locks. */
function remove(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  const id = `${scope}/providers/Microsoft.Authorization/locks/${name}`;
  requireRight(call, "Microsoft.Authorization/locks/delete", scope);
  if (call.state.resources[keyOf(id)] === undefined) return { status: 204 };
  delete call.state.resources[keyOf(id)];
  return { status: 200, takes: call.sample("read") };
}

function listInSubscription(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  const scope = `/subscriptions/${subscriptionId}`;
  requireRight(call, "Microsoft.Authorization/locks/read", scope);
  findSubscription(call, subscriptionId);
  const locks = Object.values(call.state.resources).filter(({ id, type }) => isLock(type) && isWithin(id, scope));
  return page(
    call,
    locks.map(({ id, name, properties: { level, notes } }) => ({
      id,
      name,
      type: "Microsoft.Authorization/locks",
      properties: { level, ...(notes !== undefined && { notes }) },
    })),
  );
}

/** @throws ApiError ScopeLocked if a lock on the resource or on anything above it forbids the verb */
export function checkLocks(state: AzureState, id: string, verb: "write" | "delete"): void {
  const scope = lockedScope(state, id, verb);
  if (scope !== undefined) throw scopeLocked(id, verb, scope);
}
