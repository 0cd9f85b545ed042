/** The first syntax error of JSON text: at the position where JSON.parse also stops, with the expected token. */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { jsonFaultIn } from "../../src/files/json-fault.js";
import { readDocument } from "../../src/files/read.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const directory = temporaryDirectory(afterAll);

test.each([
  ["a comma is missing at the end of a line", '{\n  "a": 1\n  "b": 2\n}', "2 is not well-formed JSON: comma expected at column 9"],
  ["a comma is missing in an array", "[\n  [1]\n  [2]\n]", "2 is not well-formed JSON: comma expected at column 6"],
  ["a comma too many", '{\n  "a": 1,\n}}', "3 is not well-formed JSON: property name in double quotes expected at column 1"],
  ["a brace too many", '{\n  "a": { "b": 1 }}\n}\n', "3 is not well-formed JSON: end of file expected at column 1"],
  ["a brace is missing", '{\n  "a": { "b": 1 }\n', "2 is not well-formed JSON: closing brace expected at column 18"],
  ["it is truncated", '{\n  "a": {\n    "b": 1,\n', "3 is not well-formed JSON: property name in double quotes expected at column 12"],
  ["a string is not closed", '{\n  "a": "b\n}', "2 is not well-formed JSON: string without closing quote at column 8"],
  ["no colon", '{ "a" 1 }', "1 is not well-formed JSON: colon expected at column 7"],
  ["no value", '{ "a": }}', "1 is not well-formed JSON: value expected at column 8"],
  [
    "a property name without quotes",
    "{ a: { b: 1 } ]",
    "1 is not well-formed JSON: text without double quotes, which is not true, false or null, at column 3",
  ],
  ["single quotes", "{ 'a': 1 ]", "1 is not well-formed JSON: text in other quotes than double quotes at column 3"],
  ["a sign before a number", '{ "a": +1 ]', "1 is not well-formed JSON: invalid number at column 8"],
  ["a character of a template", '{ "a": %b% ]', "1 is not well-formed JSON: character that is allowed only in double quotes at column 8"],
  [
    "text after the document",
    "{} x: y",
    "1 is not well-formed JSON: text without double quotes, which is not true, false or null, at column 4",
  ],
  ["a comment", '{\n  // b\n  "a": 1\n}}', "2 is not well-formed JSON: comment, which JSON does not allow, at column 3"],
])("%s", async (_what, text, expected) => {
  const file = directory.write("bad.json", text);
  await expect(readDocument(file)).rejects.toMatchObject({ code: "ARO-FILE-002", message: `${file}:${expected}` });
});

test("an error is found exactly if JSON.parse throws", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    '"\\u12aF\\n"',
    '"',
    "1",
    "-0.5e+3",
    "01",
    "true",
    "null",
    "nul",
    " ",
    "\n",
    "\t",
    "\\",
    "\u0001",
  );
  const whole = fc.json().map((text) => [text]);
  fc.assert(
    fc.property(fc.oneof(fc.array(pieces), whole), fc.nat(), pieces, (parts, at, piece) => {
      const text = parts.join("");
      for (const tried of [text, text.slice(0, at % (text.length + 1)) + piece + text.slice(at % (text.length + 1))]) {
        expect([tried, jsonFaultIn(tried) === undefined]).toEqual([tried, isJson(tried)]);
      }
    }),
    { numRuns: 2000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
