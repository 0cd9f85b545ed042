/** What time it is for the emulator: handed in, so that a test can move it. */

export interface EmulatorClock {
  now(): Date;
  /** Milliseconds since any fixed moment; never goes back. */
  elapsedMs(): number;
}

export const systemClock: EmulatorClock = { now: () => new Date(), elapsedMs: () => performance.now() };
