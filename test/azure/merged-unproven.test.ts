/** Several applications of others are refused in one failure, which says what they have in common once. */
import { expect, test } from "vitest";
import { mergedUnproven, UnprovenFailure, type ForeignParts } from "../../src/azure/application-ownership.js";
import { Failure } from "../../src/errors/failure.js";

const parts = (more: Partial<ForeignParts>): ForeignParts => ({ owners: [], secrets: [], others: [], ...more });
const owned = parts({ owners: ["owner mallory"] });
const unproven = (displayName: string, foreign: ForeignParts) => new UnprovenFailure({ displayName, appId: `id-${displayName}` }, foreign);
const other = new Failure("ARO-AZURE-001", "no answer");

test("one application keeps its own failure, beside others", () => {
  const one = unproven("cpo", owned);
  expect(mergedUnproven([other, one])).toEqual([other, one]);
  expect(mergedUnproven([other])).toEqual([other]);
  expect(mergedUnproven([])).toEqual([]);
  expect(one).toMatchObject({
    code: "ARO-OWN-001",
    message: 'application "cpo" with client ID id-cpo exists, and nothing proves that it is yours',
    because: expect.stringContaining("it has owner mallory") as string,
    application: { displayName: "cpo", appId: "id-cpo" },
  });
});

test("several with the same parts become one failure in the place of the first", () => {
  const merged = mergedUnproven([other, unproven("cpo", owned), other, unproven("kms", owned)]);
  expect(merged).toEqual([other, expect.any(Failure), other]);
  expect(merged[1]).toMatchObject({
    code: "ARO-OWN-001",
    message: "2 applications exist, and nothing proves that they are yours",
    because: expect.stringContaining("they have owner mallory; ") as string,
    problems: [
      { origin: "cpo", message: "client ID id-cpo" },
      { origin: "kms", message: "client ID id-kms" },
    ],
  });
});

test("several with different parts say what each has", () => {
  const [merged] = mergedUnproven([
    unproven("cpo", owned),
    unproven("kms", parts({ secrets: [{ keyId: "k", title: "client secret k" }], others: ["credential c"] })),
  ]);
  expect(merged).toMatchObject({
    because: expect.not.stringContaining("they have") as string,
    problems: [
      { origin: "cpo", message: "client ID id-cpo: owner mallory" },
      { origin: "kms", message: "client ID id-kms: client secret k, credential c" },
    ],
  });
});
