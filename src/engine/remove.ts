/** Removes resources, each after those that must be removed before it: the same walk, events and result as a run. */
import { runTasks, type RunOptions } from "./run-tasks.js";
import { retryStale } from "./retry-stale.js";
import type { RunResult, Task } from "./run-result.js";
import type { Removal } from "./step.js";

/**
 * A failed removal skips its dependents; everything else continues.
 * @throws ARO-BUG-001 for an `after` that is unknown or cyclic.
 */
export async function removeAll(removals: readonly Removal[], options: RunOptions): Promise<RunResult> {
  const tasks = removals.map((removal): Task & { removal: Removal } => {
    const { id, title, resourceId, after, seconds, isLast } = removal;
    return { id, title, resourceId, needs: after, seconds, isLast, act: "remove", removal };
  });
  return runTasks(
    tasks,
    async ({ removal }, io) => {
      await retryStale(removal.title, io, () => removal.remove(io));
      return { act: "remove" as const };
    },
    options,
  );
}
