/**
 * The state on disk, shared by processes without a lock. Knows versions, not their content.
 *
 * Each version is a file of its own, `state-<n>-<id>.json`. The name of a single empty file, `head-<n>-<id>`, says which one is current.
 * A commit writes the next version's file, then renames the head from the version it was computed on to the new one. rename(2) fails
 * with ENOENT if another process renamed that head first. No head's name is ever reused, so exactly one of several writers wins,
 * however long one of them slept. A kill before the rename leaves a file that nothing names; a kill after it leaves a whole new
 * state. The first version is written to a directory of its own, which is then renamed. The rename fails if another process was first.
 * Files in `content/` are written before the commit of a version that names them: see content-files.ts.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorError, EmulatorStateError } from "../emulator-error.js";
import { contentFiles, ContentMissing, type ContentFiles, type OwnedContentFiles } from "./content-files.js";
import { createDirectory } from "./directory.js";
import { isErrno } from "./file-writing.js";
import { parseState, requireMembers } from "./parse-state.js";
import type { AzureState } from "./state.js";

/** The result of a transaction: its value, and whether to keep its changes to the state. */
export interface Outcome<T> {
  readonly value: T;
  readonly commit: boolean;
}

interface Version {
  readonly number: number;
  /** `<n>-<id>`, the same in the head's name and the version's file. */
  readonly name: string;
}

const namePattern = /^(head|state)-((\d+)-[0-9a-z-]+?)(\.json)?$/;

