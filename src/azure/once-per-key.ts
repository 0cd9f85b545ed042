/** What is asked for once, however many want it: who comes later gets the same promise. */

export interface OncePerKey<T> {
  /** The promise that `make` gave for this key, made now where there is none. A failed one is kept, too. */
  get(key: string, make: () => Promise<T>): Promise<T>;
  /** The next `get` makes it anew. */
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
