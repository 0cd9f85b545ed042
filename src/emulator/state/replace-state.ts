/** Puts another state in the place of the stored one, whatever that is. */
import type { OwnedContentFiles } from "./content-files.js";
import { ContentNames } from "./content-names.js";
import type { Epochs } from "./epochs.js";
import { isSeal } from "./state-document.js";
import type { AzureState } from "./state.js";

/** Reads nothing but the last delta, so it also replaces a damaged state. */
export function replaceState(epochs: Epochs, content: OwnedContentFiles, state: AzureState): void {
  const text = JSON.stringify(state);
  for (;;) {
    // Listed before the seal: what is written after it may belong to a transaction on the new epoch.
    const names = content.names();
    if (!isReplaced(epochs, text)) continue;
    content.remove(new ContentNames(state).missing(names));
    return;
  }
}

function isReplaced(epochs: Epochs, text: string): boolean {
  const epoch = epochs.newest();
  if (epoch === undefined) return epochs.begin(text);
  const last = epochs.lastDelta(epoch);
  // Whoever sealed it has not made the successor yet, or never will. The first successor counts.
  if (last > 0 && isSealed(epochs, epoch, last)) return epochs.succeed(epoch, text);
  // The seal contains the state, so it does not matter who makes the successor.
  if (!epochs.commit(epoch, last + 1, `{"changes":[],"seals":true,"state":${text}}`)) return false;
  epochs.succeed(epoch, text);
  return true;
}

function isSealed(epochs: Epochs, epoch: number, last: number): boolean {
  try {
    return isSeal(epochs.read(epochs.deltaFile(epoch, last)));
  } catch {
    return false;
  }
}
