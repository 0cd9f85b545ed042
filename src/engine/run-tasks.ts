/** Runs the tasks of a graph, for an apply or a removal, and reports them as events and a result. */
import { asCurrentStep, stepIo } from "./current-step.js";
import type { EngineEvent } from "./events.js";
import { failureOf } from "./failure-of.js";
import type { Failure } from "../errors/failure.js";
import type { PlanOptions } from "./plan.js";
import { runResult, type DoneAct, type RunResult, type Task } from "./run-result.js";
import type { StepIo } from "./step.js";
import { walk, type Outcome } from "./walk.js";

export interface RunOptions extends PlanOptions {
  /** The command, for the events: `create infra`. */
  readonly command: string;
  readonly subject: string;
  readonly infraId?: string | undefined;
  /** Reads Azure after the last task, before the run is reported as done. False if it did not achieve what it should. */
  readonly lastRead?: (result: RunResult) => Promise<boolean>;
  /** Gets the failure of a task that ends the run: it does not fail the run. */
  readonly warn: (failure: Failure) => void;
}

/** Runs one task with the results of the tasks it needs. */
export type DoTask<T, D> = (task: T, io: StepIo, results: ReadonlyMap<string, D>) => Promise<D>;

/** Never rejects for an error of a task: the result contains it. */
export async function runTasks<T extends Task, D extends { readonly act: DoneAct }>(
  tasks: readonly T[],
  doTask: DoTask<T, D>,
  options: RunOptions,
): Promise<RunResult> {
  const { command, subject, infraId, concurrency, signal, emit, elapsedMs, toFailure, lastRead } = options;
  const began = elapsedMs();
  emit({ type: "run.started", command, subject, infraId, steps: tasks.length });

  const visit = async (task: T, results: ReadonlyMap<string, D>): Promise<D> => {
    emit({ type: "step.started", step: task.id, title: task.title, act: task.act, needs: task.needs });
    if (task.isLast !== true) {
      const io = stepIo(task, options);
      return asCurrentStep(io, () => doTask(task, io, results));
    }
    // With a signal of its own, because that of the run may have aborted.
    const io = stepIo(task, { ...options, signal: new AbortController().signal });
    try {
      return await asCurrentStep(io, () => doTask(task, io, results));
    } catch (error) {
      options.warn(failureOf(error, task.title, toFailure));
      return { act: "keep" } as D;
    }
  };
  const onEnd = (task: T, outcome: Outcome<D>): void => {
    const event = endEvent(task, outcome);
    if (event !== undefined) emit(event);
  };

  const outcomes = await walk(tasks, visit, { concurrency, signal, elapsedMs, toFailure, onEnd });
  const walked = runResult(tasks, outcomes, { began, ended: elapsedMs() });
  const achieved = (await lastRead?.(walked)) ?? true;
  const result = { ...walked, ok: walked.ok && achieved };
  const { ok, counts, criticalPath } = result;
  emit({ type: "run.finished", ok, elapsedMs: result.elapsedMs, counts, criticalPath });
  return result;
}

/** Only `run.finished` reports what was interrupted or never started. */
function endEvent(task: Task, outcome: Outcome<{ readonly act: DoneAct }>): EngineEvent | undefined {
  const step = { step: task.id, title: task.title };
  switch (outcome.status) {
    case "done":
      return { type: "step.done", ...step, act: outcome.value.act, elapsedMs: outcome.endedMs - outcome.startedMs, id: task.resourceId };
    case "failed":
      return { type: "step.failed", ...step, elapsedMs: outcome.endedMs - outcome.startedMs, failure: outcome.failure };
    case "skipped":
      return { type: "step.skipped", ...step, because: outcome.because };
    case "interrupted":
    case "cancelled":
      return undefined;
  }
}
