/** The JSON reader of Resource Manager: what it forgives, and that its work grows with the length of the text, not with its square. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLenientJson } from "../../src/emulator/core/lenient-json.js";

test.each([
  ['\uFEFF{"a":1}', { a: 1 }],
  ['{"a":[1,2,],}', { a: [1, 2] }],
  ['{"a":1, // one\n"b":2 /* two */}', { a: 1, b: 2 }],
  ['{"a":1, /* the last */ // of all\n }', { a: 1 }],
  ["[1,/**/]//", [1]],
  ['{"a":"// no /* comment */ ,]","b":"\\",}",}', { a: "// no /* comment */ ,]", b: '",}' }],
])("%s is %j", (text, value) => {
  expect(parseLenientJson(text)).toEqual(value);
});

test.each(["", "{", "[1,,]", "[,]x", '{"a":1}/* no end', '{"a":1}/*/', '"no end', '["\\', "[1]/", "1 2", "{'a':1}"])(
  "%s is no JSON",
  (text) => {
    expect(() => parseLenientJson(text)).toThrow(SyntaxError);
  },
);

test("comments and trailing commas anywhere change nothing", () => {
  const filler = fc.constantFrom("", " ", "\n", "/* , ] */", "// }\n", "/***/");
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.array(filler, { minLength: 3, maxLength: 3 }), (value, [a, b, c]) => {
      const inner = value.map((one) => JSON.stringify(one)).join(`${a ?? ""},${b ?? ""}`);
      expect(parseLenientJson(`${a ?? ""}[${b ?? ""}${inner}${c ?? ""},${a ?? ""}]${c ?? ""}`)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

/** Milliseconds of this process's CPU, the least of three. */
function costOf(text: string): number {
  const once = (): number => {
    const before = process.cpuUsage();
    expect(() => parseLenientJson(text)).toThrow(SyntaxError);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(once(), once(), once());
}

/** Nothing of them has an end, so a search from each of their beginnings reads the whole rest. */
const endless = ['\\"', '"\\', "/*", "//", ",/*", ", ", ",//", '"', "/", ",/**/", '"a",', "[", "\\"];

test.each(endless)("eight times as many %j cost no more than some eight times as much", (part) => {
  const [few, many] = [4_000, 32_000].map((count) => costOf(`${part.repeat(count)}x`));
  // With the square, it is 64 times.
  expect(many).toBeLessThan(24 * Math.max(few ?? 0, 1));
});
