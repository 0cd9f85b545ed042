/** One plan of several: what is to be removed for two reasons is removed once, after all that either waits for. */
import type { Removal } from "../engine/step.js";

export function mergedRemovals(removals: readonly Removal[]): Removal[] {
  const byId = new Map<string, Removal>();
  for (const removal of removals) {
    const known = byId.get(removal.id);
    byId.set(removal.id, known ? { ...known, after: [...new Set([...known.after, ...removal.after])] } : removal);
  }
  return [...byId.values()];
}
