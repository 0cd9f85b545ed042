/** Time for the renderers, which tests can advance by hand. */
export interface Ticker {
  /** Milliseconds since any fixed moment; never goes back. */
  now(): number;
  /** Calls `tick` every `ms` milliseconds until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
}

/** Ticks by a clock whose `after` does not keep the process alive: a progress view alone must not. */
export const tickerOf = ({ elapsedMs, after }: TickerClock): Ticker => ({
  now: elapsedMs,
  every(ms, tick) {
    const next = (): (() => void) =>
      after(ms, () => {
        stop = next();
        tick();
      });
    let stop = next();
    return () => {
      stop();
    };
  },
});

interface TickerClock {
  elapsedMs(): number;
  after(ms: number, act: () => void): () => void;
}
