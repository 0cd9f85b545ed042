/** Text broken into lines as wide as a window, at blanks. */
import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import type { Screen } from "./screen.js";

/** How many columns there are beside those that are taken. A pipe has lines and no columns: what is read there by programs is not broken. */
export function room({ stream, width }: Screen, taken: number): number {
  return stream.isTTY === true ? width() - taken : Infinity;
}

const noBreakSpace = "\u00a0";

/** At least one line; never broken inside of a command in backticks, which is there to be copied. */
export function wrapped(text: string, width: number): string[] {
  const glued = text.replace(/`[^`]*`|\s+/g, (part) => (part.startsWith("`") ? part.replaceAll(" ", noBreakSpace) : " "));
  return wrapAnsi(glued, width)
    .split("\n")
    .map((line) => line.replaceAll(noBreakSpace, " "));
}

/** The same behind a head that is so many columns wide; further lines stand under the first. */
export function hanging(screen: Screen, head: string, headWidth: number, text: string): string[] {
  // A text that fits stays as it is, with the blanks that are in it.
  const lines = stringWidth(text) <= room(screen, headWidth) ? [text] : wrapped(text, room(screen, headWidth));
  return lines.map((line, index) => (index === 0 ? `${head}${line}` : `${" ".repeat(headWidth)}${line}`));
}
