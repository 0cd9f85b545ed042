/** The events of a command for machines: NDJSON that begins with a header, appended to a file line by line, or to a stream. docs/events.md describes it. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { EngineEvent } from "../engine/events.js";
import type { RenderAdvice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { failureJson } from "../errors/format.js";
import type { Renderer } from "./renderer.js";
import type { Screen } from "./screen.js";

/** Incremented when a field or a type is removed. Readers ignore fields and types they do not know. */
const eventsVersion = 1;

/** The first line of the stream. */
export interface EventsHeader {
  readonly command: string;
  /** The version of aro-hcp. */
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

/**
 * Opens the file immediately, so that an unwritable path is reported before anything is created in Azure. Appends to an existing file: it keeps
 * the events of an interrupted run above those of the run that completed it.
 * @throws ARO-FILE-004
 */
export function createEventsFile({ path, result, today, renderAdvice, header }: EventsFileOptions): Renderer {
  const write = path === "-" ? { line: result.print, close: () => undefined } : appender(path);
  const line = (fields: object): void => {
    write.line(`${JSON.stringify(fields)}\n`);
  };
  const startedAt = today().toISOString();
  line({ schemaVersion: eventsVersion, eventsVersion, at: startedAt, type: "stream.started", ...header, startedAt });
  let stopped = false;
  return {
    emit(event) {
      if (stopped) return;
      line({ at: today().toISOString(), ...serialised(event, renderAdvice) });
    },
    stop() {
      if (stopped) return;
      stopped = true;
      write.close();
    },
  };
}

function appender(path: string): { line(text: string): void; close(): void } {
  const file = opened(path);
  return {
    // Written synchronously, so that events survive a crash of the process.
    line: (text) => {
      writeSync(file, text);
    },
    close: () => {
      closeSync(file);
    },
  };
}

function opened(path: string): number {
  try {
    // 0600: the IDs of a customer's subscription are private.
    return openSync(path, "a", 0o600);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new Failure("ARO-FILE-004", `cannot write ${path}: ${reason}`, { cause: error });
  }
}

/** Excludes `cause` and `stack`, which can contain requests. */
function serialised(event: EngineEvent, renderAdvice: RenderAdvice): object {
  if (event.type === "step.failed") return { ...event, failure: failureJson(event.failure, renderAdvice) };
  if (event.type !== "check.result") return event;
  return { ...event, evidence: renderAdvice(event.evidence), next: event.next && renderAdvice(event.next) };
}
