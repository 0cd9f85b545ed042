/** Management locks: at a subscription, a group or a resource, inherited by everything below. */
import { lockResponse } from "./arm-responses.js";
import type { Azure } from "./azure.js";
import { parseResourceId, subscriptionScope } from "../domain/resource-id.js";
import { advise, joinAdvice, shell, type Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { orRefused } from "./or-refused.js";

export interface ManagementLock {
  readonly id: string;
  readonly name: string;
  /** "ReadOnly" forbids writes too, "CanNotDelete" only deletes. */
  readonly level: string;
  /** The ID of what it locks. */
  readonly scope: string;
}

const marker = /\/providers\/microsoft\.authorization\/locks\/[^/]+$/i;

/** All locks of a subscription, on whatever scope. */
export async function listLocks(azure: Pick<Azure, "manager">, subscriptionId: string): Promise<ManagementLock[]> {
  const manager = await azure.manager();
  const locks = await manager.list(
    `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/locks`,
    "2020-05-01",
    lockResponse,
  );
  return locks.map(({ id, name, properties: { level } }) => ({ id, name, level, scope: id.replace(marker, "") }));
}

/** All locks of the subscriptions of some resources. Without the permission to read locks, none: Azure's own refusal reports them. */
export async function locksNear(azure: Azure, ids: readonly string[]): Promise<ManagementLock[]> {
  const subscriptions = [...new Set(ids.map((id) => parseResourceId(id).subscriptionId.toLowerCase()))];
  const locks = await Promise.all(subscriptions.map((subscription) => orRefused(listLocks(azure, subscription))));
  return locks.flatMap((some) => some ?? []);
}

/** `what`: "the destroy". Undefined without locks. */
export function lockedFailure(locks: readonly ManagementLock[], what: string): Failure | undefined {
  if (locks.length === 0) return undefined;
  return new Failure("ARO-SUB-004", `${plural(locks.length, "management lock")} would block ${what}`, {
    because: locksText(locks),
    next: [advise`if its owner agrees, delete it: ${deletionOf(locks)}; then rerun the command`],
  });
}

export function locksText(locks: readonly ManagementLock[]): string {
  return locks.map(({ name, level, scope }) => `"${name}" (${level}) on ${scope}`).join("; ");
}

/** The commands that delete the locks. */
export function deletionOf(locks: readonly ManagementLock[]): Advice {
  return joinAdvice(
    locks.map(({ id }) => shell`az lock delete --ids ${id}`),
    ", ",
  );
}
