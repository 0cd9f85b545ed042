/**
 * The state on disk, shared by processes without a lock.
 *
 * A folder `epoch-<k>` has a whole state, `base.json`, and what each commit after it changed, `delta-<n>.json`, from 1 without gaps.
 * - A commit writes a draft into the folder, and link(2) gives it the next number. The link fails with EEXIST if another process
 *   committed first, and with ENOENT if the epoch is over, however long the writer slept. A kill leaves a draft that nothing names.
 * - A state is the newest if its next delta does not exist, and then its folder still does: no folder's name is ever used again. The first
 *   number is random, for the case that somebody deletes everything.
 * - A delta can seal its epoch: nobody commits after it. Only then is the next epoch made: its folder is a draft inside the sealed one,
 *   and rename(2) publishes it. Whoever finds a sealed epoch without a successor does the same, with the same content, so it does not
 *   matter who is first. Published before the seal, two epochs could take commits at the same time.
 * - Then the old folders are renamed away, lowest first. While the folder of a slow publisher exists, so does its successor, and the rename
 *   fails with ENOTEMPTY. Afterwards the draft is gone with the folder, and it fails with ENOENT. No superseded epoch comes back.
 * Drafts are removed with their epoch.
 */
import { randomInt, randomUUID } from "node:crypto";
import { type Dirent, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDirectory, isErrno } from "./files.js";

export class Epochs {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Undefined if there is none. */
  newest(): number | undefined {
    // On some file systems, a scan during a rename may miss both names: scan again before calling it damage.
    for (let scan = 0; scan < 100; scan++) {
      const found = this.#epochs().at(-1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  exists(epoch: number): boolean {
    return isThere(this.#folder(epoch));
  }

  /** The number of the last delta; 0 if there is none or the epoch is over. */
  lastDelta(epoch: number): number {
    return Math.max(0, ...namesIn(this.#folder(epoch)).map((name) => Number(/^delta-(\d+)\.json$/.exec(name)?.[1] ?? 0)));
  }

  hasDelta(epoch: number, number: number): boolean {
    return isThere(this.deltaFile(epoch, number));
  }

  baseFile(epoch: number): string {
    return join(this.#folder(epoch), "base.json");
  }

  deltaFile(epoch: number, number: number): string {
    return join(this.#folder(epoch), `delta-${String(number)}.json`);
  }

  /** Undefined if the file is missing. */
  read(file: string): string | undefined {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  /** False if another process has written this delta, or the epoch is over. */
  commit(epoch: number, number: number, text: string): boolean {
    const draft = join(this.#folder(epoch), `draft-${randomUUID()}`);
    try {
      writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
      linkSync(draft, this.deltaFile(epoch, number));
      return true;
    } catch (error) {
      if (isErrno(error, "EEXIST") || isErrno(error, "ENOENT")) return false;
      throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Makes the successor of a sealed epoch and removes what it supersedes. False if another process made the successor. */
  succeed(epoch: number, base: string): boolean {
    const isFirst = this.#publish(join(this.#folder(epoch), `next-${randomUUID()}`), epoch + 1, base);
    this.#retireBelow(epoch + 1);
    return isFirst;
  }

  /** Makes an epoch where there is none, in place of what an older version of this program or damage left. False if another one counts. */
  begin(base: string): boolean {
    const epoch = firstEpoch();
    this.#publish(join(this.#directory, `draft-${randomUUID()}`), epoch, base);
    const newest = this.newest();
    if (newest !== undefined) this.#retireBelow(newest);
    for (const name of namesIn(this.#directory)) {
      if (isOfVersion2(name)) rmSync(join(this.#directory, name), { force: true });
    }
    return newest === epoch;
  }

  /** Whether an older version of this program wrote a state here. */
  hasVersion2(): boolean {
    return namesIn(this.#directory).some(isOfVersion2);
  }

  #publish(draft: string, epoch: number, base: string): boolean {
    try {
      mkdirSync(draft, { mode: 0o700 });
      writeFileSync(join(draft, "base.json"), base, { mode: 0o600 });
      renameSync(draft, this.#folder(epoch));
      return true;
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (["ENOTEMPTY", "EEXIST", "ENOENT"].some((code) => isErrno(error, code))) return false;
      throw error;
    }
  }

  #retireBelow(epoch: number): void {
    for (const old of this.#epochs()) {
      if (old < epoch) moveAway(this.#folder(old), join(this.#directory, `retired-${randomUUID()}`));
    }
    for (const name of namesIn(this.#directory)) {
      if (name.startsWith("retired-")) remove(join(this.#directory, name));
    }
  }

  #epochs(): number[] {
    return foldersIn(this.#directory)
      .flatMap((name) => /^epoch-(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  #folder(epoch: number): string {
    return folderOf(this.#directory, epoch);
  }
}

const folderOf = (directory: string, epoch: number): string => join(directory, `epoch-${String(epoch)}`);
const firstEpoch = (): number => randomInt(1, 2 ** 40);

/** Makes the first epoch in a new directory, unless another process did. */
export function createEpochs(directory: string, base: string): void {
  const draft = `${directory}.${randomUUID()}.tmp`;
  const folder = folderOf(draft, firstEpoch());
  createDirectory(folder);
  writeFileSync(join(folder, "base.json"), base, { mode: 0o600 });
  try {
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isErrno(error, "ENOTEMPTY") && !isErrno(error, "EEXIST")) throw error;
  }
}

/** Versions 1 and 2 had files of these names. */
export const isOfVersion2 = (name: string): boolean => /^(head|state)-\d/.test(name);

/**
 * Drafts first: a process may have looked up this folder under its old name, and links its draft now. With the draft there and the delta of
 * that number gone, the link would succeed, and the commit would be lost.
 * Where two processes remove the same folder, one of them may stumble; whoever retires the next epoch tries again.
 */
function remove(folder: string): void {
  try {
    for (const name of namesIn(folder)) {
      if (name.startsWith("draft-")) rmSync(join(folder, name), { force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "ENOTEMPTY")) throw error;
  }
}

function moveAway(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function foldersIn(folder: string): string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** None if the folder is missing. */
export function namesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name);
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
