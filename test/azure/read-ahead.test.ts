import { expect, test } from "vitest";
import { readAhead } from "../../src/azure/read-ahead.js";

test("a read that started is taken once, and only for what it read", async () => {
  const ahead = readAhead<string, readonly string[]>();
  expect(ahead.take(["a"])).toBeUndefined();
  await ahead.start(() => Promise.resolve("a and b"), ["a", "b"]);
  expect(await ahead.take(["a", "b"])).toBe("a and b");
  expect(ahead.take(["a", "b"])).toBeUndefined();
  await ahead.start(() => Promise.resolve("a and b"), ["a", "b"]);
  expect(ahead.take(["a"])).toBeUndefined();
});
