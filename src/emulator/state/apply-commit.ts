/** Applies what a commit changed, and tells those who follow the state: its indexes, and the count of its content files. */
import { applyChanges, type Change } from "./changes.js";
import type { ContentNames } from "./content-names.js";
import { memberChanged } from "./index-of.js";
import type { AzureState } from "./state.js";

export function applyCommit(
  { state, names }: { readonly state: AzureState; readonly names: ContentNames },
  changes: readonly Change[],
): void {
  applyChanges(state, changes, {
    replaced(change, before, after) {
      names.replaced(change, before, after);
      const [collection, member] = change.at;
      if (collection === undefined || member === undefined) return;
      const isNew = change.at.length === 2 && (before === undefined || "again" in change);
      memberChanged(state[collection as keyof AzureState] as object, member, isNew);
    },
  });
}
