/** Keeps a documented rate: calls take their turn, so that a limit of Azure's is not run into. */
import type { Clock } from "./clock.js";

/** Begins each call at least `ms` of Azure's time after the one before. */
export function atMostEvery(ms: number, clock: Clock): <T>(call: () => Promise<T>) => Promise<T> {
  let turn: Promise<void> = Promise.resolve();
  return async (call) => {
    const mine = turn;
    turn = mine.then(() => clock.sleep(ms));
    await mine;
    return call();
  };
}
