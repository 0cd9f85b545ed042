/** Random values: passed in, as the time is, so that a seed can repeat them. */
import { randomBytes, randomUUID } from "node:crypto";

export interface Random {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  bytes(count: number): Buffer;
  uuid(): string;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
};
