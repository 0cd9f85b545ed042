/** The result of a run or a removal, with its timing, computed from how every task ended. */
import type { SkippedStep, StepFailure } from "./plan.js";
import type { Act } from "./step.js";
import type { Outcome, WalkNode } from "./walk.js";

export type DoneAct = Exclude<Act, "refuse">;

/** A node of a run: a planned step, or a removal. */
export interface Task extends WalkNode {
  /** ARM ID, if it follows from names alone. */
  readonly resourceId: string | undefined;
  /** The planned act; the actual one may differ, see `StepRun.act`. */
  readonly act: Act | "wait";
  /** Whether it is about a file: nothing goes on after the run. */
  readonly isLocal?: boolean;
}

/** How a task ended. Times are milliseconds since the start of the run. */
export interface StepRun {
  readonly id: string;
  readonly title: string;
  /** The actual act; the planned one if the task did not succeed. */
  readonly act: Task["act"];
  readonly status: Outcome<unknown>["status"];
  readonly resourceId: string | undefined;
  readonly needs: readonly string[];
  /** Undefined if it never started. */
  readonly startedMs: number | undefined;
  readonly endedMs: number | undefined;
  /** The need that ended last. */
  readonly waitedOn: string | undefined;
}

const countOf = {
  create: "created",
  update: "updated",
  replace: "replaced",
  keep: "kept",
  use: "used",
  remove: "removed",
} as const satisfies Record<DoneAct, string>;

/** How many tasks ended in each way; has every key. */
export type Counts = Readonly<Record<(typeof countOf)[DoneAct] | Exclude<Outcome<unknown>["status"], "done">, number>>;

export interface RunResult {
  /** Every task succeeded, and so did the run's last read. */
  readonly ok: boolean;
  /** All tasks, in the order given. */
  readonly steps: readonly StepRun[];
  readonly failures: readonly StepFailure[];
  readonly skipped: readonly SkippedStep[];
  /** IDs of tasks that never started because the run was aborted. */
  readonly cancelled: readonly string[];
  /** IDs of tasks of Azure that were running when the run was aborted: Azure may still be working on them. */
  readonly interrupted: readonly string[];
  readonly counts: Counts;
  readonly elapsedMs: number;
  /** The chain of tasks that took longest, first to last: each is the need that the next one waited for longest. */
  readonly criticalPath: readonly string[];
}

/** `began` and `ended` use the clock of the outcomes. */
export function runResult(
  tasks: readonly Task[],
  outcomes: ReadonlyMap<string, Outcome<{ readonly act: DoneAct }>>,
  { began, ended }: { readonly began: number; readonly ended: number },
): RunResult {
  const steps: StepRun[] = [];
  const failures: StepFailure[] = [];
  const skipped: SkippedStep[] = [];
  const cancelled: string[] = [];
  const done = { created: 0, updated: 0, replaced: 0, kept: 0, used: 0, removed: 0 };
  const counts = { ...done, failed: 0, interrupted: 0, skipped: 0, cancelled: 0 };
  for (const task of tasks) {
    const { id, title, needs, resourceId } = task;
    const outcome = outcomes.get(id) ?? { status: "cancelled" };
    counts[outcome.status === "done" ? countOf[outcome.value.act] : outcome.status] += 1;
    if (outcome.status === "failed") failures.push({ step: id, title, failure: outcome.failure });
    if (outcome.status === "skipped") skipped.push({ step: id, title, because: outcome.because });
    if (outcome.status === "cancelled") cancelled.push(id);
    const act = outcome.status === "done" ? outcome.value.act : task.act;
    const hasStarted = "startedMs" in outcome;
    const [startedMs, endedMs] = hasStarted ? [outcome.startedMs - began, outcome.endedMs - began] : [];
    const waitedOn = hasStarted ? endedLast(needs, outcomes) : undefined;
    steps.push({ id, title, act, status: outcome.status, resourceId, needs, startedMs, endedMs, waitedOn });
  }
  return {
    ok: counts.failed + counts.interrupted + counts.skipped + counts.cancelled === 0,
    steps,
    failures,
    skipped,
    cancelled,
    interrupted: tasks.filter(({ id, isLocal }) => outcomes.get(id)?.status === "interrupted" && isLocal !== true).map(({ id }) => id),
    counts,
    elapsedMs: ended - began,
    criticalPath: criticalPath(steps).map(({ id }) => id),
  };
}

function endedLast(needs: readonly string[], outcomes: ReadonlyMap<string, Outcome<unknown>>): string | undefined {
  const endOf = (id: string): number => {
    const outcome = outcomes.get(id);
    return outcome !== undefined && "endedMs" in outcome ? outcome.endedMs : -Infinity;
  };
  return needs.toSorted((a, b) => endOf(b) - endOf(a))[0];
}

function criticalPath(steps: readonly StepRun[]): StepRun[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const path: StepRun[] = [];
  let at = steps.filter(({ endedMs }) => endedMs !== undefined).toSorted((a, b) => (b.endedMs ?? 0) - (a.endedMs ?? 0))[0];
  while (at !== undefined) {
    path.unshift(at);
    at = at.waitedOn === undefined ? undefined : byId.get(at.waitedOn);
  }
  return path;
}
