import { expect, test } from "vitest";
import { readAhead } from "../../src/azure/read-ahead.js";

test("a read that started is taken once", async () => {
  const ahead = readAhead<string>();
  expect(ahead.take()).toBeUndefined();
  await ahead.start(() => Promise.resolve("a"));
  expect(await ahead.take()).toBe("a");
  expect(ahead.take()).toBeUndefined();
});
