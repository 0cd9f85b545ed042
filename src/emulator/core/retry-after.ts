/** Scales Retry-After to a faster clock, and to one on which no operation takes any time. */
import type { Latency } from "../state/sampling.js";

/** Without latency every operation is over at the first poll. */
const longestWithoutLatencyMs = 1000;

/**
 * Services give Retry-After in seconds of Azure's clock; clients wait by the real one. If less than a second remains, which the header
 * cannot express, only the millisecond forms are sent. The SDKs' retry policies read those first. Without latency, the seconds stay as
 * Azure sends them, and the millisecond forms say a second at most.
 */
export function scaleRetryAfter(
  headers: Readonly<Record<string, string>>,
  timeScale: number,
  latency: Latency = "recorded",
): Record<string, string> {
  const scaled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = Number(scaled["retry-after"] ?? "none");
  const milliseconds = Math.ceil((seconds * 1000) / timeScale);
  const isShortened = latency === "none" && milliseconds > longestWithoutLatencyMs;
  if (Number.isNaN(seconds) || (timeScale === 1 && !isShortened)) return scaled;
  if (milliseconds >= 1000) scaled["retry-after"] = String(Math.round(milliseconds / 1000));
  else delete scaled["retry-after"];
  const inMs = String(isShortened ? longestWithoutLatencyMs : milliseconds);
  return { ...scaled, "retry-after-ms": inMs, "x-ms-retry-after-ms": inMs };
}
