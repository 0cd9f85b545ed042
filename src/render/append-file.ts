/** A file that lines are appended to, so that they survive a crash of the process. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { Failure } from "../errors/failure.js";
import { systemCode, systemReason } from "../text/system-code.js";

export interface Appender {
  line(text: string): void;
  close(): void;
  /** The first error. */
  lost(): Error | undefined;
}

/** @throws ARO-FILE-004 if the file cannot be opened. A later error does not stop the run. */
export function appender(path: string): Appender {
  const file = opened(path);
  let separator = endsInsideLine(path, file) ? "\n" : "";
  let isBroken = false;
  let lost: Error | undefined;
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      isBroken = true;
      // A reader that closes its pipe early is not a loss, as on standard output.
      if (systemCode(error) !== "EPIPE") lost ??= error instanceof Error ? error : new Error(String(error));
    }
  };
  return {
    // After an error, a later line would follow a torn one.
    line: (text) => {
      if (isBroken) return;
      attempt(() => {
        writeWhole(file, `${separator}${text}`);
      });
      separator = "";
    },
    close: () => {
      attempt(() => {
        closeSync(file);
      });
    },
    lost: () => lost,
  };
}

/** A device with little space left writes a part, and reports its error at the next write. */
function writeWhole(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
}

function opened(path: string): number {
  try {
    // 0600: the IDs of a customer's subscription are private.
    return openSync(path, "a", 0o600);
  } catch (error) {
    throw new Failure("ARO-FILE-004", `cannot write ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Whether the last line is torn: the process was killed, or the device was full. */
function endsInsideLine(path: string, file: number): boolean {
  const status = fstatSync(file);
  // Pipes and devices have no last line.
  if (!status.isFile() || status.size === 0) return false;
  let reading: number | undefined;
  try {
    reading = openSync(path, "r");
    const last = Buffer.alloc(1);
    readSync(reading, last, 0, 1, status.size - 1);
    return last.toString() !== "\n";
  } catch {
    // A file that can only be written. An empty line harms no reader, a torn one does.
    return true;
  } finally {
    if (reading !== undefined) closeSync(reading);
  }
}
