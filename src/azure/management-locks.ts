/** Management locks: at a subscription, a group or a resource, inherited by everything below. */
import { lockResponse } from "./arm-responses.js";
import type { Azure } from "./azure.js";
import { oncePerKey } from "./concurrency.js";
import { subscriptionScope } from "../domain/resource-id.js";
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

/** Reads each subscription once. Without the permission to read locks, none: Azure's own refusal reports them. */
export function locksReader(azure: Azure): (subscriptionId: string) => Promise<readonly ManagementLock[]> {
  const reads = oncePerKey<readonly ManagementLock[]>();
  return (subscriptionId) => reads.get(subscriptionId.toLowerCase(), async () => (await orRefused(listLocks(azure, subscriptionId))) ?? []);
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

export function deletionOf(locks: readonly ManagementLock[]): Advice {
  return joinAdvice(
    locks.map(({ id }) => shell`az lock delete --ids ${id}`),
    ", ",
  );
}
