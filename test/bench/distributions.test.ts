/** The figures of the benchmark over many seeds, and its targets. */
import { expect, test } from "vitest";
import { distributionOf, figuresOf, missedTargets } from "../../tools/bench-distributions.js";
import type { MeasuredRun } from "../../tools/simulation/measure.js";

const created: MeasuredRun = {
  ...{ title: "create infra", kind: "first", isShort: false },
  ...{ wall: 42, path: 40, serial: 120, steps: 33, changes: 30 },
  ...{ reads: 29, polls: 25, writes: 30, throttled: 0, tokens: 2 },
};
const again: MeasuredRun = {
  ...created,
  ...{ title: "second create infra", kind: "again", wall: 1, path: 0, serial: 0, changes: 0, polls: 0, writes: 0 },
};

test("a distribution is the value that half, nine of ten, and all runs do not exceed", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(distributionOf(values)).toEqual({ median: 50, p90: 90, worst: 100 });
  expect(distributionOf([7])).toEqual({ median: 7, p90: 7, worst: 7 });
  expect(distributionOf([])).toBeUndefined();
});

test("a run that changes nothing has no critical path", () => {
  const one = (value: number) => ({ median: value, p90: value, worst: value });
  expect(figuresOf([created])).toMatchObject({ "wall time": one(42), "over path": one(1.05), requests: one(86) });
  expect(figuresOf([again])).toEqual({ "wall time": one(1), requests: one(31), polls: one(0), "429s": one(0) });
});

test.each<[string, readonly MeasuredRun[], readonly string[]]>([
  ["all are met", [created], []],
  ["one slow run of three is not the median", [created, created, { ...created, wall: 60 }], []],
  ["most runs are slow", [created, { ...created, wall: 60 }, { ...created, wall: 60 }], ["over path at most 1.1 at the median"]],
  ["a short command may be slow", [{ ...created, isShort: true, wall: 60 }], []],
  ["one request was throttled", [created, { ...created, throttled: 1 }], ["no 429"]],
  ["a second create changes something", [{ ...again, changes: 1 }], ["it changes nothing"]],
  ["a second create reads more than there is", [{ ...again, reads: 34 }], ["at most one read for each resource"]],
  ["a verification sends many requests", [{ ...again, kind: "verify", title: "verify", reads: 70 }], ["requests: at most 70"]],
])("targets: %s", (_title, runs, missed) => {
  expect(missedTargets(runs)).toEqual(missed);
});
