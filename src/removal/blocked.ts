/** Finds locks and deny assignments before the first removal, because half a destroy is worse than none. */
import type { DenyAssignmentResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { deniesOn, deniesPrincipal, listDenyAssignments } from "../azure/deny-assignments.js";
import { listLocks, lockedFailure } from "../azure/management-locks.js";
import { orRefused } from "../azure/or-refused.js";
import { signedIn } from "../azure/signed-in.js";
import { allows } from "../domain/allowed-actions.js";
import { deleteAction } from "../domain/required-actions.js";
import { isWithin, parseResourceId } from "../domain/resource-id.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

/**
 * `ids` are those of everything that would be deleted. `byAzure` are those of what an Azure service deletes with it: locks block that, but no
 * deny assignment for the caller. `say` reports what may not be read: then only Azure's own refusal shows it, after some removals.
 */
export async function blockedRemoval(
  azure: Azure,
  ids: readonly string[],
  say: (text: string) => void,
  byAzure: readonly string[] = [],
): Promise<Failure | undefined> {
  const subscriptions = [...new Set(ids.map((id) => parseResourceId(id).subscriptionId.toLowerCase()))];
  const [locks, denials] = await Promise.all([
    Promise.all(subscriptions.map((subscriptionId) => orRefused(listLocks(azure, subscriptionId)))),
    Promise.all(subscriptions.map((subscriptionId) => orRefused(listDenyAssignments(azure, subscriptionId)))),
  ]);
  for (const [list, action, what] of [
    [locks, "locks", "management locks"],
    [denials, "denyAssignments", "deny assignments"],
  ] as const) {
    if (list.includes(undefined)) {
      say(
        `warning: the signed-in principal has no permission to read ${what} (Microsoft.Authorization/${action}/read): one that blocks a deletion is found only after other resources are deleted`,
      );
    }
  }
  // A lock on a resource also keeps the group that contains it.
  const blocking = locks
    .flatMap((some) => some ?? [])
    .filter(({ scope }) => [...ids, ...byAzure].some((id) => isWithin(id, scope) || isWithin(scope, id)));
  const denied = denials.flatMap((some) => some ?? []);
  return lockedFailure(blocking, "the destroy") ?? (await deniedRemoval(azure, denied, ids));
}

async function deniedRemoval(
  azure: Azure,
  denials: readonly DenyAssignmentResponse[],
  ids: readonly string[],
): Promise<Failure | undefined> {
  if (denials.length === 0) return undefined;
  const { objectId } = await signedIn(azure.connection);
  const blocking = denials
    .filter((denial) => deniesPrincipal(denial, objectId))
    .map((denial) => ({
      ...denial.properties,
      denied: ids.filter((id) => deniesOn(denial, id) && allows(denial.properties.permissions, deleteAction(parseResourceId(id).type))),
    }))
    .filter(({ denied }) => denied.length > 0);
  if (blocking.length === 0) return undefined;
  return new Failure("ARO-AUTHZ-001", `${plural(blocking.length, "deny assignment")} would block the destroy`, {
    because: blocking
      .map(({ denyAssignmentName, scope, denied }) => `"${denyAssignmentName}" on ${scope} denies the deletion of ${denied.join(", ")}`)
      .join("; "),
    next: [
      "a managed application or a deployment stack owns the deny assignment: delete that, or ask its owner to exclude the signed-in principal",
    ],
  });
}
