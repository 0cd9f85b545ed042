/**
 * The world on disk, shared by processes without a lock. Knows versions, not what is in them.
 *
 * Each version is a file of its own, `world-<n>-<id>.json`. Which one is the world says the name of a single empty file, `head-<n>-<id>`.
 * A commit writes the next version's file, then renames the head from the version it was computed on to the new one. rename(2) fails
 * with ENOENT where another process renamed that head first, and no head's name ever comes back, so exactly one of several writers
 * wins however long one of them slept. A kill before the rename leaves a file that nothing names, after it a whole new world.
 * The first version is made in a directory of its own that is then renamed into place, which fails where one is there already.
 * What a version names in `content/` is written before its commit: see content-files.ts.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EmulatorError } from "../emulator-error.js";
import { contentFiles, ContentMissing, type ContentFiles, type OwnedContentFiles } from "./content-files.js";
import { isErrno } from "./file-writing.js";
import type { AzureState } from "./state.js";

/** What a transaction comes to: its value, and whether its changes to the world stay. */
export interface Outcome<T> {
  readonly value: T;
  readonly commit: boolean;
}

interface Version {
  readonly number: number;
  /** `<n>-<id>`, the same in the head's name and the version's file. */
  readonly name: string;
}

const namePattern = /^(head|world)-((\d+)-[0-9a-z-]+?)(\.json)?$/;

export class StateStore {
  readonly #directory: string;
  readonly #content: OwnedContentFiles;
  /** The text of the version read last, so that an unchanged world is not read again. */
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

  /** Opens the world kept under `directory`; where there is none, `fresh` makes it. @throws EmulatorError for a directory that will not do. */
  static open(directory: string, fresh: () => AzureState): StateStore {
    const place = join(directory, "world");
    try {
      makeDirectory(directory);
      chmodSync(directory, 0o700);
      if (!existsSync(place)) createFirst(place, JSON.stringify(fresh()));
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      throw new EmulatorError(`the emulator cannot keep its world in ${directory}: ${String(error.code)}`, { cause: error });
    }
    return new StateStore(place);
  }

  /**
   * Calls `work` with a copy of the world and commits what it changed, if it says so. Where another process was first, `work` is called
   * again on the newer world: it must not count, send or write anything. Transactions of one process run one after another.
   */
  transact<T>(work: (state: AzureState) => Outcome<T> | Promise<Outcome<T>>): Promise<T> {
    const turn = this.#tail.then(() => this.#attempt(work));
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  /** Puts `world` in place of whatever is there, readable or not. */
  replace(state: AzureState): void {
    while (!this.#commit(this.#head(), JSON.stringify(state)));
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
        throw new EmulatorError(`${error.message}; \`aro-hcp local reset\` starts over`, { cause: error });
      }
      const { value, commit } = outcome;
      if (!commit) return value;
      const changed = JSON.stringify(state);
      if (changed === text || this.#commit(base, changed)) return value;
    }
  }

  // Synchronous on purpose: each call is some microseconds, less than a turn through the thread pool.
  #read(): { base: Version; text: string } {
    for (;;) {
      const base = this.#head();
      if (this.#cached?.name !== base.name) {
        try {
          this.#cached = { name: base.name, text: readFileSync(this.#file(base), "utf8") };
        } catch (error) {
          // Superseded and cleared away between the two calls: read the newer one. A head that stays without its file is damage.
          if (isErrno(error, "ENOENT") && this.#head().name !== base.name) continue;
          throw new EmulatorError(`the emulator's world in ${this.#directory} cannot be read`, { cause: error });
        }
      }
      return { base, text: this.#cached.text };
    }
  }

  #head(): Version {
    // A scan that runs beside a rename may, on some file systems, miss both names: look again before calling it damage.
    for (let scan = 0; scan < 100; scan++) {
      const heads = readdirSync(this.#directory)
        .map(parseName)
        .filter((version) => version?.kind === "head");
      const highest = heads.reduce((left, right) => ((left?.number ?? 0) < (right?.number ?? 0) ? right : left), undefined);
      if (highest !== undefined) return highest;
    }
    throw new EmulatorError(`${this.#directory} holds no world of the emulator; remove it to begin anew`);
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

  /** Files below the head are superseded, or of writers that can no longer win. */
  #clearBelow(number: number): void {
    for (const entry of readdirSync(this.#directory)) {
      const version = parseName(entry);
      if (version !== undefined && version.number < number) rmSync(join(this.#directory, entry), { force: true });
    }
  }

  #file(version: Version): string {
    return join(this.#directory, `world-${version.name}.json`);
  }
}

/** With those above it. Node's own `recursive` never returns for a folder beneath /proc: its ENOENT there does not mean that one above is missing. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process made it meanwhile.
    if (!isErrno(error, "EEXIST")) throw error;
  }
}

function createFirst(place: string, text: string): void {
  const draft = `${place}.${randomUUID()}.tmp`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(join(draft, "world-1-first.json"), text, { mode: 0o600 });
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

function parseState(text: string, file: string): AzureState {
  const state = parsed(text);
  if (state === undefined) {
    throw new EmulatorError(`the emulator's world in ${file} is torn; \`aro-hcp local reset\` begins anew`);
  }
  if ((state.version as number) !== 2) {
    throw new EmulatorError(
      `the emulator's world in ${file} is of version ${String(state.version)}, this program reads version 2; \`aro-hcp local reset\` begins anew`,
    );
  }
  return state;
}

/** Undefined where it is no JSON object: a disk that was full, or another hand. */
function parsed(text: string): AzureState | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as AzureState) : undefined;
  } catch {
    return undefined;
  }
}
