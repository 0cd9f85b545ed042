/** How long we wait between requests: every wait of the program goes through here, so that a time-scaled Azure is met at its own pace. */
import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Real milliseconds for `ms` of Azure's time. */
  scaled(ms: number): number;
  /** Azure's milliseconds for `ms` of real time: what a Retry-After header says is real. */
  unscaled(ms: number): number;
  /** Waits `ms` of Azure's time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** `timeScale` is how many times faster than real the Azure at the other end runs: 1 except on the emulator. */
export function scaledClock(timeScale: number): Clock {
  const scaled = (ms: number) => ms / timeScale;
  return {
    scaled,
    unscaled: (ms) => ms * timeScale,
    async sleep(ms, signal) {
      await delay(scaled(ms), undefined, signal === undefined ? {} : { signal });
    },
  };
}
