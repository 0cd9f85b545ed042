/** The current time, and the waits between requests. Every wait goes through here, so that it follows the speed of a time-scaled Azure. */
import { setTimeout as delay } from "node:timers/promises";

/** Real time. */
export interface SystemClock {
  now(): Date;
  /** Whole milliseconds since an arbitrary moment; monotonic. */
  elapsedMs(): number;
  /** Waits; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Clock extends Pick<SystemClock, "now" | "elapsedMs"> {
  /** Real milliseconds for `ms` of Azure's time. */
  scaled(ms: number): number;
  /** Azure's milliseconds for `ms` of real time. A Retry-After header is in real time. */
  unscaled(ms: number): number;
  /** Waits `ms` of Azure's time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: SystemClock = {
  now: () => new Date(),
  elapsedMs: () => Math.round(performance.now()),
  async sleep(ms, signal) {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};

/** `timeScale` is how many times faster than real time Azure runs: 1 except on the emulator. */
export function scaledClock(timeScale: number, { now, elapsedMs, sleep }: SystemClock = systemClock): Clock {
  const scaled = (ms: number) => ms / timeScale;
  return {
    now,
    elapsedMs,
    scaled,
    unscaled: (ms) => ms * timeScale,
    sleep: (ms, signal) => sleep(scaled(ms), signal),
  };
}
