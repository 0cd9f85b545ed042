/** What engine tests start from: a simulated clock, a small cloud, and the options every command gives. */
import type { EngineEvent } from "../../src/engine/events.js";
import { planSteps, type Plan } from "../../src/engine/plan.js";
import { removeAll } from "../../src/engine/remove.js";
import type { RunResult } from "../../src/engine/run-result.js";
import { applyPlan, type ApplyOptions } from "../../src/engine/apply-plan.js";
import type { Removal, Step } from "../../src/engine/step.js";
import { simulatedTime, type SimulatedTime } from "./simulated-time.js";
import { smallCloud, type SmallCloud, type ThingOutput } from "./small-cloud.js";

export interface Workbench extends SmallCloud {
  readonly time: SimulatedTime;
  readonly events: EngineEvent[];
  readonly plan: (steps: readonly Step<unknown>[], options?: Partial<ApplyOptions>) => Promise<Plan>;
  readonly run: (plan: Plan, options?: Partial<ApplyOptions>) => Promise<RunResult>;
  readonly remove: (removals: readonly Removal[], options?: Partial<ApplyOptions>) => Promise<RunResult>;
}

export function workbench(): Workbench {
  const time = simulatedTime();
  const events: EngineEvent[] = [];
  const defaults: ApplyOptions = {
    command: "create infra",
    subject: "x7k2",
    infraId: "x7k2",
    concurrency: 8,
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    elapsedMs: time.now,
    now: () => new Date(time.now()),
    pollMs: 100,
    sleep: time.sleep,
  };
  return {
    ...smallCloud(time),
    time,
    events,
    plan: (steps, options) => time.run(planSteps(steps, { ...defaults, ...options })),
    run: (plan, options) => time.run(applyPlan(plan, { ...defaults, ...options })),
    remove: (removals, options) => time.run(removeAll(removals, { ...defaults, ...options })),
  };
}

export const ofType = <T extends EngineEvent["type"]>(events: readonly EngineEvent[], type: T): Extract<EngineEvent, { type: T }>[] =>
  events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type);

/** A group that holds a security group and a network that needs it, given last first. */
export function network({ thing }: Workbench): Step<ThingOutput>[] {
  const group = thing("group", {});
  const nsg = thing("nsg", { group }, { within: "group" });
  const vnet = thing("vnet", { group, nsg }, { within: "group" });
  return [vnet, nsg, group];
}
