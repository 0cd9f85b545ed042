/** Locks that make a resource of a plan read-only: found before the first write. */
import type { Azure } from "../../azure/azure.js";
import { lockedFailure, locksNear } from "../../azure/management-locks.js";
import { isWithin } from "../../domain/resource-id.js";
import type { Plan } from "../../engine/plan.js";
import type { Failure } from "../../errors/failure.js";

export async function readOnlyLocks(azure: Azure, { steps }: Plan): Promise<Failure | undefined> {
  const written = steps.filter(({ decision: { act } }) => act === "create" || act === "update");
  const ids = written.flatMap(({ step: { resourceId } }) => resourceId ?? []);
  const locks = await locksNear(azure, ids);
  const blocking = locks.filter(({ level, scope }) => level === "ReadOnly" && ids.some((id) => isWithin(id, scope)));
  return lockedFailure(blocking, "the command; nothing was changed");
}
