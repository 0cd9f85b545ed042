/** Reads an open file that may be a pipe or a device, which tell no size: what is read counts. */
import type { FileHandle } from "node:fs/promises";

/** Undefined where the file holds more than that many bytes. */
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
