/** A file that lines are appended to, so that they survive a crash of the process. */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { Failure } from "../errors/failure.js";
import { directoryKind } from "../text/file-kind.js";
import { systemCode, systemReason } from "../text/system-code.js";

export interface Appender {
  line(text: string): void;
  close(): void;
  /** The first error. */
  lost(): Error | undefined;
}

/**
 * Opens a file, which is created if missing. The check throws if an existing first line is not of such a file, which then stays as it is.
 * @throws ARO-FILE-004 if the file cannot be opened. A later error does not stop the run.
 */
export function appender(path: string, checkFirstLine: (line: string) => void): Appender {
  const file = opened(path);
  const { firstLine, isTorn } = contentOf(path, file);
  try {
    if (firstLine !== undefined) checkFirstLine(firstLine);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  let separator = isTorn ? "\n" : "";
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

/** How long a pipe may have no reader, and its reader may not read. Nothing else can run in this time, not even Ctrl-C. */
const readerWithinMs = 2_000;
const pauseMs = 20;

/** A device with little space left writes a part, and reports its error at the next write. */
function writeWhole(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(whileReaderIsLate("EAGAIN", () => writeSync(file, rest)));
}

function opened(path: string): number {
  try {
    // 0600: the IDs of a customer's subscription are private.
    return whileReaderIsLate("ENXIO", () => openSync(path, flags, 0o600));
  } catch (error) {
    const own = { ENXIO: "no program reads this pipe (ENXIO)", EISDIR: `it is ${directoryKind}` }[systemCode(error) ?? ""];
    const reason = own ?? systemReason(error);
    throw new Failure("ARO-FILE-004", `cannot write ${path}: ${reason}`, { cause: error });
  }
}

/** Without O_NONBLOCK, the open of a pipe waits for a reader, and a write to a full pipe waits until it is read. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & typeof constants;
const flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

function whileReaderIsLate<T>(code: "EAGAIN" | "ENXIO", work: () => T): T {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return work();
    } catch (error) {
      if (systemCode(error) !== code || waitedMs >= readerWithinMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/** A first line is much shorter. */
const longestFirstLine = 64 * 1024;

interface Content {
  /** Undefined if nothing can be read. */
  readonly firstLine?: string;
  /** Whether the last line is torn: the process was killed, or the device was full. */
  readonly isTorn: boolean;
}

function contentOf(path: string, file: number): Content {
  const status = fstatSync(file);
  // Pipes and devices have no lines to read.
  if (!status.isFile() || status.size === 0) return { isTorn: false };
  let reading: number | undefined;
  try {
    reading = openSync(path, constants.O_RDONLY | O_NONBLOCK);
    const start = Buffer.alloc(Math.min(status.size, longestFirstLine));
    readSync(reading, start, 0, start.length, 0);
    const last = Buffer.alloc(1);
    readSync(reading, last, 0, 1, status.size - 1);
    const [firstLine = ""] = start.toString().split("\n", 1);
    return { firstLine, isTorn: last.toString() !== "\n" };
  } catch {
    // A file that can only be written is accepted: someone made it for lines that others may not read. An empty line harms no reader, a torn one does.
    return { isTorn: true };
  } finally {
    if (reading !== undefined) closeSync(reading);
  }
}
