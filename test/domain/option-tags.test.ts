/** The choices of a cluster fit into tags, however long, and are found again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { optionTags, optionTagText } from "../../src/domain/option-tags.js";

test("what is recorded is read again, beside other tags, in any casing of their names, whatever a longer record left behind", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ maxLength: 300 }), { maxKeys: 4 }), (options) => {
      const tags = optionTags(options);
      expect(Object.values(tags).every((value) => value.length <= 256)).toBe(true);
      const left = optionTags({ longer: "x".repeat(3000) });
      const shouted = Object.fromEntries(Object.entries({ ...left, ...tags, team: "a" }).map(([tag, value]) => [tag.toUpperCase(), value]));
      expect(JSON.parse(optionTagText(shouted) ?? "")).toEqual(JSON.parse(JSON.stringify(options)));
    }),
  );
});

test("a record of exactly 256 characters ends there", () => {
  const tags = optionTags({ a: "x".repeat(248) });
  expect(JSON.stringify({ a: "x".repeat(248) })).toHaveLength(256);
  expect(optionTagText({ ...tags, "aro-hcp-options-3": "left" })).toBe(`${JSON.stringify({ a: "x".repeat(248) })} `);
});
