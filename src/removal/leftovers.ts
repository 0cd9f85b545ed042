/** What is left after a removal. */
import type { Clock } from "../azure/clock.js";

const pollMs = 5000;
const maxReads = 12;

/** Reads leftovers again for up to a minute of Azure's time until there are none, because Azure's lists show deleted resources for a while. */
export async function leftoversAfterDelay(
  read: () => Promise<readonly string[]>,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (let reads = 1; ; reads++) {
    const left = await read();
    if (left.length === 0 || reads === maxReads) return left;
    await clock.sleep(pollMs, signal);
  }
}
