/** Calls that share a limit or an answer: one after a pause, and one promise for each key. */

/** Starts each call after the previous one and a pause. */
export function withPauses(pause: () => Promise<void>): <T>(call: () => Promise<T>) => Promise<T> {
  let turn: Promise<void> = Promise.resolve();
  return async (call) => {
    const mine = turn;
    turn = mine.then(pause);
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
