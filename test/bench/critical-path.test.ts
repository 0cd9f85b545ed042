/** The critical path that a run is measured by. */
import { expect, test } from "vitest";
import { criticalPath, oneAfterTheOther } from "../../tools/bench-critical-path.js";

const steps = [
  { id: "group", needs: [] },
  { id: "vault", needs: ["group"] },
  { id: "grant", needs: ["vault"] },
  { id: "secret", needs: ["vault", "grant"] },
  { id: "network", needs: ["group"] },
];
const operationLog = [
  { request: "1", resource: "g", verb: "PUT", seconds: 2 },
  { request: "2", resource: "v", verb: "PUT", seconds: 30 },
  { request: "3", resource: "r", verb: "PUT", seconds: 3, effectiveAfter: 60 },
  { request: "4", resource: "s", verb: "PUT", seconds: 1 },
  { request: "5", resource: "n", verb: "PUT", seconds: 20 },
  { request: "6", resource: "n", verb: "PATCH", seconds: 25 },
];
const stepOf = new Map([
  ["1", "group"],
  ["2", "vault"],
  ["3", "grant"],
  ["4", "secret"],
  ["5", "network"],
  ["6", "network"],
]);

test("the path is the longest chain; a role counts from its write until it is effective, for those who need it", () => {
  expect(criticalPath(steps, operationLog, stepOf)).toBe(2 + 30 + 60 + 1);
});

test("nobody waits for a role that nobody needs, and the writes of one step follow each other", () => {
  const without = steps.filter(({ id }) => id !== "secret");
  const work = operationLog.filter(({ request }) => request !== "4");
  expect(criticalPath(without, work, stepOf)).toBe(2 + 20 + 25);
});

test("work that no step asked for is an error, for a path without it would be too short", () => {
  expect(() => criticalPath(steps, [{ resource: "x", verb: "PUT", seconds: 1 }], stepOf)).toThrow("no step sent PUT x");
});

test("one after the other is the sum of all that Azure did", () => {
  expect(oneAfterTheOther(operationLog)).toBe(81);
});
