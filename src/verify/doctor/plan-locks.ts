/** Locks that make a resource of a plan read-only: found before the first write. */
import type { Azure } from "../../azure/azure.js";
import { listLocks } from "../../azure/management-locks.js";
import { orRefused } from "../../azure/or-refused.js";
import { isWithin, parseResourceId } from "../../domain/resource-id.js";
import type { Plan } from "../../engine/plan.js";
import { advise, joinAdvice, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";

/** Without the permission to read locks, Azure's own refusal reports them. */
export async function readOnlyLocks(azure: Azure, { steps }: Plan): Promise<Failure[]> {
  const written = steps.filter(({ decision: { act } }) => act === "create" || act === "update");
  const ids = written.flatMap(({ step: { resourceId } }) => resourceId ?? []);
  const subscriptions = [...new Set(ids.map((id) => parseResourceId(id).subscriptionId.toLowerCase()))];
  const locks = await Promise.all(subscriptions.map((subscription) => orRefused(listLocks(azure, subscription))));
  const blocking = locks
    .flatMap((some) => some ?? [])
    .filter(({ level, scope }) => level === "ReadOnly" && ids.some((id) => isWithin(id, scope)));
  if (blocking.length === 0) return [];
  const commands = blocking.map(({ id }) => shell`az lock delete --ids ${id}`);
  return [
    new Failure("ARO-SUB-004", `${plural(blocking.length, "management lock")} would block the command; nothing was changed`, {
      because: blocking.map(({ name, level, scope }) => `"${name}" (${level}) on ${scope}`).join("; "),
      next: [advise`if its owner agrees, delete it: ${joinAdvice(commands, ", ")}; then rerun the command`],
    }),
  ];
}
