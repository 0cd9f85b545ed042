import fc from "fast-check";
import { expect, test } from "vitest";
import { addressAt, contains, overlap, readRange } from "../../../../src/emulator/arm/types/network/cidr.js";

const written = fc.tuple(fc.nat({ max: 0xffff }), fc.integer({ min: 16, max: 30 })).map(([low, length]) => {
  const first = Math.floor(low / 2 ** (32 - length)) * 2 ** (32 - length);
  return { first, size: 2 ** (32 - length), prefix: `10.9.${String(first >> 8)}.${String(first & 255)}/${String(length)}` };
});

test("ranges contain and overlap exactly as their addresses do", () => {
  fc.assert(
    fc.property(written, written, (a, b) => {
      const [one, other] = [a, b].map(({ prefix }) => readRange(prefix, "x")) as [
        ReturnType<typeof readRange>,
        ReturnType<typeof readRange>,
      ];
      expect(contains(one, other)).toBe(a.first <= b.first && b.first + b.size <= a.first + a.size);
      expect(overlap(one, other)).toBe(a.first < b.first + b.size && b.first < a.first + a.size);
    }),
  );
});

test("addresses count up through byte boundaries, in both families", () => {
  expect(addressAt(readRange("10.0.0.0/16", "x"), 256n)).toBe("10.0.1.0");
  expect(addressAt(readRange("2001:db8::/64", "x"), 4n)).toBe("2001:db8::4");
});

test("ranges of different families have nothing to do with each other", () => {
  expect(overlap(readRange("0.0.0.0/0", "x"), readRange("::/0", "x"))).toBe(false);
});
