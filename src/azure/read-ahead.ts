/** A read whose result somebody else takes, so that it is not sent twice. */

export interface ReadAhead<T> {
  start(read: () => Promise<T>): Promise<T>;
  /** The started read, once; undefined if there is none. */
  take(): Promise<T> | undefined;
}

export function readAhead<T>(): ReadAhead<T> {
  let started: Promise<T> | undefined;
  return {
    start(read) {
      started = read();
      return started;
    },
    take() {
      const taken = started;
      started = undefined;
      return taken;
    },
  };
}
