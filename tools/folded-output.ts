/** Folds the output of commands for a reader who wants the results: a run of like lines becomes one line that counts them. */
import { stripVTControlCharacters } from "node:util";
import { plural } from "../src/text/plural.js";

interface Kind {
  readonly pattern: RegExp;
  /** The lines for a run. */
  fold(lines: readonly string[]): readonly string[];
}

/** A line that stands for several; one line stays as it is. */
const folded = (lines: readonly string[], text: (count: number) => string) => (lines.length === 1 ? lines : [text(lines.length)]);

const kinds: readonly Kind[] = [
  // A command without work has a line or two.
  { pattern: /^\[ *\d[^\]]*\] /, fold: (lines) => (lines.length > 3 ? [`  ... ${plural(lines.length, "line")} of progress`] : []) },
  { pattern: /^ok {3}/, fold: (lines) => folded(lines, (count) => `ok   ... (${plural(count, "line")})`) },
  { pattern: /^ {2}- remove {2}/, fold: (lines) => folded(lines, (count) => `  - remove  ... (${plural(count, "line")})`) },
];

/** Lines about where a command runs, and as whom. */
const header = /^(cloud|subscription|tenant|signed in as|location|cluster|identity set) {2,}\S/;

export interface Folder {
  /** Takes the next line, and returns what to print now. */
  add(line: string): readonly string[];
  /** Returns what is left to print when the command has ended. */
  end(): readonly string[];
}

/** For the output of several commands; lines may contain the colors of a terminal. Lines of the header are shown once. */
export function createFolder(): Folder {
  const shown = new Set<string>();
  let kind: Kind | undefined;
  let lines: string[] = [];
  const end = (): readonly string[] => {
    const ended = kind?.fold(lines) ?? [];
    kind = undefined;
    lines = [];
    return ended;
  };
  return {
    add(line) {
      const text = stripVTControlCharacters(line);
      const next = kinds.find(({ pattern }) => pattern.test(text));
      const ended = next === kind ? [] : end();
      if (next !== undefined) {
        kind = next;
        lines.push(line);
        return ended;
      }
      if (header.test(text)) {
        if (shown.has(text)) return ended;
        shown.add(text);
      }
      return [...ended, line];
    },
    end,
  };
}
