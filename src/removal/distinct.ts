/** Each thing of Azure's lists once. */
import { idKey } from "../domain/resource-id.js";

/** Azure's pages shift while somebody writes: a thing may stand on two of them. */
export function distinct<T extends { readonly id?: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [idKey(item.id ?? ""), item])).values()];
}
