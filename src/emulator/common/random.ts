/** Random values that do not follow from the seed of the state: passed in, as the time is, so that a seed can repeat them. */
import { randomBytes, randomUUID } from "node:crypto";

export interface EmulatorRandom {
  bytes(count: number): Buffer;
  uuid(): string;
}

/** Those of this machine. */
export const systemRandom: EmulatorRandom = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
};
