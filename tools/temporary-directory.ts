/** Temporary directories of tools and tests. */
import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export function createDirectory(purpose: string): string {
  return mkdtempSync(path.join(process.env["TMPDIR"] ?? inMemory() ?? tmpdir(), `aro-hcp-${purpose}-`));
}

/** Linux's file system in memory, if it has room: the emulator's many small files take a sixth of the CPU time of tests on a disk. */
function inMemory(): string | undefined {
  const directory = "/dev/shm";
  if (!existsSync(directory)) return undefined;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize > 2 ** 30 ? directory : undefined;
}

/** Retries while a process that was just stopped still adds files. */
export function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
