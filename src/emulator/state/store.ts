/**
 * The state, for transactions of several processes at once.
 *
 * Each process has a copy of the state in memory. A transaction first takes over what others have committed, works on a draft of that copy
 * (draft.ts), and commits what it changed. Its cost depends on what it touches. The commit is a file (epochs.ts), or nobody else sees it
 * (memory-copy.ts). If another process committed first, the transaction starts again. Its own changes are taken back before they are
 * applied as everybody applies them, so all copies are equal, and nothing outside refers to them.
 */
import { chmodSync, existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { EmulatorError, EmulatorStateError } from "../common/emulator-error.js";
import type { Change } from "./changes.js";
import { contentFiles, ContentMissing, type ContentFiles, type OwnedContentFiles } from "./content-files.js";
import { createDirectory, setAside } from "./files.js";
import { openDraft } from "./draft.js";
import { createEpochs, Epochs, isOfVersion2 } from "./epochs.js";
import { changesBetween, withNames, type KeptState } from "./kept-state.js";
import type { MemoryCopy } from "./memory-copy.js";
import { plainCopy } from "./plain-copy.js";
import { Replica } from "./replica.js";
import type { StateCopy } from "./state-copy.js";
import { damaged } from "./state-document.js";
import type { AzureState } from "./state.js";

/** The result of a transaction: its value, and whether to keep its changes to the state. */
export interface Outcome<T> {
  readonly value: T;
  readonly commit: boolean;
}

type Work<T> = (state: AzureState) => Outcome<T> | Promise<Outcome<T>>;

export class StateStore {
  readonly #directory: string;
  readonly #copy: StateCopy;
  readonly #content: OwnedContentFiles;
  readonly #compactAfter: number;
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(directory: string, copy: StateCopy, content: OwnedContentFiles, compactAfter: number) {
    this.#directory = directory;
    this.#copy = copy;
    this.#content = content;
    this.#compactAfter = compactAfter;
  }

  /** For use within `transact`. */
  get content(): ContentFiles {
    return this.#content;
  }

  /**
   * Opens the state under `directory`, or creates it with `fresh`. Deltas are compacted when they have more bytes than `compactAfter` and
   * than the whole state. @throws EmulatorError if the directory is unusable.
   */
  static open(directory: string, fresh: () => AzureState, compactAfter = 65_536): StateStore {
    const place = join(directory, "state");
    return orUnusable(directory, () => {
      createDirectory(directory);
      chmodSync(directory, 0o700);
      if (!existsSync(place)) {
        refuseOlderState(directory);
        createEpochs(place, JSON.stringify(fresh()));
      }
      if (!statSync(place).isDirectory()) throw damaged(place, "it is not a folder");
      return new StateStore(place, new Replica(new Epochs(place), place), contentFiles(join(place, "content")), compactAfter);
    });
  }

  /** A state that only this process has. */
  static inMemory(copy: MemoryCopy): StateStore {
    return new StateStore("memory", copy, copy.content, Infinity);
  }

  /**
   * Calls `work` with a draft of the state, valid until `work` ends, and commits its changes on request. If another process committed
   * first, `work` runs again on the newer state, so it must not count, send or write anything. Transactions of one process run one after
   * another. The value is a copy where it is plain data.
   */
  transact<T>(work: Work<T>): Promise<T> {
    return this.#inTurn(() => this.#attempt(work));
  }

  /** Copies the state and the content that it names. */
  keep(): Promise<KeptState> {
    return this.#inTurn(() => {
      for (;;) {
        const state = this.#copy.refresh();
        const content = this.#readNamed();
        // A commit of another process may have removed a file before it was read.
        if (this.#copy.isNewest()) return { state: plainCopy(state), content };
      }
    });
  }

  /** Puts back what `keep` copied, with one commit that writes what differs. */
  restore({ state, content }: KeptState): Promise<void> {
    return this.#inTurn(() => {
      for (let isDone = false; !isDone;) {
        const current = this.#copy.refresh();
        try {
          // The other files exist, because the current state names them.
          const missing = new Set(this.#copy.unnamed([...content.keys()]));
          const lost = [...content].filter(([name]) => missing.has(name));
          const names = new Map(lost.map(([name, bytes]) => [name, this.#content.write(bytes)]));
          const changes = changesBetween(current, withNames(state, names));
          isDone = changes.length === 0 || this.#commit(changes);
        } finally {
          this.#removeUnnamed(this.#content.takeWritten());
        }
      }
    });
  }

  /** Removes what `open` cannot read: a file in place of the state, and a state of version 1. Files of others stay, and their folder with them. */
  static removeUnreadable(directory: string): void {
    const place = join(directory, "state");
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() === false) setAside(place);
    if (!hasOlderState(directory)) return;
    const folder = olderState(directory);
    const entries = readdirSync(folder);
    for (const entry of entries.filter(isOfVersion2)) rmSync(join(folder, entry), { force: true });
    if (entries.every(isOfVersion2)) rmdirSync(folder);
  }

  /** @throws EmulatorStateError if the stored state cannot be used: no request could be answered */
  check(): void {
    orUnusable(this.#directory, () => this.#copy.refresh());
  }

  /** Replaces the stored state, readable or not. */
  replace(state: AzureState): void {
    orUnusable(this.#directory, () => this.#copy.replace(state, this.#content));
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  #readNamed(): Map<string, Buffer> {
    const files = this.#content.names();
    const unnamed = new Set(this.#copy.unnamed(files));
    const content = new Map<string, Buffer>();
    for (const name of files) {
      const bytes = unnamed.has(name) ? undefined : this.#content.readWhole(name);
      if (bytes !== undefined) content.set(name, bytes);
    }
    return content;
  }

  async #attempt<T>(work: Work<T>): Promise<T> {
    for (;;) {
      try {
        const { value, changes } = await this.#compute(work);
        if (changes.length === 0 || this.#commit(changes)) return value;
      } catch (error) {
        if (!(error instanceof ContentMissing)) throw error;
        // Removed by a commit of another process: this state is no longer the newest.
        if (!this.#copy.isNewest()) continue;
        throw new EmulatorStateError(error.message, { cause: error });
      } finally {
        this.#removeUnnamed(this.#content.takeWritten());
      }
    }
  }

  /** Leaves the copy of the state as it was. */
  async #compute<T>(work: Work<T>): Promise<{ value: T; changes: readonly Change[] }> {
    const draft = openDraft(this.#copy.refresh());
    try {
      const { value, commit } = await work(draft.state);
      return { value: leaving(value), changes: commit ? draft.finish() : [] };
    } catch (error) {
      throw leaving(error);
    } finally {
      draft.undo();
    }
  }

  #commit(changes: readonly Change[]): boolean {
    if (!this.#copy.commit(changes)) return false;
    this.#removeUnnamed(this.#copy.takeDropped());
    if (this.#copy.isHeavy(this.#compactAfter)) this.#compact();
    return true;
  }

  /** The commit before it holds in any case: where the disk is full, the next transaction says so. */
  #compact(): void {
    // Listed before the seal: what is written after it may belong to a transaction on the new epoch.
    const content = this.#content.names();
    try {
      if (this.#copy.compact()) this.#removeUnnamed(content);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  #removeUnnamed(names: readonly string[]): void {
    this.#content.remove(this.#copy.unnamed(names));
  }
}

/** What leaves a transaction must not change with the state: plain data is copied, and so are the members of an error. */
function leaving<T>(value: T): T {
  if (!(value instanceof Error)) return plainCopy(value);
  for (const [key, held] of Object.entries(value)) Object.defineProperty(value, key, { value: plainCopy<unknown>(held) });
  return value;
}

/** An error of the file system, as an error that names the directory. */
function orUnusable<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new EmulatorError(`the emulator cannot store its state in ${directory}: ${String(error.code)}`, { cause: error });
  }
}

/** Version 1 was kept in a folder of this name. */
const olderState = (directory: string): string => join(directory, "world");

function hasOlderState(directory: string): boolean {
  const folder = olderState(directory);
  return existsSync(folder) && readdirSync(folder).some((entry) => entry.startsWith("head-"));
}

function refuseOlderState(directory: string): void {
  if (hasOlderState(directory)) {
    throw new EmulatorStateError(`an older version of this program wrote the state in ${directory}`);
  }
}
