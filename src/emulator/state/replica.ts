/** A process's copy of the state in memory, which follows the epochs on disk. */
import { chmodSync } from "node:fs";
import { EmulatorStateError } from "../common/emulator-error.js";
import { applyCommit } from "./apply-commit.js";
import { MisfitChange, type Change } from "./changes.js";
import { ContentNames, prefix } from "./content-names.js";
import type { OwnedContentFiles } from "./content-files.js";
import type { Epochs } from "./epochs.js";
import { damaged, otherVersion, parseBase, parseDelta, type Delta, isSeal } from "./state-document.js";
import type { AzureState } from "./state.js";
import type { StateCopy } from "./state-copy.js";

interface Copy {
  state: AzureState;
  names: ContentNames;
  epoch: number;
  /** The number of the last delta in it. */
  number: number;
  /** The last delta that a scan of the folder found: fewer can be read only if some are missing. */
  lastListedDelta: number;
  isSealed: boolean;
  /** The length of the base; `weight` is that of the deltas in it. */
  baseWeight: number;
  weight: number;
}

/** A small file costs an open too. */
const fileWeight = 1024;

export class Replica implements StateCopy {
  readonly #epochs: Epochs;
  readonly #directory: string;
  #copy: Copy | undefined;

  constructor(epochs: Epochs, directory: string) {
    this.#epochs = epochs;
    this.#directory = directory;
  }

  /** The newest state. Usually it is what it was, for the price of two looks at the disk. @throws EmulatorStateError */
  refresh(): AzureState {
    for (;;) {
      const copy = this.#copy ?? this.#load();
      this.#copy = undefined;
      if (copy === undefined || !this.#applyNewDeltas(copy)) continue;
      this.#copy = copy;
      return copy.state;
    }
  }

  isNewest(): boolean {
    const copy = this.#copy;
    return copy !== undefined && !this.#epochs.hasDelta(copy.epoch, copy.number + 1) && this.#epochs.exists(copy.epoch);
  }

  commit(changes: readonly Change[]): boolean {
    return this.#commit({ changes });
  }

  /** Whether the deltas cost as much as the whole state, so that writing it costs nothing in the long run. */
  isHeavy(minimum: number): boolean {
    return this.#copy !== undefined && this.#copy.weight > Math.max(minimum, this.#copy.baseWeight);
  }

  takeDropped(): readonly string[] {
    return this.#copy?.names.takeDropped() ?? [];
  }

  unnamed(files: readonly string[]): readonly string[] {
    return this.#copy?.names.missing(files) ?? [];
  }

  replace(state: AzureState, content: OwnedContentFiles): void {
    chmodSync(this.#directory, 0o700);
    replaceState(this.#epochs, content, state);
  }

  /** Begins a new epoch with the same state. False if another process committed first. */
  compact(): boolean {
    if (!this.#commit({ changes: [], seals: true })) return false;
    this.refresh();
    return true;
  }

  #commit(delta: Delta): boolean {
    const copy = this.#copy;
    if (copy === undefined) return false;
    const text = JSON.stringify(delta);
    if (!this.#epochs.commit(copy.epoch, copy.number + 1, text)) return false;
    apply(copy, delta, text);
    return true;
  }

  /** Undefined if the epoch ended meanwhile. */
  #load(): Copy | undefined {
    const epoch = this.#epochs.newest();
    if (epoch === undefined) {
      if (this.#epochs.hasVersion2()) throw otherVersion(this.#directory, 2);
      throw damaged(this.#directory, "no folder epoch-… has the current state");
    }
    const lastListedDelta = this.#epochs.lastDelta(epoch);
    const file = this.#epochs.baseFile(epoch);
    const text = this.#read(epoch, file);
    if (text === undefined) return undefined;
    const state = parseBase(text, file);
    // Few states have content files, and to walk through 10,000 resources takes as long as half of the parsing.
    const names = new ContentNames(text.includes(`"${prefix}`) ? state : {});
    return { state, names, epoch, number: 0, lastListedDelta, isSealed: false, baseWeight: text.length, weight: 0 };
  }

  /** False if the epoch ended meanwhile. */
  #applyNewDeltas(copy: Copy): boolean {
    for (;;) {
      if (copy.isSealed && !this.#startNextEpoch(copy)) return false;
      const { epoch, number, lastListedDelta } = copy;
      if (number >= lastListedDelta && !this.#epochs.hasDelta(epoch, number + 1)) return this.#epochs.exists(epoch);
      const file = this.#epochs.deltaFile(epoch, number + 1);
      const text = this.#read(epoch, file);
      if (text === undefined) return false;
      try {
        apply(copy, parseDelta(text, file), text);
      } catch (error) {
        throw error instanceof MisfitChange ? damaged(file, "its changes do not fit the state", error) : error;
      }
    }
  }

  /** Continues with the next epoch. False if another process made it, with whatever content. */
  #startNextEpoch(copy: Copy): boolean {
    if (this.#epochs.exists(copy.epoch + 1)) return false;
    const text = JSON.stringify(copy.state);
    if (!this.#epochs.succeed(copy.epoch, text)) return false;
    copy.epoch++;
    copy.number = 0;
    copy.lastListedDelta = 0;
    copy.weight = 0;
    copy.baseWeight = text.length;
    copy.isSealed = false;
    return true;
  }

  /** Undefined if the epoch has ended. @throws EmulatorStateError if the file is missing or unreadable although it has not */
  #read(epoch: number, file: string): string | undefined {
    let text: string | undefined;
    try {
      text = this.#epochs.read(file);
    } catch (error) {
      throw new EmulatorStateError(`the emulator's state in ${file} cannot be read: ${codeOf(error)}`, { cause: error });
    }
    if (text === undefined && this.#epochs.exists(epoch))
      throw new EmulatorStateError(`the emulator's state in ${file} cannot be read: ENOENT`);
    return text;
  }
}

function apply(copy: Copy, { changes, seals, state }: Delta, text: string): void {
  if (state !== undefined) {
    copy.state = state;
    copy.names = new ContentNames(state);
  }
  applyCommit(copy, changes);
  copy.number++;
  copy.weight += text.length + fileWeight;
  copy.isSealed = seals === true;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}

/** Reads nothing but the last delta, so it also replaces a damaged state. */
function replaceState(epochs: Epochs, content: OwnedContentFiles, state: AzureState): void {
  const text = JSON.stringify(state);
  for (;;) {
    // Listed before the seal: what is written after it may belong to a transaction on the new epoch.
    const names = content.names();
    if (!tryReplace(epochs, text)) continue;
    content.remove(new ContentNames(state).missing(names));
    return;
  }
}

function tryReplace(epochs: Epochs, text: string): boolean {
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
