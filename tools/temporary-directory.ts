/** Temporary directories of tools and tests. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export function createDirectory(purpose: string): string {
  return mkdtempSync(path.join(tmpdir(), `aro-hcp-${purpose}-`));
}

/** Retries while a process that was just stopped still adds files. */
export function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
