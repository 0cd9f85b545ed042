/** Shares one promise for each key among all callers. */

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
