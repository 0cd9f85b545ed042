/** Groups the entries of an estate by what they belong to. */
import type { Entry } from "../domain/estate.js";

/** Those with equal values in one subscription, in any case: Azure returns names as somebody once spelled them. The first one's spelling counts. */
export function grouped<T extends Readonly<Record<string, string>>>(
  entries: readonly Entry[],
  valueOf: (entry: Entry) => T | undefined,
): (readonly [T, readonly Entry[]])[] {
  const found = new Map<string, readonly [T, Entry[]]>();
  for (const entry of entries) {
    const value = valueOf(entry);
    if (value === undefined) continue;
    const key = JSON.stringify([entry.subscriptionId, ...Object.values(value)]).toLowerCase();
    const known = found.get(key);
    if (known) known[1].push(entry);
    else found.set(key, [value, [entry]]);
  }
  return [...found.values()];
}
