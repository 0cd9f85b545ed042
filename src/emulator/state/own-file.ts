/** Reads a file of the emulator's directory that decides whom its clients trust: one that another user put there is refused. */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { EmulatorStateError } from "../common/emulator-error.js";

/** @throws EmulatorStateError for the file of another user, and the error of the file system if it cannot be read */
export function readOwnFile(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const { uid } = fstatSync(descriptor);
    // Windows has no user IDs.
    const own = process.getuid?.();
    if (own !== undefined && uid !== own) {
      throw new EmulatorStateError(`${file} belongs to another user (user ID ${uid}, not ${own}): somebody else may know its secrets`);
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
