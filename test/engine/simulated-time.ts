/** A clock that advances only when all code waits for it, so that hours take no time and the order is always the same. */
import { setImmediate } from "node:timers/promises";

export interface SimulatedTime {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Advances the time until `work` ends. Rejects if it cannot end because nothing sleeps. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
}

export function simulatedTime(): SimulatedTime {
  let now = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const wake = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const sleeper = { at: now + ms, wake };
      const abort = (): void => {
        sleepers = sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) return abort();
      sleepers.push(sleeper);
      signal?.addEventListener("abort", abort, { once: true });
    });

  const run = async <T>(work: Promise<T>): Promise<T> => {
    let ended = false;
    const advance = (): void => void (ended = true);
    work.then(advance, advance);
    for (;;) {
      // All promises that do not wait for the time have continued by the next turn of the event loop.
      await setImmediate();
      if (ended) return work;
      const [next] = sleepers.toSorted((a, b) => a.at - b.at);
      if (next === undefined) throw new Error("deadlock: the work has not ended, and nothing sleeps");
      sleepers = sleepers.filter((other) => other !== next);
      now = next.at;
      next.wake();
    }
  };
  return { now: () => now, sleep, run };
}
