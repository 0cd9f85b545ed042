import { expect, test } from "vitest";
import { outlivesTest, unpooledKeyPair } from "./key-pool.js";

const id = (): unknown => unpooledKeyPair(512).publicKey.export({ format: "jwk" }).n;
const ids = (count: number): Set<unknown> => new Set(Array.from({ length: count }, id));

const ofTheFile = ids(3);
const ofATest = new Set<unknown>();

test("signing keys of one test all differ, although other keys are reused", () => {
  for (const one of ids(25)) ofATest.add(one);
  expect(ofATest.size).toBe(25);
});

test("the keys of a test come back only in another test, and never those of a file or of a state that tests share", () => {
  const shared = outlivesTest.run(true, () => ids(3));
  const next = ids(25);
  expect(next).toEqual(ofATest);
  expect(new Set([...next, ...ofTheFile, ...shared]).size).toBe(31);
});
