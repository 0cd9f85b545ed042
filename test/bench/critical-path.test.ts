/** The critical path, which is the target for the time of a run. */
import { expect, test } from "vitest";
import { criticalPath, serialTime } from "../../tools/bench-critical-path.js";

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

test("the critical path is the longest chain; a step that needs a role waits until the role is effective", () => {
  expect(criticalPath(steps, operationLog, stepOf)).toBe(2 + 30 + 60 + 1);
});

test("a step that only starts an operation adds nothing to those that need it, except to the one that waits for its end", () => {
  const early = [
    { id: "key-vault", needs: ["group"] },
    { id: "grant", needs: ["key-vault"] },
    { id: "vault-access", needs: ["key-vault", "grant"] },
  ];
  const stepsOf = (seconds: number, effectiveAfter: number) => {
    const log = [
      { request: "1", resource: "g", verb: "PUT", seconds: 2 },
      { request: "2", resource: "v", verb: "PUT", seconds },
      { request: "3", resource: "r", verb: "PUT", seconds: 3, effectiveAfter },
    ];
    const senders = new Map([...stepOf, ["2", "key-vault"], ["3", "grant"]]);
    return criticalPath([{ id: "group", needs: [] }, ...early], log, senders);
  };
  expect(stepsOf(30, 60)).toBe(2 + 60);
  expect(stepsOf(30, 5)).toBe(2 + 30);
});

test("a role that no step needs adds no wait, and the writes of one step add up", () => {
  const without = steps.filter(({ id }) => id !== "secret");
  const work = operationLog.filter(({ request }) => request !== "4");
  expect(criticalPath(without, work, stepOf)).toBe(2 + 20 + 25);
});

test("an operation that no step sent is an error, because the path would be too short without it", () => {
  expect(() => criticalPath(steps, [{ resource: "x", verb: "PUT", seconds: 1 }], stepOf)).toThrow("no step sent PUT x");
});

test("the serial time is the sum of Azure's times", () => {
  expect(serialTime(operationLog)).toBe(81);
});
