/** The time of the next poll: when an operation has probably ended, by its expected duration. */
import type { ExpectedDuration } from "./expected-durations.js";

/** Seconds. */
const shortestPause = 0.25;

/** A straggler is polled each time that it took this much longer. */
const stragglerPause = 0.1;

/**
 * Returns seconds since the start. `stillRanAt` is when the last poll found it running, or 0.
 *
 * With a pause d, an operation that ends goes unnoticed for d/2 on average. This costs (rate of ending) × d/2 in each second, and polling costs
 * (cost of a poll) / d. The sum is lowest where d² = 2 × (cost of a poll) / (rate of ending).
 */
export function nextPoll({ spread, pollCost }: ExpectedDuration, stillRanAt: number): number {
  const from = Math.max(stillRanAt, spread[0]);
  const rate = endingRate(spread, from);
  const pause = rate === undefined ? Math.max(1, stillRanAt * stragglerPause) : Math.sqrt((2 * pollCost) / rate);
  return Math.max(from + pause, stillRanAt + shortestPause);
}

/** The share of the operations still running that end in a second; undefined if all have ended. */
function endingRate([earliest, half, most, latest]: ExpectedDuration["spread"], seconds: number): number | undefined {
  const parts = [
    { from: earliest, to: half, before: 0, share: 0.5 },
    { from: half, to: most, before: 0.5, share: 0.4 },
    { from: most, to: latest, before: 0.9, share: 0.1 },
  ];
  const part = parts.find(({ to }) => seconds < to);
  if (part === undefined) return undefined;
  // Few recordings are this long, so the rate is taken as constant: operations end half-way to `latest` on average.
  if (part.to === latest) return 2 / (latest - most);
  const density = part.share / (part.to - part.from);
  return density / (1 - part.before - (seconds - part.from) * density);
}
