/** The engine with a simulated clock, a fake cloud, and the options of a command. */
import type { EngineEvent } from "../../src/engine/events.js";
import { planSteps, type Plan } from "../../src/engine/plan.js";
import { removeAll } from "../../src/engine/remove.js";
import type { RunResult } from "../../src/engine/run-result.js";
import { applyPlan, type ApplyOptions } from "../../src/engine/apply-plan.js";
import type { Removal, Step } from "../../src/engine/step.js";
import { simulatedTime, type SimulatedTime } from "./simulated-time.js";
import { fakeCloud, type FakeCloud, type FakeOutput } from "./fake-cloud.js";

export interface TestEngine extends FakeCloud {
  readonly time: SimulatedTime;
  readonly events: EngineEvent[];
  readonly plan: (steps: readonly Step<unknown>[], options?: Partial<ApplyOptions>) => Promise<Plan>;
  readonly run: (plan: Plan, options?: Partial<ApplyOptions>) => Promise<RunResult>;
  readonly remove: (removals: readonly Removal[], options?: Partial<ApplyOptions>) => Promise<RunResult>;
}

export function testEngine(): TestEngine {
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
    warn: () => undefined,
  };
  return {
    ...fakeCloud(time),
    time,
    events,
    plan: (steps, options) => time.run(planSteps(steps, { ...defaults, ...options })),
    run: (plan, options) => time.run(applyPlan(plan, { ...defaults, ...options })),
    remove: (removals, options) => time.run(removeAll(removals, { ...defaults, ...options })),
  };
}

export const ofType = <T extends EngineEvent["type"]>(events: readonly EngineEvent[], type: T): Extract<EngineEvent, { type: T }>[] =>
  events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type);

/** A group, a security group, and a network that needs both; passed in reverse order. */
export function network({ fakeStep }: TestEngine): Step<FakeOutput>[] {
  const group = fakeStep("group", {});
  const nsg = fakeStep("nsg", { group }, { within: "group" });
  const vnet = fakeStep("vnet", { group, nsg }, { within: "group" });
  return [vnet, nsg, group];
}
