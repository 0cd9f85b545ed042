/** Wraps text at spaces to the width of a window. */
import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import type { Screen } from "./screen.js";

/** The number of free columns. Infinite for a pipe, because output for programs is not wrapped. */
export function room({ stream, width }: Screen, taken: number): number {
  return stream.isTTY === true ? width() - taken : Infinity;
}

const noBreakSpace = "\u00a0";

/** At least one line; never wraps a command in backticks, so that it can be copied. */
export function wrapped(text: string, width: number): string[] {
  const unbroken = text.replace(/`[^`]*`|\s+/g, (part) => (part.startsWith("`") ? part.replaceAll(" ", noBreakSpace) : " "));
  return wrapAnsi(unbroken, width)
    .split("\n")
    .map((line) => line.replaceAll(noBreakSpace, " "));
}

/** The same after a head of this width; further lines are aligned with the first. */
export function hanging(screen: Screen, head: string, headWidth: number, text: string): string[] {
  // A text that fits keeps its spaces.
  const lines = stringWidth(text) <= room(screen, headWidth) ? [text] : wrapped(text, room(screen, headWidth));
  return lines.map((line, index) => (index === 0 ? `${head}${line}` : `${" ".repeat(headWidth)}${line}`));
}

/** A notice, a warning or another sentence, aligned after its label. Several lines are a layout, and a debug line is a log: both stay as they are. */
export function sentence(screen: Screen, text: string): string {
  if (text.includes("\n") || text.startsWith("debug: ")) return text;
  const [label = ""] = /^(?:notice|warning): /.exec(text) ?? [];
  return hanging(screen, label, label.length, text.slice(label.length)).join("\n");
}
