/** Detects a computer that is too busy to run the program, so that requests time out although Azure responds. */
import { availableParallelism, loadavg } from "node:os";
import type { Clock } from "./clock.js";
import { plural } from "../text/plural.js";

/** A smaller part of the time is normal: the program computes, and a timer is never exact. */
const leastShare = 0.1;
const parts = 20;
const tickMs = 50;

export interface TimeLimit {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** How long the program could not run, in milliseconds: how late the parts of the time ended. */
  delayedMs(): number;
  end(): void;
}

/** `ms` are real milliseconds. */
export function timeLimit(ms: number, { after, elapsedMs }: Pick<Clock, "after" | "elapsedMs">): TimeLimit {
  const over = new AbortController();
  const endMs = elapsedMs() + ms;
  let delayedMs = 0;
  const nextPart = (): (() => void) => {
    const dueMs = Math.min(endMs, elapsedMs() + ms / parts);
    return after(dueMs - elapsedMs(), () => {
      delayedMs += Math.max(0, elapsedMs() - dueMs);
      if (elapsedMs() >= endMs) over.abort();
      else stop = nextPart();
    });
  };
  let stop = nextPart();
  return {
    signal: over.signal,
    delayedMs: () => delayedMs,
    end: () => {
      stop();
    },
  };
}

/** Waits until this program could run for `ms`. A tick that ends late counts as one: other programs had the processor in the meantime. */
export async function sleepWhileScheduled(ms: number, { sleep }: Pick<Clock, "sleep">, signal: AbortSignal): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= tickMs) await sleep(Math.min(tickMs, leftMs), signal);
}

/** "this computer is busy: ..." for a program that could not run for `delayMs` of `waitedMs`; undefined if the computer is not busy. */
export function busyReason(delayMs: number, waitedMs: number, { load, processors } = thisComputer()): string | undefined {
  const facts = [
    ...(delayMs >= waitedMs * leastShare ? [`aro-hcp could not run for ${String(Math.round(delayMs / 1000))} s of them`] : []),
    // Windows has no load average: 0.
    ...(load > 2 * processors ? [`load average ${load.toFixed(0)} on ${plural(processors, "processor")}`] : []),
  ];
  return facts.length === 0 ? undefined : `this computer is busy: ${facts.join(", ")}`;
}

function thisComputer() {
  const [load = 0] = loadavg();
  return { load, processors: availableParallelism() };
}
