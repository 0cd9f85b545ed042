/** A signal for what a command still does after it was stopped. */
import type { Clock } from "./clock.js";

/** Real milliseconds that a command waits for Azure after it was stopped. */
export const closingMs = 60_000;

/** A signal that aborts `ms` real milliseconds after `signal`. */
export function abortedLater(
  { after }: Pick<Clock, "after">,
  signal: AbortSignal | undefined,
  ms: number,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const later = new AbortController();
  let cancel: (() => void) | undefined;
  const start = () => {
    cancel ??= after(ms, () => later.abort());
  };
  if (signal?.aborted) start();
  else signal?.addEventListener("abort", start, { once: true });
  const end = () => {
    cancel?.();
    signal?.removeEventListener("abort", start);
  };
  return { signal: later.signal, end };
}
