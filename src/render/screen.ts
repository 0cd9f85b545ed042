/** An output stream with its capabilities: color, marks, width, and whether lines can be redrawn. */
import type { ChalkInstance } from "chalk";
import { type ColorChoice, painter, wantsColor } from "./color.js";
import { terminalText, uncoloredText } from "../text/control.js";
import { type Fold, foldIn } from "./fold.js";
import { type Painted, painted } from "./painted.js";
import { surviveErrors, type TextStream } from "./text-stream.js";
import { asciiMarks, type Marks, unicodeMarks } from "./vocabulary.js";

export interface Screen {
  readonly stream: TextStream;
  readonly paint: ChalkInstance;
  readonly marks: Marks;
  /** Whether lines can be redrawn in place. */
  readonly live: boolean;
  /** Absent for a terminal, and where no log is folded. */
  readonly fold: Fold | undefined;
  /** The current number of columns, because a window can be resized; 80 without a window. */
  width(): number;
  height(): number;
  /** Writes text, with a line end if it has none. Whatever it contains, it has no color, and no terminal or CI system obeys it. */
  readonly print: (text: string) => void;
  /** The same for text with our colors and our markers of a folded log. */
  readonly show: (text: Painted) => void;
}

export interface ScreenOptions {
  readonly stream: TextStream;
  readonly color: ColorChoice;
  readonly environment: NodeJS.ProcessEnv;
  /** `--plain`: nothing is redrawn, and marks are ASCII. */
  readonly plain?: boolean | undefined;
  /** The wall clock, for the markers of a log. */
  readonly now: () => Date;
}

export function createScreen({ stream, color, environment, plain = false, now }: ScreenOptions): Screen {
  const isTerminal = stream.isTTY === true;
  // A reader such as `head -1` closes stdout early, and a disk can be full: such output is dropped, and the run continues.
  // The exit code reports a lost result.
  surviveErrors(stream);
  const fold = isTerminal ? undefined : foldIn(environment, now);
  const isColored = wantsColor({ choice: color, environment, isTerminal });
  const safeText = isColored ? terminalText : uncoloredText;
  const show = (text: Painted) => {
    try {
      const lines = text.replace(/\n$/u, "").split("\n");
      stream.write(`${lines.map((line) => (fold?.isMarker(line) === true ? line : safeText(line))).join("\n")}\n`);
    } catch (error) {
      // Node.js writes to devices synchronously and throws, but emits an event for other streams.
      stream.emit("error", error);
    }
  };
  return {
    stream,
    paint: painter(isColored),
    marks: writesUtf8(environment) && !plain ? unicodeMarks : asciiMarks,
    fold,
    live: isTerminal && !plain && environment["TERM"] !== "dumb",
    // A pty without a size reports 0 columns.
    width: () => stream.columns || 80,
    height: () => stream.rows || 24,
    print: (text) => {
      show(painted(uncoloredText(text)));
    },
    show,
  };
}

export interface Screens {
  /** stdout: the result and nothing else. */
  readonly result: Screen;
  /** stderr: everything else. */
  readonly people: Screen;
}

/** The output streams of a process, and the environment variables that control them. */
export interface ProcessStreams {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: { now(): Date };
}

export function screensOf({ stdout, stderr, environment, clock }: ProcessStreams, color: ColorChoice, plain?: boolean): Screens {
  const options = { color, environment, plain, now: clock.now };
  return { result: createScreen({ stream: stdout, ...options }), people: createScreen({ stream: stderr, ...options }) };
}

/** POSIX: the first of LC_ALL, LC_CTYPE and LANG that is not empty decides. */
function writesUtf8(environment: NodeJS.ProcessEnv): boolean {
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  return /utf-?8/iu.test(locale);
}
