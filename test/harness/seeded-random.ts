/** Random values that a seed repeats. */
import { createHash } from "node:crypto";
import type { Random } from "../../src/azure/random.js";

export function seededRandom(seed: number): Random {
  let taken = 0;
  const bytes = (count: number): Buffer =>
    createHash("shake256", { outputLength: count })
      .update(`${String(seed)} ${String(taken++)}`)
      .digest();
  return {
    fraction: () => bytes(6).readUIntBE(0, 6) / 2 ** 48,
    bytes,
    uuid: () => {
      const hex = bytes(16).toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
