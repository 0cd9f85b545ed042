/** Code of CommonJS packages that would fail in an ES module. */
import { expect, test } from "vitest";
import { undeclaredNames } from "../../tools/bundle/build.js";

test("a bundle may not use the names that only a CommonJS file has, unless it declares them", () => {
  expect(undeclaredNames("hash.update(__filename); read(__dirname);")).toEqual(["__filename", "__dirname"]);
  expect(undeclaredNames("var __filename = import.meta.filename; hash.update(__filename);")).toEqual([]);
  expect(undeclaredNames("options.__filename; my__dirname;")).toEqual([]);
});
