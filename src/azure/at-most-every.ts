/** Limits the rate of calls, so that they stay below a documented Azure limit. */
import type { Clock } from "./clock.js";

/** Starts each call at least `ms` of Azure's time after the previous one. */
export function atMostEvery(ms: number, clock: Clock): <T>(call: () => Promise<T>) => Promise<T> {
  let turn: Promise<void> = Promise.resolve();
  return async (call) => {
    const mine = turn;
    turn = mine.then(() => clock.sleep(ms));
    await mine;
    return call();
  };
}
