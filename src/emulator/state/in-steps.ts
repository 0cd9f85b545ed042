/** A long change to the state as many steps: each costs what it touches, not what the steps before it have touched. */
import { applyCommit } from "./apply-commit.js";
import { applyChanges, type Change } from "./changes.js";
import { ContentNames } from "./content-names.js";
import { openDraft, rawOf } from "./draft.js";
import { plainCopy } from "./plain-copy.js";
import type { AzureState } from "./state.js";

/** Runs the steps on a copy of the state, and makes their changes to the state when all have ended. */
export async function changeInSteps(state: AzureState, steps: readonly ((state: AzureState) => unknown)[]): Promise<void> {
  const copy = plainCopy(rawOf(state));
  const followed = { state: copy, names: new ContentNames(copy) };
  const made: Change[] = [];
  for (const step of steps) {
    const draft = openDraft(copy);
    try {
      await step(draft.state);
      const changes = draft.finish();
      made.push(...plainCopy(changes));
      applyCommit(followed, changes);
    } finally {
      draft.undo();
    }
  }
  applyChanges(state, made);
}
