/** Writes a document whole or not at all. */
import { randomInt } from "node:crypto";
import { constants } from "node:fs";
import { access, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { Failure } from "../errors/failure.js";
import { irregularKind } from "../text/file-kind.js";
import { jsonText } from "../text/control.js";
import { systemCode, systemReason } from "../text/system-code.js";

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
    await tryDraft(existing === undefined ? path : await realpath(path));
  } catch (error) {
    throw error instanceof Failure ? error : unwritable(path, systemReason(error), error);
  }
}

/**
 * Writes the value as JSON with two-space indent. Mode 0600 unless the document is public.
 * @throws ARO-RUN-006
 */
export async function writeDocument(path: string, value: unknown, mode: 0o600 | 0o644 = 0o600): Promise<void> {
  try {
    await writeFileAtomic(path, `${jsonText(value, 2)}\n`, { mode });
  } catch (error) {
    throw new Failure("ARO-RUN-006", `cannot write ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** More than the documents of this program. */
const draftBytes = 64 * 1024;

/** The draft is next to its target, with a suffix of up to ten digits: the name may be too long, or the disk read-only or full. */
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
