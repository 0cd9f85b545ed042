/** Finds the fewest faults and the shortest schedule with which a life still has a problem. */
import type { LifeOptions } from "./life.js";
import type { Outcome } from "./place.js";

/** More tries do not pay. */
const mostTries = 200;

export async function shrink(
  options: LifeOptions,
  first: Outcome,
  retry: (options: LifeOptions) => Promise<Outcome>,
): Promise<LifeOptions> {
  let tries = 0;
  const fails = async (changed: LifeOptions): Promise<boolean> => ++tries <= mostTries && (await retry(changed)).problems.length > 0;
  const faults = await fewest(first.faults, (some) => fails({ ...options, faults: some }));
  const freeChoices = await least(first.turns, (count) => fails({ ...options, faults, freeChoices: count }));
  return { ...options, faults, freeChoices };
}

/** Leaves out one part after another, in ever smaller parts. */
async function fewest(all: readonly string[], fails: (some: readonly string[]) => Promise<boolean>): Promise<readonly string[]> {
  if (await fails([])) return [];
  let left = all;
  for (let size = Math.ceil(left.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length;) {
      const rest = [...left.slice(0, at), ...left.slice(at + size)];
      if (await fails(rest)) left = rest;
      else at += size;
    }
  }
  return left;
}

/** Whether it fails with fewer choices is likely, but not certain, if it fails with more. */
async function least(most: number, fails: (count: number) => Promise<boolean>): Promise<number> {
  let [passing, failing] = [-1, most];
  while (failing - passing > 1) {
    const middle = Math.floor((passing + failing) / 2);
    if (await fails(middle)) failing = middle;
    else passing = middle;
  }
  return failing;
}
