/** Text in columns, without boxes, two spaces apart. */
import stringWidth from "fast-string-width";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { room } from "./wrapped.js";

/**
 * Makes cells printable. Columns are as wide as their widest cell and never cut, so that names can be copied.
 * If the window is too narrow for all columns, each row continues below.
 */
export function table(screen: Screen, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ""))));
  const runs = columnsThatFit(widths, room(screen, 0));
  const lines = cells.flatMap((row, index) => {
    const padded = row.map((cell, column) => {
      const padding = " ".repeat((widths[column] ?? 0) - stringWidth(cell));
      return `${index === 0 ? screen.paint.bold(cell) : cell}${padding}`;
    });
    return runs.map(([from, to]) => `${from === 0 ? "" : "    "}${padded.slice(from, to).join("  ")}`.trimEnd());
  });
  return lines.filter((line) => line !== "").join("\n");
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
