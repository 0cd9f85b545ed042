/** Calls that share a limit or an answer: at most one in an interval, and one promise for each key. */
import type { Clock } from "./clock.js";

/** Starts each call at least `ms` of Azure's time after the previous one. The clock is needed only for a call: a graph is drawn without one. */
export function atMostEvery(ms: number, clock: () => Clock): <T>(call: () => Promise<T>) => Promise<T> {
  let turn: Promise<void> = Promise.resolve();
  return async (call) => {
    const mine = turn;
    turn = mine.then(() => clock().sleep(ms));
    await mine;
    return call();
  };
}

export interface OncePerKey<T> {
  /** Returns the promise for this key, or calls `make` if there is none. A rejected promise is kept, too. */
  get(key: string, make: () => Promise<T>): Promise<T>;
  /** Drops the promise, so that the next `get` calls `make` again. */
  forget(key: string): void;
}

export function oncePerKey<T>(): OncePerKey<T> {
  const made = new Map<string, Promise<T>>();
  return {
    get(key, make) {
      const promise = made.get(key) ?? make();
      made.set(key, promise);
      return promise;
    },
    forget: (key) => void made.delete(key),
  };
}
