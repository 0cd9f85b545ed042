/** Time for the renderers, which tests can advance by hand. */
export interface Ticker {
  /** Milliseconds since any fixed moment; never goes back. */
  now(): number;
  /** Calls `tick` every `ms` milliseconds until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
}

/** Ticks in real time; `elapsedMs` is that of the clock. */
export const systemTicker = (elapsedMs: () => number): Ticker => ({
  now: elapsedMs,
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    // A progress view alone must not keep the process alive.
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  },
});
