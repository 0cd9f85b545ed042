/** A state in the memory of this process only: nothing is written, and it can be kept and put back at any moment. */
import { applyCommit } from "./apply-commit.js";
import type { Change } from "./changes.js";
import { ContentMissing, type OwnedContentFiles } from "./content-files.js";
import { ContentNames, prefix } from "./content-names.js";
import type { KeptState } from "./kept-state.js";
import { plainCopy } from "./plain-copy.js";
import type { AzureState } from "./state.js";
import type { StateCopy } from "./state-copy.js";

/** Called after each commit with the state, which it must not change, and what the commit changed. */
export type OnCommit = (state: AzureState, changes: readonly Change[]) => void;

export class MemoryCopy implements StateCopy {
  readonly content: OwnedContentFiles;
  readonly #files = new Map<string, Buffer>();
  readonly #onCommit: OnCommit;
  #state: AzureState;
  #names: ContentNames;

  constructor(state: AzureState, onCommit: OnCommit = () => undefined) {
    this.#state = state;
    this.#names = new ContentNames(state);
    this.#onCommit = onCommit;
    this.content = memoryContent(this.#files);
  }

  keep(): KeptState {
    return { state: plainCopy(this.#state), content: new Map(this.#files) };
  }

  restore({ state, content }: KeptState): void {
    this.#state = plainCopy(state);
    this.#names = new ContentNames(state);
    this.#files.clear();
    for (const [name, bytes] of content) this.#files.set(name, bytes);
  }

  refresh(): AzureState {
    return this.#state;
  }

  isNewest(): boolean {
    return true;
  }

  commit(changes: readonly Change[]): boolean {
    applyCommit({ state: this.#state, names: this.#names }, changes);
    this.#onCommit(this.#state, changes);
    return true;
  }

  takeDropped(): readonly string[] {
    return this.#names.takeDropped();
  }

  unnamed(files: readonly string[]): readonly string[] {
    return this.#names.missing(files);
  }

  replace(state: AzureState): void {
    this.restore({ state, content: new Map() });
  }

  isHeavy(): boolean {
    return false;
  }

  compact(): boolean {
    return false;
  }
}

function memoryContent(files: Map<string, Buffer>): OwnedContentFiles {
  let count = 0;
  let written: string[] = [];
  return {
    write(content) {
      const name = `${prefix}${String(++count)}`;
      files.set(name, Buffer.from(content));
      written.push(name);
      return name;
    },
    read(name, start, length) {
      const content = files.get(name);
      if (content === undefined) throw new ContentMissing(`the content ${name} is missing`);
      return content.subarray(start, start + length);
    },
    readWhole: (name) => files.get(name),
    names: () => [...files.keys()],
    takeWritten() {
      const taken = written;
      written = [];
      return taken;
    },
    remove(names) {
      for (const name of names) files.delete(name);
    },
  };
}
