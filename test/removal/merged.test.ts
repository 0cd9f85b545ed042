import { expect, test } from "vitest";
import type { Removal } from "../../src/engine/step.js";
import { mergedRemovals } from "../../src/removal/distinct.js";

const removal = (id: string, ...after: string[]): Removal => ({
  id,
  title: id,
  resourceId: undefined,
  after,
  remove: () => Promise.resolve(),
});

test("what two plans remove is removed once, after all that either waits for, in the place where it stood first", () => {
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
