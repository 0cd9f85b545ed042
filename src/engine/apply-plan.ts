/** Applies a plan: keeps what is up to date, writes what differs, waits for operations in flight. */
import { Failure } from "../errors/failure.js";
import { runTasks, type RunOptions } from "./run-tasks.js";
import { applyStep, type Applied, type Polling } from "./apply-step.js";
import { outputsOf } from "./outputs.js";
import type { Plan, PlannedStep } from "./plan.js";
import type { RunResult, Task } from "./run-result.js";
import type { Step } from "./step.js";

export interface ApplyOptions extends RunOptions, Polling {
  /** Called for each step that succeeds, kept ones included: one at a time, in the order they ended. If it throws, the step has failed. */
  readonly onDone?: (step: Step<unknown>, output: unknown) => Promise<void> | void;
}

/** @throws ARO-BUG-001 for a plan with refusals or failures: nothing may be written then. */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<RunResult> {
  if (plan.refusals.length + plan.failures.length > 0) throw new Failure("ARO-BUG-001", "cannot apply a plan with refusals or failures");
  const tasks = plan.steps.map((planned): Task & { planned: PlannedStep } => {
    const { id, title, needs, resourceId, declared, subject } = planned.step;
    const { act } = planned.decision;
    const seconds = act === "keep" || act === "use" ? undefined : declared.seconds;
    return { id, title, needs, resourceId, seconds, act, isLast: declared.isLast, isLocal: subject?.kind === "file", planned };
  });
  const inOrder = queue();

  return runTasks<(typeof tasks)[number], Applied>(
    tasks,
    async ({ planned }, io, results) => {
      const { step } = planned;
      const outputs = outputsOf(step.declared.needs, (id) => results.get(id)?.output);
      const containerCreated = step.within !== undefined && results.get(step.within)?.act === "create";
      const applied = await applyStep(planned, outputs, containerCreated, io, options);
      await inOrder(() => options.onDone?.(step, applied.output));
      return applied;
    },
    options,
  );
}

/** Calls `work` one at a time: documents are rewritten as a whole, so two concurrent writers could undo each other. */
function queue(): (call: () => Promise<void> | void) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (call) => {
    const turn = last.then(call);
    last = turn.catch(() => undefined);
    return turn;
  };
}
