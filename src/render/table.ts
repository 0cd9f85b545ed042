/** Columns of text for people: no boxes, two spaces between columns. */
import stringWidth from "fast-string-width";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { room } from "./wrapped.js";

/**
 * Cells are made printable here; columns are as wide as their widest cell and never cut, so that names can be copied: where a window has no room
 * for all of them, each row continues below.
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

/** Runs of columns, each as long as a line of so many characters takes. */
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
