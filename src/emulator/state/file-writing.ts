/** Small files of the state directory, written as a whole or not at all. */
import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Replaces `file`; a reader sees the old or the new content, never a mix. */
export function replaceFile(file: string, content: string, mode: number): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { mode, flag: "wx" });
  renameSync(temporary, file);
}

/** Creates `file` unless it exists. Returns false if it did: link(2) lets only one of several processes win. */
export function createFileOnce(file: string, content: string, mode: number): boolean {
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { mode, flag: "wx" });
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
