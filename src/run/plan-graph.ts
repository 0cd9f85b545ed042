/** Plans a graph of steps, and collects every reason not to apply it. */
import { mergedUnproven } from "../azure/application-ownership.js";
import { planSteps, type Plan } from "../engine/plan.js";
import type { Failure } from "../errors/failure.js";
import type { Step } from "../engine/step.js";
import { mergedElsewhere } from "../steps/elsewhere.js";
import { planOptions } from "./engine-options.js";
import type { RunContext } from "./run-context.js";

export function planGraph(steps: readonly Step<unknown>[], concurrency: number, context: RunContext): Promise<Plan> {
  return planSteps(steps, planOptions(context, concurrency));
}

/** @throws every failure that forbids the plan, and the preflight findings. A returned plan can be applied, and writes exactly what it lists. */
export function throwIfRefused({ refusals, failures }: Plan, preflightFailures: readonly Failure[] = []): void {
  const reasons = [...preflightFailures, ...mergedUnproven(mergedElsewhere([...refusals, ...failures].map(({ failure }) => failure)))];
  if (reasons.length > 0) throw new AggregateError(reasons, "the plan is refused");
}
