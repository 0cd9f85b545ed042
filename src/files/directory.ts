/** Directories of outputs: created with their missing parents, and removed if a run left them empty. Node's own `recursive` never returns for a path below /proc: ENOENT there does not mean a missing parent. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "../text/system-code.js";
import { mkdir, rmdir } from "./disk.js";

/** Readable by its owner only, if it is new. Returns the directories that it created, the innermost first. Rejects with the error of the operating system. */
export async function createDirectory(path: string): Promise<readonly string[]> {
  if (await exists(path)) return [];
  const parents = dirname(path) === path ? [] : await createDirectory(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    return [path, ...parents];
  } catch (error) {
    // Another process created it meanwhile.
    if (systemCode(error) !== "EEXIST") throw error;
    return [];
  }
}

/** Removes those that are empty. Another run that needs one of them creates it again. */
export async function removeEmpty(directories: readonly string[]): Promise<void> {
  for (const path of directories) {
    try {
      await rmdir(path);
    } catch {
      // It has files, or is gone.
      return;
    }
  }
}

/** Whatever it is: the operation that follows reports a file in the place of a directory. */
async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => systemCode(error) !== "ENOENT",
  );
}
