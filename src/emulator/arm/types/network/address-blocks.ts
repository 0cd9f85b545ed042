/** The lowest free addresses of a range, found without a look at every address that is held: by blocks of 256. */
import { addressAt, type Range } from "./cidr.js";

const blockSize = 256n;

/** What all addresses of a block have in common: "10.0.0" or "2001:db8::1", which begins all from 2001:db8::100 to 2001:db8::1ff. */
export function blockOf(address: string): string {
  const end = address.lastIndexOf(":") + 1;
  return end === 0 ? address.slice(0, address.lastIndexOf(".")) : address.slice(0, Math.max(end, address.length - 2));
}

export interface Held {
  readonly has: (address: string) => boolean;
  /** How many addresses of the block are held, or fewer. */
  readonly count: (block: string) => number;
}

/** In ascending order, without the first `below` and the last `above` of the range. */
export function freeAddresses(range: Range, [below, above]: readonly [bigint, bigint], held: Held, wanted: number): string[] {
  const free: string[] = [];
  const to = range.last - range.first - above;
  for (let offset = below; offset <= to && free.length < wanted;) {
    const end = offset + blockSize - 1n - ((range.first + offset) % blockSize);
    const last = end < to ? end : to;
    const block = blockOf(addressAt(range, offset));
    if (held.count(block) <= Number(last - offset)) {
      for (; offset <= last && free.length < wanted; offset++) {
        const address = addressAt(range, offset);
        if (!held.has(address)) free.push(address);
      }
    }
    offset = last + 1n;
  }
  return free;
}
