import { expect, test } from "vitest";
import { didYouMean } from "../../src/settings/did-you-mean.js";

test("the nearest of several near words is meant", () => {
  expect(didYouMean("vnetIdd", ["subnetId", "vnetCidr", "vnetId"])).toBe('; did you mean "vnetId"?');
});

test("casing makes no distance", () => {
  expect(didYouMean("INFRAID", ["infraId"])).toBe('; did you mean "infraId"?');
});

test("a word that is far from all is met with silence", () => {
  expect(didYouMean("colour", ["timeout", "name"])).toBe("");
  expect(didYouMean("x", ["name"])).toBe("");
});
