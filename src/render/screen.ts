/** A stream people or programs read, with its manners decided once: colour, marks, width, whether it can be redrawn. */
import type { ChalkInstance } from "chalk";
import { type ColourChoice, painter, wantsColour } from "./colour.js";
import { asciiMarks, type Marks, unicodeMarks } from "./vocabulary.js";

/** What is used of a stream of text; standard error is one. */
export type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

export interface Screen {
  readonly stream: TextStream;
  readonly paint: ChalkInstance;
  readonly marks: Marks;
  /** Whether lines can be redrawn in place. */
  readonly live: boolean;
  /** Columns as of now: a window can be resized. 80 where there is no window. */
  width(): number;
  height(): number;
  /** Writes text and the end of its last line. */
  readonly print: (text: string) => void;
}

export interface ScreenOptions {
  readonly stream: TextStream;
  readonly colour: ColourChoice;
  readonly environment: NodeJS.ProcessEnv;
}

export function createScreen({ stream, colour, environment }: ScreenOptions): Screen {
  const isTerminal = stream.isTTY === true;
  survivesLoss(stream);
  return {
    stream,
    paint: painter(wantsColour({ choice: colour, environment, isTerminal })),
    marks: writesUtf8(environment) ? unicodeMarks : asciiMarks,
    live: isTerminal && environment["TERM"] !== "dumb",
    // A pty that nobody has sized reports 0 columns.
    width: () => stream.columns || 80,
    height: () => stream.rows || 24,
    print: (text) => {
      try {
        stream.write(text.endsWith("\n") ? text : `${text}\n`);
      } catch (error) {
        // Node writes to devices at once, and throws what it tells of other streams by an event.
        stream.emit("error", error);
      }
    },
  };
}

export interface Screens {
  /** stdout: the result and nothing else. */
  readonly result: Screen;
  /** stderr: everything else. */
  readonly people: Screen;
}

/** The two streams of a process, and the variables that say how they are written to. */
export interface ProcessStreams {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly environment: NodeJS.ProcessEnv;
}

export function screensOf({ stdout, stderr, environment }: ProcessStreams, colour: ColourChoice): Screens {
  const options = { colour, environment };
  return { result: createScreen({ stream: stdout, ...options }), people: createScreen({ stream: stderr, ...options }) };
}

/**
 * `aro-hcp show infra | head -1` closes our stdout early, and a disk can be full: what cannot be written is dropped, and the work goes on. Whether
 * a result was lost by it is asked at the end, by whoever sets the exit code.
 */
function survivesLoss(stream: TextStream): void {
  stream.on("error", () => undefined);
}

/** POSIX: LC_ALL, then LC_CTYPE, then LANG; the first that is set and not empty decides. */
function writesUtf8(environment: NodeJS.ProcessEnv): boolean {
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  return /utf-?8/iu.test(locale);
}
