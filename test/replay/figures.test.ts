/** The figures of a replay, and the floor under them. */
import { expect, test } from "vitest";
import { belowFloor, figuresOf } from "../../tools/replay-figures.js";

const table = (...totals: number[]) =>
  ["kind\treplayed\tagrees\taside\tnot-served", "Microsoft.Network/natGateways\t3\t1\t\t2", `TOTAL\t${totals.join("\t")}`, ""].join("\n");

test("the share is of the answers that can be compared, rounded down", () => {
  expect(figuresOf(table(1121, 578, 146, 342))).toEqual({ agreeing: 59.2, notServed: 342 });
});

test("a table without totals is no result", () => {
  expect(() => figuresOf("kind\treplayed\tagrees\taside\tnot-served\n")).toThrow("no totals");
  expect(() => figuresOf(table(1121, 578))).toThrow("no totals");
});

test("a smaller share and more requests that are not served are below the floor", () => {
  const floor = { agreeing: 90, notServed: 60 };
  expect(belowFloor({ agreeing: 90, notServed: 60 }, floor)).toEqual([]);
  expect(belowFloor({ agreeing: 89.9, notServed: 61 }, floor)).toEqual([
    "89.9 % of the answers agree; the floor is 90 %",
    "not served: 61 requests; the limit is 60",
  ]);
});
