/** What time it is, and how long we wait between requests: every wait of the program goes through here, so that a time-scaled Azure is met at its own pace. */
import { setTimeout as delay } from "node:timers/promises";

/** Real time. */
export interface SystemClock {
  now(): Date;
  /** Milliseconds since any fixed moment; never goes back. */
  elapsedMs(): number;
  /** Waits; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Clock extends Pick<SystemClock, "now" | "elapsedMs"> {
  /** Real milliseconds for `ms` of Azure's time. */
  scaled(ms: number): number;
  /** Azure's milliseconds for `ms` of real time: what a Retry-After header says is real. */
  unscaled(ms: number): number;
  /** Waits `ms` of Azure's time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: SystemClock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};

/** `timeScale` is how many times faster than real the Azure at the other end runs: 1 except on the emulator. */
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
