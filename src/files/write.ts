/** Writes files whole or not at all, and never over a file of somebody else. */
import { randomInt, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../errors/failure.js";
import { irregularKind } from "../text/file-kind.js";
import { jsonText } from "../text/control.js";
import { systemCode, systemReason } from "../text/system-code.js";
import { createDirectory } from "./output-directories.js";
import { link, rm, writeFile, writeFileAtomic } from "./disk.js";
import { reasonToKeep, type OutputFile } from "./output-file.js";

/** Readable by everyone, or by its owner only. */
export type FileMode = 0o600 | 0o644;

/**
 * Rejects a target that cannot be written, before any resource that the file records is created.
 * @throws ARO-FILE-004
 */
export async function checkWritable(path: string): Promise<void> {
  const directory = dirname(path);
  try {
    const existing = await statOrNothing(path);
    // A rename onto a directory fails; a rename onto a device or a pipe would replace it.
    const kind = existing && irregularKind(existing);
    if (kind !== undefined) throw unwritable(path, `it is ${kind}`);
    if (!(await stat(directory)).isDirectory()) throw unwritable(path, `${directory} is not a directory`);
    await access(directory, constants.W_OK | constants.X_OK);
    if (existing !== undefined) await access(path, constants.W_OK);
    await tryDraft(existing === undefined ? `${path}.${randomUUID()}` : await realpath(path));
  } catch (error) {
    throw error instanceof Failure ? error : unwritable(path, systemReason(error), error);
  }
}

/**
 * Rejects files of others, and targets that cannot be written, before anything is created.
 * @throws ARO-FILE-004
 */
export async function checkOutputs(files: readonly (OutputFile | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue;
    await checkWritable(file.path);
    const reason = await reasonToKeep(file);
    if (reason !== undefined) {
      throw new Failure("ARO-FILE-004", `cannot write ${file.path}: ${reason}`, {
        because: "only an earlier output of the same command for the same owner is replaced",
        next: ["choose another path, or move the file away"],
      });
    }
  }
}

/**
 * Writes the value as JSON with two-space indent. Mode 0600 unless the document is public.
 * @throws ARO-RUN-006
 */
export function writeDocument(file: OutputFile, value: unknown, mode: FileMode = 0o600): Promise<void> {
  return orUnwritten(file.path, () => replace(file, `${jsonText(value, 2)}\n`, mode));
}

/** @throws ARO-RUN-006 */
export function writeText(file: OutputFile, text: string, mode: FileMode): Promise<void> {
  return orUnwritten(file.path, () => replace(file, text, mode));
}

/**
 * Writes the file if it does not exist, also with parallel writers, and creates its directory if missing; false if the file exists. The file
 * appears whole, as a hard link to a finished draft.
 * @throws ARO-RUN-006
 */
export function writeTextOnce(path: string, text: string, mode: FileMode): Promise<boolean> {
  return orUnwritten(path, async () => {
    await createDirectory(dirname(path));
    return create(path, text, mode);
  });
}

/** Checks the owner again: another run may have written a file there since the first check. */
async function replace(file: OutputFile, text: string, mode: FileMode): Promise<void> {
  const { path } = file;
  // Another run that did not need it may have removed it.
  await createDirectory(dirname(path));
  const isNew = (await statOrNothing(path)) === undefined;
  // Of several runs that find no file, one creates it, and the others then look whose it is.
  if (isNew && (await create(path, text, mode).catch(falseWithoutLinks))) return;
  const reason = await reasonToKeep(file);
  if (reason !== undefined) {
    throw new Failure("ARO-RUN-006", `cannot write ${path}: ${reason}`, {
      because: "another run or program wrote the file meanwhile; it is not replaced",
      next: ["rerun the same command with another path for the file, or delete the file if nobody needs it"],
    });
  }
  await writeFileAtomic(path, text, { mode });
}

/** False if the file exists. */
async function create(path: string, text: string, mode: FileMode): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFileAtomic(draft, text, { mode });
    await link(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Some file systems have no hard links. */
function falseWithoutLinks(error: unknown): false {
  if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemCode(error) ?? "")) return false;
  throw error;
}

async function orUnwritten<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof Failure ? error : new Failure("ARO-RUN-006", `cannot write ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** More than the documents of this program. */
const draftBytes = 64 * 1024;

/** As that of a write, with a suffix of up to ten digits: the name may be too long, or the disk read-only or full. */
async function tryDraft(path: string): Promise<void> {
  const draft = `${path}.${String(randomInt(10 ** 9, 10 ** 10))}`;
  try {
    await writeFile(draft, Buffer.alloc(draftBytes), { flag: "wx", mode: 0o600 });
  } finally {
    await rm(draft, { force: true });
  }
}

async function statOrNothing(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function unwritable(path: string, because: string, cause?: unknown): Failure {
  return new Failure("ARO-FILE-004", `cannot write ${path}: ${because}`, { cause });
}
