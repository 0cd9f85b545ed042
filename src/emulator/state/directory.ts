/** Creates a directory with its missing parents. Node's own `recursive` never returns for a path below /proc: ENOENT there does not mean a missing parent. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { isErrno } from "./file-writing.js";

export function createDirectory(directory: string): void {
  if (existsSync(directory)) return;
  if (dirname(directory) !== directory) createDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process created it meanwhile.
    if (!isErrno(error, "EEXIST")) throw error;
  }
}
