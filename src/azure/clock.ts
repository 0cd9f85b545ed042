/** The current time and the waits between requests, at the speed of a time-scaled Azure. */
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";

export interface SystemClock {
  now(): Date;
  /** Whole milliseconds since an arbitrary moment; monotonic. */
  elapsedMs(): number;
  /** Waits; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after `ms` milliseconds, unless the returned function is called first. Unlike a sleep, this does not keep the process alive. */
  after(ms: number, act: () => void): () => void;
  /** Waits until the event loop has read and written what is ready. */
  turn(): Promise<void>;
}

/** `after` is in real time, `sleep` in Azure's. */
export interface Clock extends Pick<SystemClock, "now" | "elapsedMs" | "after"> {
  /** Real milliseconds for `ms` of Azure's time. */
  scaled(ms: number): number;
  /** Azure's milliseconds for `ms` of real time. A Retry-After header is in real time. */
  unscaled(ms: number): number;
  /** Waits `ms` of Azure's time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: SystemClock = {
  now: () => new Date(),
  elapsedMs: () => Math.round(performance.now()),
  async sleep(ms, signal) {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
  turn: () => turn(),
};

/** `timeScale` is how many times faster than real time Azure runs: 1 except on the emulator. */
export function scaledClock(timeScale: number, { now, elapsedMs, sleep, after }: SystemClock = systemClock): Clock {
  const scaled = (ms: number) => ms / timeScale;
  return {
    now,
    elapsedMs,
    after,
    scaled,
    unscaled: (ms) => ms * timeScale,
    sleep: (ms, signal) => sleep(scaled(ms), signal),
  };
}
