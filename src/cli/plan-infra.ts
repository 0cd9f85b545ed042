/** A plan of the infrastructure, with every reason not to run it gathered. */
import type { Pace } from "../azure/pace.js";
import { toFailure } from "../azure/to-failure.js";
import { planSteps, type Plan } from "../engine/plan.js";
import type { Step } from "../engine/step.js";
import type { Stage } from "./stage.js";

export function planInfra(steps: readonly Step<unknown>[], concurrency: number, stage: Stage): Promise<Plan> {
  return planSteps(steps, { concurrency, signal: stage.signal, emit: stage.emit, now: () => performance.now(), toFailure });
}

/** Throws all that forbids running the plan; a plan that returns from here writes what it says and nothing else. */
export function throwIfRefused({ refusals, failures }: Plan): void {
  const reasons = [...refusals, ...failures].map(({ failure }) => failure);
  if (reasons.length > 0) throw new AggregateError(reasons, "the plan is refused");
}

/** Azure, or what is met at its pace. */
export interface Paced {
  readonly connection: { readonly pace: Pace };
}

/** What engine and steps need to run, beside what they are to do. */
export function runOptions(
  azure: Paced,
  stage: Stage,
  { concurrency, command, infraId }: { concurrency: number; command: string; infraId: string },
) {
  const { pace } = azure.connection;
  return {
    command,
    infraId,
    concurrency,
    signal: stage.signal,
    emit: stage.emit,
    now: () => performance.now(),
    toFailure,
    pollMs: 2000,
    sleep: (ms: number, signal: AbortSignal) => pace.sleep(ms, signal),
  };
}
