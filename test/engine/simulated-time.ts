/** A clock that moves only when everything waits for it: tests of hours run at once, always in the same order. */
import { setImmediate } from "node:timers/promises";

export interface SimulatedTime {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets time pass until `work` has settled. Rejects where it never would: nothing sleeps, and it is not done. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
}

export function simulatedTime(): SimulatedTime {
  let now = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const sleeper = { at: now + ms, wake: resolve };
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
      // By the next turn of the event loop every promise that could go on has done so.
      await setImmediate();
      if (ended) return work;
      const [next] = sleepers.toSorted((a, b) => a.at - b.at);
      if (next === undefined) throw new Error("deadlock: it is not done, and nothing will wake it");
      sleepers = sleepers.filter((other) => other !== next);
      now = next.at;
      next.wake();
    }
  };
  return { now: () => now, sleep, run };
}
