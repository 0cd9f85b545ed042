import { expect, test } from "vitest";
import type { Removal } from "../../src/engine/step.js";
import { mergedRemovals } from "../../src/all/removal.js";

const removal = (id: string, ...after: string[]): Removal => ({
  id,
  title: id,
  resourceId: undefined,
  after,
  remove: () => Promise.resolve(),
});

test("a resource in two plans is removed once, after everything that either waits for, in its first position", () => {
  const merged = mergedRemovals([
    removal("role"),
    removal("group", "role"),
    removal("role"),
    removal("vault"),
    removal("group", "vault", "role"),
  ]);
  expect(merged.map(({ id, after }) => [id, after])).toEqual([
    ["role", []],
    ["group", ["role", "vault"]],
    ["vault", []],
  ]);
});
