import { expect, test } from "vitest";
import { inspectedTags, isInspected } from "../../src/domain/inspected-vault.js";

const marked = new Date("2026-07-11T12:00:00Z");
const minutesLater = (minutes: number) => new Date(marked.getTime() + minutes * 60_000);

test.each([
  ["at once", 0, true],
  ["nine minutes later", 9, true],
  ["ten minutes later", 10, false],
  ["a month later", 43_200, false],
  ["nine minutes before, by another clock", -9, true],
  ["ten minutes before", -10, false],
])("a vault that is deleted %s than its mark", (_when, minutes, isSeen) => {
  expect(isInspected(inspectedTags(marked), minutesLater(minutes))).toBe(isSeen);
});

test.each([[undefined], [{}], [{ "aro-hcp-inspected": "yes" }]])("a vault with the tags %j has no mark", (tags) => {
  expect(isInspected(tags, marked)).toBe(false);
});
