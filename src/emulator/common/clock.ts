/** What time it is for the emulator, and its waits: handed in, so that a test can move them. */
import { setTimeout as delay } from "node:timers/promises";

export interface EmulatorClock {
  now(): Date;
  /** Milliseconds since any fixed moment; never goes back. */
  elapsedMs(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: EmulatorClock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};

/** Keeps the process alive until the returned function is called. */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, longestTimerMs);
  return () => {
    clearInterval(timer);
  };
}

const longestTimerMs = 2 ** 31 - 1;
