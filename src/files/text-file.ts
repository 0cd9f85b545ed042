/** Reads and writes text files, mostly PEM, without quoting their content. */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "../errors/failure.js";
import { createDirectory, removeEmpty, type CreatedDirectory } from "./output-directories.js";
import { chmod, rm } from "./disk.js";
import { readInputFile } from "./input-file.js";
import { reasonOf, systemCode, systemReason } from "../text/system-code.js";
import { checkWritable } from "./write.js";

/** A PEM file has a few kB; a larger file is a wrong file. */
const maxBytes = 64 * 1024;

/** The suffixes that `writeTextOnce`, and write-file-atomic below it, add to the names of drafts. */
const draftSuffix = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d{1,10})?$/;
/** No write takes this long. */
const longestDraftMs = 60_000;

export interface TextFile {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Undefined if the file does not exist.
 * @throws ARO-FILE-001 if it cannot be read, ARO-FILE-002 if it is not a text file of this program
 */
export async function readTextIfThere(path: string): Promise<TextFile | undefined> {
  const file = await readInputFile(path, maxBytes);
  return file && { text: file.bytes.toString("utf8"), mode: file.mode };
}

/** The same for a required file. */
export async function readText(path: string): Promise<TextFile> {
  const file = await readTextIfThere(path);
  if (file) return file;
  throw new Failure("ARO-FILE-001", `cannot read ${path}: ${reasonOf("ENOENT")}`);
}

/**
 * Paths of drafts that a killed `writeTextOnce` left.
 * @throws ARO-FILE-001
 */
export async function abandonedDrafts(path: string, now: Date): Promise<string[]> {
  try {
    const names = (await readdir(dirname(path))).filter((name) => name.startsWith(basename(path)));
    const drafts = names.filter((name) => draftSuffix.test(name.slice(basename(path).length))).map((name) => join(dirname(path), name));
    const ages = await Promise.all(drafts.map(async (draft) => now.getTime() - (await stat(draft)).mtimeMs));
    return drafts.filter((_draft, index) => (ages[index] ?? 0) > longestDraftMs);
  } catch (error) {
    // The draft of another run became its file in the meantime.
    if (systemCode(error) === "ENOENT") return [];
    throw new Failure("ARO-FILE-001", `cannot read ${dirname(path)}: ${systemReason(error)}`, { cause: error });
  }
}

/** @throws ARO-RUN-006 */
export async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw new Failure("ARO-RUN-006", `cannot remove ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/**
 * Makes the file readable by its owner only.
 * @throws ARO-RUN-006
 */
export async function makePrivate(path: string): Promise<void> {
  try {
    await chmod(path, 0o600);
  } catch (error) {
    throw new Failure("ARO-RUN-006", `cannot make ${path} private: ${systemReason(error)}`, { cause: error });
  }
}

/**
 * Rejects a directory that cannot be created, or in which one of the files cannot be written, before any resource that the files
 * record is created. Returns the directories that it created, for `removeEmpty`.
 * @throws ARO-FILE-004
 */
export async function makeDirectory(path: string, files: readonly string[]): Promise<readonly CreatedDirectory[]> {
  try {
    const created = await createDirectory(path);
    if (!(await stat(path)).isDirectory()) throw new Failure("ARO-FILE-004", `${path} is not a directory`);
    for (const file of files) await checkWritable(join(path, file));
    return created;
  } catch (error) {
    throw error instanceof Failure
      ? error
      : new Failure("ARO-FILE-004", `cannot create the directory ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Runs `work` with the directory, and leaves none that it did not need: it is refused, or a dry run. @throws ARO-FILE-004 */
export async function withDirectory<T>(path: string, files: readonly string[], work: () => Promise<T>): Promise<T> {
  const created = await makeDirectory(path, files);
  try {
    return await work();
  } finally {
    await removeEmpty(created);
  }
}
