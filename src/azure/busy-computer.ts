/** Whether this computer is too busy to run the program: a request can then have no response in time although Azure responds. */
import { availableParallelism, loadavg } from "node:os";
import { systemClock, type Clock } from "./clock.js";
import { plural } from "../text/plural.js";

/** How often the event loop should run. */
const tickMs = 50;
/** A smaller part of the time is normal: the program computes, and a timer is never exact. */
const leastShare = 0.1;

let counts = 0;
let ticking: NodeJS.Timeout | undefined;
let lastTickMs = 0;
let endedDelaysMs = 0;

export interface DelayCount {
  /** How long the program could not run since the count began, in milliseconds. */
  delayedMs(): number;
  end(): void;
}

/** Counts how long the program cannot run. It wakes up 20 times a second until the count ends. */
export function countDelays(): DelayCount {
  if (counts++ === 0) {
    lastTickMs = systemClock.elapsedMs();
    ticking = setInterval(() => {
      endedDelaysMs += overdueMs();
      lastTickMs = systemClock.elapsedMs();
    }, tickMs).unref();
  }
  // A timer that ends in the same turn of the event loop may run before the tick.
  const totalMs = () => endedDelaysMs + overdueMs();
  const before = totalMs();
  return {
    delayedMs: () => totalMs() - before,
    end() {
      if (--counts === 0) clearInterval(ticking);
    },
  };
}

function overdueMs(): number {
  return Math.max(0, systemClock.elapsedMs() - lastTickMs - tickMs);
}

/** Waits until this program could run for `ms`: time in which other programs had the processor does not count. */
export async function sleepWhileScheduled(ms: number, { sleep }: Pick<Clock, "sleep">, signal: AbortSignal): Promise<void> {
  const count = countDelays();
  try {
    for (let knownMs = 0, leftMs = ms; leftMs > tickMs; leftMs = count.delayedMs() - knownMs) {
      knownMs = count.delayedMs();
      await sleep(leftMs, signal);
    }
  } finally {
    count.end();
  }
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
