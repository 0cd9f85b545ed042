/** Random numbers from a seed. */
import { createHash } from "node:crypto";
import type { Random } from "../../src/azure/random.js";

/** From 0, inclusive, to 1. */
export type Fraction = () => number;

/** Different texts give independent sequences. The generator is sfc32. */
export function randomFrom(text: string): Fraction {
  const seed = createHash("sha256").update(text).digest();
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readUInt32LE(at)) as [number, number, number, number];
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let turn = 0; turn < 12; turn++) next();
  return next;
}

/** All values from one sequence. */
export function randomOf(fraction: Fraction): Random {
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => Math.floor(fraction() * 256)));
  return {
    fraction,
    bytes,
    /** Version 4. */
    uuid() {
      const all = bytes(16);
      all.writeUInt8((all.readUInt8(6) & 0x0f) | 0x40, 6);
      all.writeUInt8((all.readUInt8(8) & 0x3f) | 0x80, 8);
      return all.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    },
  };
}
