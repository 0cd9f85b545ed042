/** Small files of the state directory, written as a whole or not at all. */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

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

/** Removes the file, but not a successor that another process has just written: `isMeant` gets the content. */
export function takeAway(file: string, isMeant: (text: string) => boolean): void {
  const away = `${file}.${randomUUID()}.tmp`;
  try {
    renameSync(file, away);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  const text = readFileSync(away, "utf8");
  if (!isMeant(text)) createFileOnce(file, text, 0o600);
  rmSync(away);
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
