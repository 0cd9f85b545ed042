/** Random values that do not follow from the seed of the state: passed in with the clock, so that a seed can repeat them. */
import { randomBytes, randomUUID } from "node:crypto";
import type { EmulatorClock } from "./clock.js";

export interface EmulatorRandom {
  bytes(count: number): Buffer;
  uuid(): string;
}

export const systemRandom: EmulatorRandom = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
};

export interface ClockAndRandom {
  readonly clock: EmulatorClock;
  readonly random: EmulatorRandom;
}
