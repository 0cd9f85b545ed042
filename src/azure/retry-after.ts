/** How long Azure asks the client to wait: a header in one of four forms, or a number in the message of a throttling error. */
import type { Clock } from "./clock.js";

interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | undefined };
  readonly bodyAsText?: string | null | undefined;
}

/** Azure's milliseconds, 0 for a time in the past; undefined if Azure asks for no wait. */
export function retryAfterMs({ status, headers, bodyAsText }: Answer, clock: Pick<Clock, "now" | "unscaled">): number | undefined {
  // Milliseconds first, as in the SDKs. Both headers use the clock that this program waits by.
  const inMs = numberIn(headers.get("retry-after-ms") ?? headers.get("x-ms-retry-after-ms"));
  if (Number.isFinite(inMs)) return clock.unscaled(Math.max(0, inMs));
  const header = headers.get("retry-after");
  if (header !== undefined) {
    const inSeconds = numberIn(header);
    const ms = Number.isNaN(inSeconds) ? Date.parse(header) - sentAt(headers, clock) : inSeconds * 1000;
    if (Number.isFinite(ms)) return clock.unscaled(Math.max(0, ms));
  }
  // "Please try again after '11' seconds", "The call can be retried in 11 seconds".
  const inWords = /(?:after|in) '?(\d+)'? seconds/i.exec(bodyAsText ?? "")?.[1];
  return status === 429 && inWords !== undefined ? Number(inWords) * 1000 : undefined;
}

/** Azure's own time, if it says so: the clock of this machine may be wrong. */
function sentAt(headers: Answer["headers"], clock: Pick<Clock, "now">): number {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? clock.now().getTime() : date;
}

/** NaN for an empty text, which `Number` reads as 0. */
function numberIn(text = ""): number {
  return text.trim() === "" ? NaN : Number(text);
}
