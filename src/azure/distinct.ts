/** Removes duplicates from Azure's lists. */
import { idKey } from "../domain/resource-id.js";

/** Azure's pages shift during writes, so a resource may be on two of them. */
export function distinct<T extends { readonly id?: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [idKey(item.id ?? ""), item])).values()];
}
