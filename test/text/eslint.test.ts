/** Only the clocks and the sources of random values may read the time, set a timer or take a random value from Node.js. */
import { ESLint, Linter } from "eslint";
import { expect, test } from "vitest";

const { rules } = (await new ESLint().calculateConfigForFile("src/azure/pipeline.ts")) as Linter.Config;

function problemsOf(code: string, checked = rules): string[] {
  const rule = checked?.["no-restricted-syntax"];
  return new Linter().verify(code, { rules: { "no-restricted-syntax": rule ?? "off" } }).map(({ message }) => message);
}

test.each([
  "Date.now()",
  "new Date()",
  "Date()",
  "performance.now()",
  "setTimeout(act, 5)",
  "setInterval(act, 5)",
  "new Promise(setImmediate)",
  "AbortSignal.timeout(5)",
  'import { scheduler } from "node:timers/promises"',
])("%s reads the time or sets a timer", (code) => {
  expect(problemsOf(code)).toContain("take the time from the clock that is passed in");
});

test.each([
  "Math.random()",
  "crypto.randomUUID()",
  "crypto.getRandomValues(bytes)",
  'import { randomBytes } from "node:crypto"',
  'import { randomInt } from "node:crypto"',
])("%s takes a random value", (code) => {
  expect(problemsOf(code)).toContain("take random values from the Random that is passed in");
});

test("what is passed in may be used, and the emulator has the same rule", async () => {
  expect(problemsOf("clock.now(); new Date(ms); random.uuid(); clock.after(5, act)")).toEqual([]);
  const { rules: ofEmulator } = (await new ESLint().calculateConfigForFile("src/emulator/core/reaction.ts")) as Linter.Config;
  expect(problemsOf("setTimeout(act, Math.random())", ofEmulator)).toHaveLength(2);
});

test("a time in a sentence has whole seconds", () => {
  expect(problemsOf("`expired on ${end.toISOString()}`")).toEqual(["people read whole seconds: rfc3339 of src/text"]);
  expect(problemsOf("`expired on ${rfc3339(end)}`; at = end.toISOString()")).toEqual([]);
});
