/** A read that starts before its result is needed. */

export interface ReadAhead<T> {
  start(read: () => Promise<T>): Promise<T>;
  /** The started read, once; undefined if there is none. */
  take(): Promise<T> | undefined;
}

export function readAhead<T>(): ReadAhead<T> {
  let ahead: Promise<T> | undefined;
  return {
    start(read) {
      ahead = read();
      return ahead;
    },
    take() {
      const started = ahead;
      ahead = undefined;
      return started;
    },
  };
}
