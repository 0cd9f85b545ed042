/** What the engine needs of a command that plans, runs or removes. */
import type { Pace } from "../azure/pace.js";
import { pollInterval } from "../azure/long-running.js";
import { toFailure } from "../azure/to-failure.js";
import type { ExecuteOptions } from "../engine/execute.js";
import type { Polling } from "../engine/perform-step.js";
import type { PlanOptions } from "../engine/plan.js";
import type { Stage } from "./stage.js";

export function planOptions({ signal, emit }: Stage, concurrency: number): PlanOptions {
  return { concurrency, signal, emit, now: () => performance.now(), toFailure };
}

export interface About {
  readonly command: string;
  readonly infraId: string;
}

export function executeOptions(stage: Stage, concurrency: number, { command, infraId }: About): ExecuteOptions {
  return { ...planOptions(stage, concurrency), command, infraId };
}

/** Azure, or what is met at its pace. */
export interface Paced {
  readonly connection: { readonly pace: Pace };
}

/** How a step waits for what others have in flight. */
export function polling({ connection: { pace } }: Paced): Polling {
  return { pollMs: pollInterval.inFlight, sleep: (ms, signal) => pace.sleep(ms, signal) };
}
