import { expect, test } from "vitest";
import { didYouMean } from "../../src/text/did-you-mean.js";

test("the nearest of several similar words is suggested", () => {
  expect(didYouMean("vnetIdd", ["subnetId", "vnetCidr", "vnetId"])).toBe('; did you mean "vnetId"?');
});

test("letter case is ignored", () => {
  expect(didYouMean("INFRAID", ["infraId"])).toBe('; did you mean "infraId"?');
});

test("a word that is similar to none has no suggestion", () => {
  expect(didYouMean("colour", ["timeout", "name"])).toBe("");
  expect(didYouMean("x", ["name"])).toBe("");
});
