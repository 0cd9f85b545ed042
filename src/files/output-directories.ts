/** Creates the directories of outputs with their missing parents, and removes those that a run left empty. */
import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "../text/system-code.js";
import { mkdir, rmdir } from "./disk.js";

/** A directory that this run created. Its path may lead to another one by the end of the run. */
export interface CreatedDirectory {
  readonly path: string;
  /** Undefined if it was gone at once. */
  readonly id: string | undefined;
}

/**
 * Readable by its owner only, if it is new. Returns the directories that it created, the innermost first. Rejects with the error of the
 * operating system. Node's own `recursive` never returns for a path below /proc: ENOENT there does not mean a missing parent.
 */
export async function createDirectory(path: string): Promise<readonly CreatedDirectory[]> {
  if (await exists(path)) return [];
  const parents = dirname(path) === path ? [] : await createDirectory(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    return [{ path, id: await idOf(path) }, ...parents];
  } catch (error) {
    // Another process created it meanwhile.
    if (systemCode(error) !== "EEXIST") throw error;
    return [];
  }
}

/** Device and inode. */
async function idOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/** Removes those that are empty and the same. Another run that needs one of them creates it again. */
export async function removeEmpty(directories: readonly CreatedDirectory[]): Promise<void> {
  for (const { path, id } of directories) {
    if (id === undefined || (await idOf(path)) !== id) return;
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
