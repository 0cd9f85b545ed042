/** Columns of text for people: no boxes, two spaces between columns. */
import Table from "cli-table3";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { room } from "./wrapped.js";

const noBorders = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/**
 * Cells are made printable here; columns are as wide as their widest cell and never cut, so that names can be copied: where a window has no room
 * for all of them, each row goes on below.
 */
export function table(screen: Screen, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const parts = columnsThatFit(widths, room(screen, 0)).map(([from, to]) => {
    const slice = (row: readonly string[]) => row.slice(from, to);
    return drawn(screen, slice(head), rows.map(slice)).map((line) => (from === 0 ? line : `    ${line}`));
  });
  return cells
    .flatMap((_, row) => parts.map((lines) => lines[row] ?? ""))
    .filter((line) => line.trim() !== "")
    .join("\n");
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

function drawn(screen: Screen, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = new Table({ chars: noBorders, style: { head: [], border: [], "padding-left": 0, "padding-right": 0 } });
  lines.push(head.map((title) => screen.paint.bold(title)));
  for (const row of rows) lines.push(row.map(printable));
  return lines
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}
