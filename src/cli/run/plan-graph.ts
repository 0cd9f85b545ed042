/** A plan of a graph of steps, and every reason not to run it gathered. */
import { planSteps, type Plan } from "../../engine/plan.js";
import type { Failure } from "../../errors/failure.js";
import type { Step } from "../../engine/step.js";
import { planOptions } from "./engine-options.js";
import type { RunContext } from "./run-context.js";

export function planGraph(steps: readonly Step<unknown>[], concurrency: number, context: RunContext): Promise<Plan> {
  return planSteps(steps, planOptions(context, concurrency));
}

/** @throws all that forbids running the plan, and what was found beside it; a plan that returns from here writes what it says and nothing else. */
export function throwIfRefused({ refusals, failures }: Plan, beside: readonly Failure[] = []): void {
  const reasons = [...beside, ...[...refusals, ...failures].map(({ failure }) => failure)];
  if (reasons.length > 0) throw new AggregateError(reasons, "the plan is refused");
}
