/** Time as renderers see it, so that tests move it by hand. */
export interface Ticker {
  /** Milliseconds since any fixed moment; never goes back. */
  now(): number;
  /** Calls `tick` every `ms` milliseconds until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
}

/** Ticks in real time. `elapsedMs`: the clock's. */
export const systemTicker = (elapsedMs: () => number): Ticker => ({
  now: elapsedMs,
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    // A progress view alone is no reason for the process to stay.
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  },
});
