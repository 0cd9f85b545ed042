/** Each thing once: of Azure's lists, and of several plans of removals. */
import { idKey } from "../domain/resource-id.js";
import type { Removal } from "../engine/step.js";

/** Azure's pages shift while somebody writes: a thing may stand on two of them. */
export function distinct<T extends { readonly id?: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [idKey(item.id ?? ""), item])).values()];
}

export function mergedRemovals(removals: readonly Removal[]): Removal[] {
  const byId = new Map<string, Removal>();
  for (const removal of removals) {
    const known = byId.get(removal.id);
    byId.set(removal.id, known ? { ...known, after: [...new Set([...known.after, ...removal.after])] } : removal);
  }
  return [...byId.values()];
}
