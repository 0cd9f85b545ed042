/** Reads an open file up to a limit; a pipe or a device reports no size, so the bytes are counted. */
import type { FileHandle } from "node:fs/promises";

/** Undefined if the file is larger than `maxBytes`. */
export async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  return undefined;
}
