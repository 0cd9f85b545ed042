/** The screen of a terminal as SVG. */
import { escaped } from "../src/render/report/html.js";

/** Of one character, in pixels. */
const cell = { width: 8.4, height: 18 };
const padding = 14;
const titleBar = 30;

/** By SGR code: the colors of a dark terminal. */
const colors: Readonly<Record<number, string>> = {
  30: "#5c6773",
  31: "#ff8f85",
  32: "#7fd99a",
  33: "#f0be5c",
  34: "#7db7ff",
  35: "#d0a8ff",
  36: "#6fd3e0",
  37: "#e6eaf2",
  90: "#9aa6ba",
};

const fonts = ["ui-monospace", '"Cascadia Mono"', '"DejaVu Sans Mono"', "Menlo", "Consolas", "monospace"].join(", ");
const textStyle = [`font: 14px ${fonts}`, `fill: ${String(colors[37])}`, "white-space: pre"].join("; ");

interface Style {
  readonly color?: string | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
}

interface Run extends Style {
  readonly column: number;
  readonly text: string;
}

export interface TerminalImage {
  /** In the title bar, and for screen readers. */
  readonly title: string;
  readonly columns: number;
  /** The rows of the screen, with SGR sequences and no others. */
  readonly rows: readonly string[];
}

/** @throws Error for an SGR code without a place in the table */
export function terminalSvg({ title, columns, rows }: TerminalImage): string {
  const [width, height] = [columns * cell.width + 2 * padding, rows.length * cell.height + titleBar + padding];
  let style: Style = {};
  const texts = rows.map((row, index) => {
    const [runs, after] = runsOf(row, style);
    style = after;
    const y = String(titleBar + index * cell.height + 13);
    return runs.filter(({ text }) => text.trim() !== "").map((run) => textElement(run, y));
  });
  const [wide, high] = [String(width), String(height)];
  const lights = ["#ff8f85", "#f0be5c", "#7fd99a"].map(
    (fill, index) => `<circle cx="${String(18 + 16 * index)}" cy="15" r="5" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text { ${textStyle} }</style>`,
    '<rect width="100%" height="100%" rx="8" fill="#10141c"/>',
    ...lights,
    `<text x="50%" y="20" text-anchor="middle" style="fill: ${String(colors[90])}">${escaped(title)}</text>`,
    ...texts.flat(),
    "</svg>\n",
  ].join("\n");
}

function textElement({ column, text, color, bold, dim }: Run, y: string): string {
  const rules = [color && `fill: ${color}`, bold && "font-weight: 600", dim && "opacity: 0.65"].filter(Boolean).join("; ");
  // The font of the reader may be narrower or wider than the cells.
  const length = ` textLength="${(text.length * cell.width).toFixed(1)}"`;
  const x = (padding + column * cell.width).toFixed(1);
  return `<text xml:space="preserve" x="${x}" y="${y}"${length}${rules === "" ? "" : ` style="${rules}"`}>${escaped(text)}</text>`;
}

/** The runs of one style in a row, and the style at its end. */
function runsOf(row: string, before: Style): readonly [Run[], Style] {
  const runs: Run[] = [];
  let style = before;
  let column = 0;
  for (const [, codes, text = ""] of row.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (codes !== undefined) {
      for (const code of codes.split(";")) style = styled(style, Number(code));
      continue;
    }
    // Spaces at either end have no need of a color.
    const start = text.length - text.trimStart().length;
    runs.push({ ...style, column: column + start, text: text.trim() });
    column += text.length;
  }
  return [runs, style];
}

function styled(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: undefined };
  // The default ground, which nothing changes.
  if (code === 49) return style;
  const color = colors[code];
  if (color === undefined) throw new Error(`no color for SGR code ${String(code)}`);
  return { ...style, color };
}
