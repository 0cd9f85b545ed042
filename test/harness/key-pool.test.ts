import { expect, test } from "vitest";
import { testKey } from "../cli/signing-keys.js";

test("signing keys of tests all differ, although other keys are reused", () => {
  const ids = Array.from({ length: 25 }, () => testKey().kid);
  expect(new Set(ids).size).toBe(25);
});
