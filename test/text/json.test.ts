import { describe, expect, test } from "vitest";
import { parseJson, parseJsonObject } from "../../src/text/json.js";

describe("text that others wrote", () => {
  test.each(["", "<html>", "{", "undefined"])("has no value where it is not JSON: %j", (text) => {
    expect(parseJson(text)).toBeUndefined();
    expect(parseJsonObject(text)).toBeUndefined();
  });

  test.each(["null", "[]", "1", '"a"'])("is JSON but not an object: %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJsonObject(text)).toBeUndefined();
  });

  test("is a JSON object", () => {
    expect(parseJsonObject('{"a":[1]}')).toEqual({ a: [1] });
  });
});
