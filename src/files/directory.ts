/** Creates a directory with its missing parents. Node's own `recursive` never returns for a path below /proc: ENOENT there does not mean a missing parent. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "../text/system-code.js";
import { mkdir } from "./disk.js";

/** Readable by its owner only, if it is new. Rejects with the error of the operating system. */
export async function createDirectory(path: string): Promise<void> {
  if (await exists(path)) return;
  if (dirname(path) !== path) await createDirectory(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it meanwhile.
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/** Whatever it is: the operation that follows reports a file in the place of a directory. */
async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => systemCode(error) !== "ENOENT",
  );
}
