/** Writes the events of a command as NDJSON with a header, to a file or a stream. */
import type { EngineEvent } from "../engine/events.js";
import type { RenderAdvice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { failureJson } from "../errors/format.js";
import { jsonText } from "../text/control.js";
import { parseJsonObject } from "../text/json.js";
import { systemReason } from "../text/system-code.js";
import { appender } from "./append-file.js";
import type { Renderer } from "./renderer.js";
import type { Screen } from "./screen.js";

/** Incremented when a field or a type is removed. Readers ignore fields and types they do not know. */
export const eventsVersion = 1;
const headerType = "stream.started";

export interface EventsHeader {
  readonly command: string;
  readonly version: string;
  /** The subject, from the settings: an infra ID or a name. */
  readonly subject: string | undefined;
}

export interface EventsFileOptions {
  /** A path, or `-` for the result stream. */
  readonly path: string;
  readonly result: Screen;
  readonly renderAdvice: RenderAdvice;
  readonly header: EventsHeader;
  /** The wall clock, for `at`. */
  readonly today: () => Date;
}

export interface EventsFile extends Renderer {
  /** Why events are missing from the file, if any are. */
  lost(): Failure | undefined;
}

/**
 * Opens the file and writes the header immediately, so that an unwritable path is reported before anything is created in Azure. Appends to an
 * existing events file: it keeps the events of an interrupted run above those of the run that completed it. A later error does not stop the run.
 * @throws ARO-FILE-004
 */
export function createEventsFile({ path, result, today, renderAdvice, header }: EventsFileOptions): EventsFile {
  // A loss on standard output is reported for the whole process.
  const write =
    path === "-"
      ? { line: result.print, close: () => undefined, lost: () => undefined }
      : appender(path, (first) => requireHeader(path, first));
  const line = (fields: object): void => {
    write.line(`${jsonText(fields)}\n`);
  };
  const startedAt = today().toISOString();
  line({ schemaVersion: eventsVersion, eventsVersion, at: startedAt, type: headerType, ...header, startedAt });
  const error = write.lost();
  if (error) {
    write.close();
    throw new Failure("ARO-FILE-004", `cannot write ${path}: ${systemReason(error)}`, { cause: error });
  }
  let stopped = false;
  return {
    emit(event) {
      if (stopped) return;
      line(publicEvent(event, today(), renderAdvice));
    },
    stop() {
      if (stopped) return;
      stopped = true;
      write.close();
    },
    lost() {
      const cause = write.lost();
      if (cause === undefined) return undefined;
      return new Failure("ARO-RUN-006", `some events could not be written to ${path}: ${systemReason(cause)}`, {
        cause,
        because: "the run went on without them, and no later run writes them",
        next: ["free up space before the next run with --output-events, or pass a file on another disk"],
      });
    },
  };
}

/** The event as it is documented: what other programs read. */
export function publicEvent(event: EngineEvent, at: Date, renderAdvice: RenderAdvice): object {
  return { at: at.toISOString(), ...serialised(event, renderAdvice) };
}

/** Excludes `cause` and `stack`, which can contain requests. */
function serialised(event: EngineEvent, renderAdvice: RenderAdvice): object {
  if (event.type === "step.failed") return { ...event, failure: failureJson(event.failure, renderAdvice) };
  if (event.type !== "check.result") return event;
  return { ...event, evidence: renderAdvice(event.evidence), next: event.next && renderAdvice(event.next) };
}

/** Accepts any version, because each run has its own header. The events of a run would make any other file unreadable. @throws ARO-FILE-004 */
function requireHeader(path: string, line: string): void {
  if (parseJsonObject(line)?.["type"] === headerType) return;
  throw new Failure("ARO-FILE-004", `cannot append events to ${path}: it is not an events file`, {
    because: "its first line is not the header of a run",
    next: ["pass the path of a new file or of an events file, or remove this file"],
  });
}
