/** A read that starts before its result is needed. */

export interface ReadAhead<T> {
  start(read: () => Promise<T>): void;
  /** The started read, once; undefined if there is none. */
  take(): Promise<T> | undefined;
}

/** If the result is never needed, a failure does not matter. */
export function readAhead<T>(): ReadAhead<T> {
  let ahead: Promise<T> | undefined;
  return {
    start(read) {
      ahead = read();
      ahead.catch(() => undefined);
    },
    take() {
      const started = ahead;
      ahead = undefined;
      return started;
    },
  };
}
