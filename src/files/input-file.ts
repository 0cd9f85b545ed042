/** Reads an input file of limited size, and refuses a pipe or device before opening it. */
import { constants, type Stats } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { Failure } from "../errors/failure.js";
import { irregularKind } from "../text/file-kind.js";
import { plural } from "../text/plural.js";
import { systemCode, systemReason } from "../text/system-code.js";

export interface InputFile {
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Opened without waiting: the file can be replaced by a pipe after it was checked. A thread that waits for the writer of a pipe cannot be
 * stopped, and the process does not exit before it ends. Windows has neither the flag nor such files.
 */
const flags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

/** Few files are longer: memory for the largest admitted one would cost tens of milliseconds. */
const partBytes = 64 * 1024;

/**
 * Undefined if the file does not exist.
 * @throws ARO-FILE-001 if it cannot be read, ARO-FILE-002 if it is not a regular file, or too large
 */
export async function readInputFile(path: string, maxBytes: number): Promise<InputFile | undefined> {
  try {
    requireRegular(path, await stat(path));
    const file = await open(path, flags);
    try {
      const stats = await file.stat();
      requireRegular(path, stats);
      // Some files of /proc report no size, so the bytes are counted.
      const bytes = stats.size > maxBytes ? undefined : await readAtMost(file, maxBytes);
      if (bytes === undefined) {
        throw new Failure("ARO-FILE-002", `${path} is larger than ${plural(maxBytes, "byte")}`, {
          next: ["pass the path of another file"],
        });
      }
      return { bytes, mode: stats.mode & 0o777 };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (systemCode(error) === "ENOENT") return undefined;
    throw new Failure("ARO-FILE-001", `cannot read ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Undefined if the file is larger. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  for (let length = 0; length <= maxBytes;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(partBytes));
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return undefined;
}

/** @throws ARO-FILE-002 */
function requireRegular(path: string, stats: Stats): void {
  const kind = irregularKind(stats);
  if (kind === undefined) return;
  throw new Failure("ARO-FILE-002", `${path} is ${kind}`, {
    next: [stats.isDirectory() ? "pass the path of a file" : "write the content to a file, and pass the path of that file"],
  });
}
