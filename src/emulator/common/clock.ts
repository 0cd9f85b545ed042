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

/** This machine's clock, which can be moved forward. Waits that have begun take as long as they took. */
export class MovableClock implements EmulatorClock {
  #aheadMs = 0;

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#aheadMs);
  }

  elapsedMs(): number {
    return systemClock.elapsedMs() + this.#aheadMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError(`a clock goes forward only: ${String(ms)} ms`);
    this.#aheadMs += ms;
  }

  reset(): void {
    this.#aheadMs = 0;
  }
}

/** Keeps the process alive until the returned function is called. */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, longestTimerMs);
  return () => {
    clearInterval(timer);
  };
}

const longestTimerMs = 2 ** 31 - 1;
