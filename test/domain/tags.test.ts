import { expect, test } from "vitest";
import { mergedTags, tagsInLowerCase, tagValue } from "../../src/domain/tags.js";

test("the name of a tag is found in any casing, its value as it is", () => {
  expect(tagValue({ Team: "A" }, "team")).toBe("A");
  expect(tagValue({ team: "A" }, "TEAM")).toBe("A");
  expect(tagValue({ team: undefined }, "team")).toBeUndefined();
  expect(tagValue(undefined, "team")).toBeUndefined();
});

test("a merged tag keeps the spelling that it has", () => {
  expect(mergedTags({ TEAM: "a", x: "1" }, { team: "b", cost: "c" })).toEqual({ TEAM: "b", x: "1", cost: "c" });
  expect(mergedTags({ gone: undefined }, {})).toStrictEqual({});
  expect(mergedTags(undefined, { team: "b" })).toEqual({ team: "b" });
});

test("all tags have their names in lower case, and a tag without a value is none", () => {
  expect(tagsInLowerCase({ Team: "A", gone: undefined })).toEqual([["team", "A"]]);
  expect(tagsInLowerCase(undefined)).toEqual([]);
});
