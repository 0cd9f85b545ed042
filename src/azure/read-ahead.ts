/** A read that starts before its result is needed. */
import { isDeepStrictEqual } from "node:util";

/** `Key`: what is read, if only the caller that needs the result knows it for sure. */
export interface ReadAhead<T, Key = void> {
  start(read: () => Promise<T>, key: Key): Promise<T>;
  /** The started read, once; undefined if there is none of this key. */
  take(key: Key): Promise<T> | undefined;
}

export function readAhead<T, Key = void>(): ReadAhead<T, Key> {
  let ahead: { readonly key: Key; readonly result: Promise<T> } | undefined;
  return {
    start(read, key) {
      ahead = { key, result: read() };
      return ahead.result;
    },
    take(key) {
      const started = ahead;
      ahead = undefined;
      return isDeepStrictEqual(started?.key, key) ? started?.result : undefined;
    },
  };
}
