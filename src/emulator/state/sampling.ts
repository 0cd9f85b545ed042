/** Randomness from the seed of the state: durations and IDs. The same state and the same requests give the same samples. */
import { createHash } from "node:crypto";
import { latencyProfile, type Spread } from "./latency-profile.js";
import type { AzureState } from "./state.js";

export type Latency = "none" | "recorded";

/**
 * Samples the durations of one request, in seconds; 0 if latency is "none". They depend on the seed and the request, not on the
 * number of earlier samples: parallel requests that arrive in another order take as long as before.
 */
export function durationSampler(seed: number, latency: Latency, request: string): (key: string) => number {
  let nth = 0;
  return (key) => {
    const spread = latencyProfile[key];
    if (spread === undefined) throw new Error(`the latency profile has no "${key}"`);
    if (latency === "none") return 0;
    return quantile(spread, fraction(`${seed} ${key} ${request} ${nth++}`));
  };
}

/** A version-4 UUID; counts up `samples`. */
export function sampleUuid(state: AzureState): string {
  const hex = createHash("sha256").update(`${state.seed} uuid ${state.samples++}`).digest("hex");
  const variant = "89ab".charAt(parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The duration at quantile `p`: straight lines through (0, min), (0.5, typical), (0.9, p90), (1, max). */
export function quantile([min, typical, p90, max]: Spread, p: number): number {
  if (p < 0.5) return min + (p / 0.5) * (typical - min);
  if (p < 0.9) return typical + ((p - 0.5) / 0.4) * (p90 - typical);
  return p90 + ((p - 0.9) / 0.1) * (max - p90);
}

/** From 0 up to, but not including, 1. */
function fraction(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}
