import { expect, test } from "vitest";
import { plural } from "../../src/text/plural.js";

test("one is singular, none and many are plural, and a noun may have a plural of its own", () => {
  const counts = [0, 1, 2].map((count) => [plural(count, "resource"), plural(count, "policy", "policies")]);
  expect(counts).toEqual([
    ["0 resources", "0 policies"],
    ["1 resource", "1 policy"],
    ["2 resources", "2 policies"],
  ]);
});
