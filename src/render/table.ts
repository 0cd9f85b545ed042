/** Text in columns, without boxes, two spaces apart. */
import stringWidth from "fast-string-width";
import { type Painted, painted } from "./painted.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { room, wrapped } from "./wrapped.js";

/** The share of the window that a resource ID takes and a name does not. */
const longShare = 0.75;

/**
 * Makes cells printable. Cells are never cut, so that names can be copied. In a window that is too narrow, the widest columns are wrapped between
 * words. A word that takes most of the window moves the rest of its row below it. If that is not enough, each row continues below.
 */
export function table(screen: Screen, head: readonly string[], rows: readonly (readonly string[])[]): Painted {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const free = room(screen, 0);
  const isLong = (cell: string) => longestWord(cell) > free * longShare;
  const columnWidths = (widthOf: (cell: string) => number) =>
    head.map((_, column) => Math.max(...cells.map((row) => row[column] ?? "").map((cell) => (isLong(cell) ? 0 : widthOf(cell)))));
  const natural = columnWidths(stringWidth);
  // Long words that fit beside the other columns need no line of their own.
  const whole = head.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ""))));
  const isRoomy = lineWidth(whole) <= free;
  const widths = isRoomy ? whole : widthsThatFit(natural, columnWidths(leastWidth), free);
  const runs = columnsThatFit(widths, free);
  const lines = cells.flatMap((row, index) => {
    const paint = index === 0 ? screen.paint.bold : String;
    if (!isRoomy && row.some(isLong)) return brokenRow(row, widths, free);
    return runs.flatMap(([from, to]) =>
      rowLines(row.slice(from, to), widths.slice(from, to), paint).map((line) => `${from === 0 ? "" : "    "}${line}`.trimEnd()),
    );
  });
  return painted(lines.filter((line) => line !== "").join("\n"));
}

/** Each cell begins at its column, on the next line if the one before it reaches that far. A long one that does not fit there has its own line. */
function brokenRow(row: readonly string[], widths: readonly number[], free: number): string[] {
  const lines = [""];
  let start = 0;
  for (const [column, cell] of row.entries()) {
    const at = cell.length > 0 && start + longestWord(cell) > free ? 4 : start;
    cellLines(cell, free - at).forEach((part, index) => {
      const line = lines.at(-1) ?? "";
      const isBeside = index === 0 && (line === "" || stringWidth(line) + 2 <= at);
      if (part !== "") lines.push(`${(isBeside ? (lines.pop() ?? "") : "").padEnd(at)}${part}`);
    });
    start += (widths[column] ?? 0) + 2;
  }
  return lines;
}

/** As many lines as the cell with the most lines has. */
function rowLines(cells: readonly string[], widths: readonly number[], paint: (text: string) => string): string[] {
  const columns = cells.map((cell, column) => cellLines(cell, widths[column] ?? 0));
  return Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, line) =>
    columns
      .map((lines, column) => {
        const text = lines[line] ?? "";
        return `${paint(text)}${" ".repeat((widths[column] ?? 0) - stringWidth(text))}`;
      })
      .join("  "),
  );
}

/** Further lines of a cell are indented so that they do not look like rows. */
const indent = 2;

function cellLines(cell: string, width: number): string[] {
  if (stringWidth(cell) <= width) return [cell];
  return wrapped(cell, width - indent).map((line, at) => `${" ".repeat(at === 0 ? 0 : indent)}${line}`);
}

/** The width of a cell with one word on each line. */
function leastWidth(cell: string): number {
  return Math.min(stringWidth(cell), indent + longestWord(cell));
}

function longestWord(cell: string): number {
  return Math.max(...wrapped(cell, 1).map((word) => stringWidth(word)));
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((total, own) => total + own + 2, -2);
}

/** Takes from the widest columns what is missing; gives up if their longest words do not fit. */
function widthsThatFit(widths: readonly number[], least: readonly number[], width: number): readonly number[] {
  if (lineWidth(least) > width) return widths;
  const fitting = [...widths];
  while (lineWidth(fitting) > width) {
    const shrinkable = fitting.map((own, column) => (own > (least[column] ?? 0) ? own : 0));
    const column = shrinkable.indexOf(Math.max(...shrinkable));
    fitting[column] = (fitting[column] ?? 0) - 1;
  }
  return fitting;
}

/** Splits the columns into runs that fit a line of this width. */
function columnsThatFit(widths: readonly number[], width: number): (readonly [from: number, to: number])[] {
  const starts = [0];
  let taken = 0;
  widths.forEach((own, column) => {
    if (taken > 0 && taken + own > width) {
      starts.push(column);
      taken = 4;
    }
    taken += own + 2;
  });
  return starts.map((from, index) => [from, starts[index + 1] ?? widths.length]);
}
