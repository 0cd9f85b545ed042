/** Locks that make a resource of a plan read-only: found before the first write. */
import { lockedFailure, type locksReader } from "../azure/management-locks.js";
import { isWithin, parseResourceId } from "../domain/resource-id.js";
import { isWritten, type Plan } from "../engine/plan.js";
import type { Failure } from "../errors/failure.js";

export async function readOnlyLocks(locksOf: ReturnType<typeof locksReader>, { steps }: Plan): Promise<Failure | undefined> {
  const written = steps.filter(isWritten);
  const ids = written.flatMap(({ step: { resourceId } }) => resourceId ?? []);
  const subscriptions = [...new Set(ids.map((id) => parseResourceId(id).subscriptionId.toLowerCase()))];
  const locks = await Promise.all(subscriptions.map(locksOf));
  const blocking = locks.flat().filter(({ level, scope }) => level === "ReadOnly" && ids.some((id) => isWithin(id, scope)));
  return lockedFailure(blocking, "the command; nothing was changed");
}
