import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Option, OptionKind } from "../../src/settings/option.js";
import { parseValue } from "../../src/settings/parse-value.js";

const option = (kind: OptionKind, choices?: readonly string[]): Option => ({
  key: "x",
  flag: "--x",
  kind,
  group: "run",
  help: "x",
  ...(choices && { choices }),
});

describe("values are accepted", () => {
  test.each<[OptionKind, unknown, unknown]>([
    ["text", "demo", "demo"],
    ["switch", true, true],
    ["switch", "TRUE", true],
    ["switch", "0", false],
    ["switch", 1, true],
    ["integer", "16", 16],
    ["integer", 16, 16],
    ["duration", "90s", 90_000],
    ["duration", "1h30m", 5_400_000],
    ["duration", "1.5m", 90_000],
    ["duration", "500ms", 500],
    ["list", "a,b, a", ["a", "b"]],
    ["list", ["a", "b,a"], ["a", "b"]],
    ["list", [], []],
    ["tags", "k=v,l=w=x", { k: "v", l: "w=x" }],
    ["tags", ["k=v", "l="], { k: "v", l: "" }],
    ["tags", { k: "a,b" }, { k: "a,b" }],
    ["choice", "a", "a"],
  ])("%s %j", (kind, raw, value) => {
    expect(parseValue(option(kind, ["a", "b"]), raw)).toEqual({ value });
  });
});

describe("values are rejected", () => {
  test.each<[OptionKind, unknown, string]>([
    ["text", "", "is empty"],
    ["text", " demo", "whitespace"],
    ["text", 42, "expected text, got a number; put it in quotes"],
    ["text", null, "got nothing"],
    ["file", ["a"], "got a list"],
    ["choice", "A", 'did you mean "a"'],
    ["switch", "perhaps", "is not true or false"],
    ["switch", {}, "is not true or false"],
    ["switch", "constructor", "is not true or false"],
    ["switch", "__proto__", "is not true or false"],
    ["integer", "1.5", "not a whole number"],
    ["integer", -1, "not a whole number"],
    ["duration", "10", "not a duration"],
    ["duration", 10, "not a duration"],
    ["duration", "0s", "must be longer than 0"],
    ["duration", "1000h", "longer than 24 days"],
    ["list", "c", '"c" is not one of a, b'],
    ["list", [1], "expected only text in the list"],
    ["list", "", "is empty"],
    ["list", [" ,"], "is empty"],
    ["tags", "k", '"k" is not key=value'],
    ["tags", "k=v,w", '"w" is not key=value; a value with a comma can be set in a --config file'],
    ["tags", "k=v,K=w", 'tag "K" is set twice'],
    ["tags", { cost: 42 }, 'tag "cost": expected text, got a number'],
    ["tags", 1, "expected key=value pairs"],
  ])("%s %j", (kind, raw, why) => {
    expect(parseValue(option(kind, ["a", "b"]), raw)).toEqual({ problem: expect.stringContaining(why) as string });
  });
});

test("any value is either accepted or rejected", () => {
  const kinds = fc.constantFrom<OptionKind>("text", "file", "switch", "choice", "list", "tags", "duration", "integer");
  fc.assert(
    fc.property(kinds, fc.oneof(fc.string(), fc.jsonValue()), (kind, raw) => {
      const parsed = parseValue(option(kind, ["a"]), raw);
      expect(Object.keys(parsed)).toEqual(["value" in parsed ? "value" : "problem"]);
    }),
  );
});

// A comparison of all pairs would take longer than a test may.
test("a hundred thousand tags are checked for duplicates", () => {
  const tags = Array.from({ length: 100_000 }, (_, index) => `k${String(index)}=v`);
  expect(parseValue(option("tags"), tags)).toHaveProperty("value");
  expect(parseValue(option("tags"), [...tags, "K5=v"])).toEqual({ problem: 'tag "K5" is set twice' });
});
