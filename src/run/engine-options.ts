/** The engine options of a command that plans, applies or deletes. */
import type { Clock } from "../azure/clock.js";
import { inFlightIntervalMs } from "../azure/long-running.js";
import { toFailure } from "../azure/to-failure.js";
import type { RunOptions } from "../engine/run-tasks.js";
import type { Polling } from "../engine/apply-step.js";
import type { PlanOptions } from "../engine/plan.js";
import type { Failure } from "../errors/failure.js";
import type { RunContext } from "./run-context.js";

export function planOptions({ signal, emit, port }: RunContext, concurrency: number): PlanOptions {
  const { now, elapsedMs } = port.clock;
  return { concurrency, signal, emit, now, elapsedMs, toFailure };
}

export interface About {
  readonly command: string;
  readonly subject: string;
  readonly infraId?: string | undefined;
}

export function runOptions(context: RunContext, concurrency: number, { command, subject, infraId }: About): RunOptions {
  const warn = ({ message, because, next = [] }: Failure) => {
    const advice = next.map((one) => `; ${context.renderAdvice(one)}`).join("");
    context.say(`warning: ${[message, because].filter(Boolean).join(": ")}${advice}`);
  };
  return { ...planOptions(context, concurrency), command, subject, infraId, warn };
}

export interface HasClock {
  readonly connection: { readonly clock: Clock };
}

/** How a step waits for changes by others. */
export function polling({ connection: { clock } }: HasClock): Polling {
  return { pollMs: inFlightIntervalMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
}
