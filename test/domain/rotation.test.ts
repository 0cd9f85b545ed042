import { expect, test } from "vitest";
import { reasonToSkip } from "../../src/domain/rotation.js";

const minute = 60_000;
const hour = 60 * minute;
const now = Date.parse("2026-06-01T12:00:00Z");
const age = (since: Date) => now - since.getTime();
const version = (thumbprint: string, ageMs: number) => ({ thumbprint, createdOn: new Date(now - ageMs) });

test.each([
  ["the first version, however young, is nobody's rotation", [version("A", minute)], "A", undefined],
  ["an old pair that agrees with the secret is due", [version("A", 900 * hour), version("B", 2 * hour)], "B", undefined],
  [
    "a version made within the hour is this rotation",
    [version("A", 900 * hour), version("B", 5 * minute)],
    "B",
    expect.stringContaining("--min-age"),
  ],
  [
    "a version that did not get into the secret is completed first, however old",
    [version("A", 900 * hour), version("B", 800 * hour)],
    "A",
    expect.stringContaining("missing from the secret"),
  ],
  ["a secret that is gone is written first", [version("A", 900 * hour)], undefined, expect.stringContaining("missing from the secret")],
  ["without a certificate nothing is due", [], undefined, "it has no certificate"],
])("%s", (_, versions, inSecret, due) => {
  expect(reasonToSkip({ versions, inSecret }, age, hour)).toEqual(due);
});
