import { expect, test } from "vitest";
import { olderVersions, reasonToSkip, recentlyRotated } from "../../src/domain/rotation.js";

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
    "the last rotation was less than --min-age ago; to rotate again now, pass --min-age 5m",
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

test.each([
  [90_500, 1_000, "now, pass --min-age 90s"],
  [121_000, 120_000, "now, pass --min-age 2m"],
  [30_000, 120_000, "in 90s, pass --min-age 2m"],
  [0, 1_000, "in 1s, pass --min-age 1s"],
])("what was rotated %i ms ago can be rotated again %#", (ageMs, shortestMs, words) => {
  expect(recentlyRotated(ageMs, shortestMs)).toMatch(new RegExp(`${words}$`));
});

const written = new Date(now - 30 * hour);
const [a, b, c] = [version("A", 900 * hour), version("B", 31 * hour), version("C", 0)];

test.each([
  [
    "the version in the secret is superseded by this run, those before it were by an earlier one",
    [a, b, c],
    "B",
    { A: written, B: undefined },
  ],
  ["without a new version, the secret has superseded all others", [a, b], "B", { A: written }],
  ["a newest version that is not in the secret yet supersedes only then", [a, b], "A", { A: undefined }],
  ["without a secret, all are superseded when it is written", [a, b, c], undefined, { A: undefined, B: undefined }],
])("%s", (_, versions, inSecret, since) => {
  const newest = versions.at(-1)?.thumbprint ?? "";
  const older = olderVersions({ versions, inSecret, writtenOn: inSecret === undefined ? undefined : written }, newest);
  expect(Object.fromEntries(older.map(({ thumbprint, supersededOn }) => [thumbprint, supersededOn]))).toEqual(since);
});
