/** Columns of text for people: no boxes, two spaces between columns. */
import Table from "cli-table3";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";

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

/** Cells are made printable here; columns are as wide as their widest cell and never cut, so that names can be copied. */
export function table(screen: Screen, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({ chars: noBorders, style: { head: [], border: [], "padding-left": 0, "padding-right": 0 } });
  drawn.push(head.map((title) => screen.paint.bold(title)));
  for (const row of rows) drawn.push(row.map(printable));
  return drawn
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
