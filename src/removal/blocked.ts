/** Locks and deny assignments on what a destroy would delete. They are read before the first removal, because half a destroy is worse than none. */
import type { DenyAssignmentResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { deniesOn, deniesPrincipal, listDenyAssignments } from "../azure/deny-assignments.js";
import { listLocks, type ManagementLock } from "../azure/management-locks.js";
import { orRefused } from "../azure/or-refused.js";
import { signedIn } from "../azure/signed-in.js";
import { allows } from "../domain/allowed-actions.js";
import { deleteAction } from "../domain/required-actions.js";
import { isWithin, parseResourceId } from "../domain/resource-id.js";
import { advise, joinAdvice, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

/** `ids`: of everything that would be deleted. Without the permission to read locks or deny assignments, Azure's own refusal reports them. */
export async function blockedRemoval(azure: Azure, ids: readonly string[]): Promise<Failure | undefined> {
  const subscriptions = [...new Set(ids.map((id) => parseResourceId(id).subscriptionId.toLowerCase()))];
  const [locks, denials] = await Promise.all([
    Promise.all(subscriptions.map((subscription) => orRefused(listLocks(azure, subscription)))),
    Promise.all(subscriptions.map((subscription) => orRefused(listDenyAssignments(azure, subscription)))),
  ]);
  return (
    lockedRemoval(
      locks.flatMap((some) => some ?? []),
      ids,
    ) ??
    (await deniedRemoval(
      azure,
      denials.flatMap((some) => some ?? []),
      ids,
    ))
  );
}

/** A lock on a resource also keeps the group that contains it. */
function lockedRemoval(locks: readonly ManagementLock[], ids: readonly string[]): Failure | undefined {
  const blocking = locks.filter(({ scope }) => ids.some((id) => isWithin(id, scope) || isWithin(scope, id)));
  if (blocking.length === 0) return undefined;
  const commands = blocking.map(({ id }) => shell`az lock delete --ids ${id}`);
  return new Failure("ARO-SUB-004", `${plural(blocking.length, "management lock")} would block the destroy; nothing was deleted`, {
    because: blocking.map(({ name, level, scope }) => `"${name}" (${level}) on ${scope}`).join("; "),
    next: [advise`if its owner agrees, delete it: ${joinAdvice(commands, ", ")}; then rerun the command`],
  });
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
  return new Failure("ARO-AUTHZ-001", `${plural(blocking.length, "deny assignment")} would block the destroy; nothing was deleted`, {
    because: blocking
      .map(({ denyAssignmentName, scope, denied }) => `"${denyAssignmentName}" on ${scope} denies the deletion of ${denied.join(", ")}`)
      .join("; "),
    next: [
      "a managed application or a deployment stack owns the deny assignment: delete that, or ask its owner to exclude the signed-in principal",
    ],
  });
}