export class StateStore {
  readonly #directory: string;
  readonly #content: OwnedContentFiles;
  /** The text of the version read last, so that an unchanged state is not read again. */
  #cached: { name: string; text: string } | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(directory: string) {
    this.#directory = directory;
    this.#content = contentFiles(join(directory, "content"));
  }

  /** For use within `transact`. A file that no commit names is removed by a later commit. */
  get content(): ContentFiles {
    return this.#content;
  }

  /** Opens the state under `directory`, or creates it with `fresh`. @throws EmulatorError if the directory is unusable. */
  static open(directory: string, fresh: () => AzureState): StateStore {
    const place = join(directory, "state");
    return orUnusable(directory, () => {
      createDirectory(directory);
      chmodSync(directory, 0o700);
      if (!existsSync(place)) {
        refuseOlderState(directory);
        createFirst(place, JSON.stringify(fresh()));
      }
      return new StateStore(place);
    });
  }

  /**
   * Calls `work` with a copy of the state and commits its changes on request. If another process committed first, `work` runs
   * again on the newer state, so it must not count, send or write anything. Transactions of one process run one after another.
   */
  transact<T>(work: (state: AzureState) => Outcome<T> | Promise<Outcome<T>>): Promise<T> {
    const turn = this.#tail.then(() => this.#attempt(work));
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  /** Removes a state of version 1, which this program cannot read. Files of others stay, and their folder with them. */
  static removeOlder(directory: string): void {
    if (!hasOlderState(directory)) return;
    const folder = olderState(directory);
    const others = readdirSync(folder).filter((entry) => parseName(entry) === undefined);
    for (const entry of readdirSync(folder)) if (!others.includes(entry)) rmSync(join(folder, entry), { force: true });
    if (others.length === 0) rmdirSync(folder);
  }

  /** @throws EmulatorStateError if the stored state cannot be used: no request could be answered */
  check(): void {
    const { base, text } = this.#read();
    requireMembers(parseState(text, this.#file(base)), this.#file(base));
  }

  /** Replaces the stored state, readable or not. */
  replace(state: AzureState): void {
    orUnusable(this.#directory, () => {
      chmodSync(this.#directory, 0o700);
      while (!this.#commit(this.#newestHead() ?? this.#createHead(), JSON.stringify(state)));
    });
  }

  /** In the place of a lost one, above every file that is left. Of several writers, the next rename picks one. */
  #createHead(): Version {
    const numbers = readdirSync(this.#directory).map((entry) => parseName(entry)?.number ?? 0);
    const number = Math.max(0, ...numbers) + 1;
    const name = `${number}-${randomUUID()}`;
    writeFileSync(join(this.#directory, `head-${name}`), "", { mode: 0o600, flag: "wx" });
    return { number, name };
  }

  async #attempt<T>(work: (state: AzureState) => Outcome<T> | Promise<Outcome<T>>): Promise<T> {
    for (;;) {
      const { base, text } = this.#read();
      const state = parseState(text, this.#file(base));
      let outcome: Outcome<T>;
      try {
        outcome = await work(state);
      } catch (error) {
        if (!(error instanceof ContentMissing)) throw error;
        // Removed by a commit of another process: this state is no longer the newest.
        if (this.#head().name !== base.name) continue;
        throw new EmulatorStateError(error.message, { cause: error });
      }
      const { value, commit } = outcome;
      if (!commit) return value;
      const changed = JSON.stringify(state);
      if (changed === text || this.#commit(base, changed)) return value;
    }
  }

  // Synchronous on purpose: each call takes some microseconds, less than a round trip through the thread pool.
  #read(): { base: Version; text: string } {
    for (;;) {
      const base = this.#head();
      if (this.#cached?.name !== base.name) {
        try {
          this.#cached = { name: base.name, text: readFileSync(this.#file(base), "utf8") };
        } catch (error) {
          // Superseded and deleted between the two calls: read the newer one. A head whose file stays missing is damage.
          if (isErrno(error, "ENOENT") && this.#head().name !== base.name) continue;
          throw new EmulatorStateError(`the emulator's state in ${this.#file(base)} cannot be read: ${codeOf(error)}`, { cause: error });
        }
      }
      return { base, text: this.#cached.text };
    }
  }

  #head(): Version {
    const head = orUnusable(this.#directory, () => this.#newestHead());
    if (head !== undefined) return head;
    throw new EmulatorStateError(`the emulator's state in ${this.#directory} is damaged: no file head-… names the current version`);
  }

  #newestHead(): Version | undefined {
    // On some file systems, a scan during a rename may miss both names: scan again before calling it damage.
    for (let scan = 0; scan < 100; scan++) {
      const heads = readdirSync(this.#directory)
        .map(parseName)
        .filter((version) => version?.kind === "head");
      const highest = heads.reduce((left, right) => ((left?.number ?? 0) < (right?.number ?? 0) ? right : left), undefined);
      if (highest !== undefined) return highest;
    }
    return undefined;
  }

  #commit(base: Version, text: string): boolean {
    const number = base.number + 1;
    const next: Version = { number, name: `${number}-${randomUUID()}` };
    // Listed before the commit: what is written after it may belong to a transaction on the new version.
    const content = this.#content.names();
    writeFileSync(this.#file(next), text, { mode: 0o600, flag: "wx" });
    try {
      renameSync(join(this.#directory, `head-${base.name}`), join(this.#directory, `head-${next.name}`));
    } catch (error) {
      rmSync(this.#file(next), { force: true });
      if (isErrno(error, "ENOENT")) return false;
      throw error;
    }
    this.#cached = { name: next.name, text };
    this.#clearBelow(number);
    this.#content.removeUnnamed(content, text);
    return true;
  }

  /** Files below the head are superseded, or belong to writers that can no longer win. */
  #clearBelow(number: number): void {
    for (const entry of readdirSync(this.#directory)) {
      const version = parseName(entry);
      if (version !== undefined && version.number < number) rmSync(join(this.#directory, entry), { force: true });
    }
  }

  #file(version: Version): string {
    return join(this.#directory, `state-${version.name}.json`);
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

function createFirst(place: string, text: string): void {
  const draft = `${place}.${randomUUID()}.tmp`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(join(draft, "state-1-first.json"), text, { mode: 0o600 });
  writeFileSync(join(draft, "head-1-first"), "", { mode: 0o600 });
  try {
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isErrno(error, "ENOTEMPTY") && !isErrno(error, "EEXIST")) throw error;
  }
}

function parseName(entry: string): (Version & { kind: string }) | undefined {
  const [, kind, name, number] = namePattern.exec(entry) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name, number: Number(number) };
}

/** An error of the file system, as an error that names the directory. */
function orUnusable<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new EmulatorError(`the emulator cannot store its state in ${directory}: ${codeOf(error)}`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
