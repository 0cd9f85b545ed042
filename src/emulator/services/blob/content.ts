/** The bytes of blobs: kept in the state document where they are few, in files beside it where they are many. */
import { createHash } from "node:crypto";
import type { StoredBlob, StoredBytes } from "../../state/blob-content.js";
import type { ContentFiles } from "../../state/content-files.js";

/** The state is in the memory of every process that uses it: it holds no more of a blob than this. */
const inlineLimit = 64 * 1024;

/** Called again where another process commits first: each time writes a file of its own. */
export function storeBytes(files: ContentFiles, content: Buffer): StoredBytes {
  if (content.length <= inlineLimit) return { content: content.toString("base64") };
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { contentFile: files.write(content), size: content.length, sha256 };
}

export function sizeOf(bytes: StoredBytes | StoredBlob): number {
  if ("blocks" in bytes && bytes.blocks !== undefined) return bytes.blocks.reduce((sum, block) => sum + sizeOf(block), 0);
  return bytes.size ?? Buffer.byteLength(bytes.content ?? "", "base64");
}

/** `length` bytes from `start`, both within the blob. */
export function readBytes(files: ContentFiles, bytes: StoredBytes | StoredBlob, start: number, length: number): Buffer {
  if (length === 0) return Buffer.alloc(0);
  if (!("blocks" in bytes) || bytes.blocks === undefined) {
    return bytes.contentFile === undefined
      ? Buffer.from(bytes.content ?? "", "base64").subarray(start, start + length)
      : files.read(bytes.contentFile, start, length);
  }
  const parts: Buffer[] = [];
  let from = 0;
  for (const block of bytes.blocks) {
    const size = sizeOf(block);
    const first = Math.max(0, start - from);
    const last = Math.min(size, start + length - from);
    if (first < last) parts.push(readBytes(files, block, first, last - first));
    from += size;
  }
  return Buffer.concat(parts);
}

export function md5Of(content: Buffer): string {
  return createHash("md5").update(content).digest("base64");
}
