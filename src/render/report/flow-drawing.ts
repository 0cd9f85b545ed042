/** The flow of the identities as one SVG: a lane for each, from who it is over what proves it to the groups that it works on. */
import type { ShownResult, ShownState } from "../verification-text.js";
import { cut, escaped } from "./html.js";
import { stateWords, worstOf } from "./states.js";

export interface FlowCell {
  readonly label: string;
  /** A second line, smaller. */
  readonly detail: string;
  /** The checks of the lane's subject whose worst state it shows. */
  readonly checks: readonly string[];
}

export interface FlowLane {
  readonly subject: string;
  readonly plane: string;
  /** One for each column but the last. */
  readonly cells: readonly FlowCell[];
  /** Ids of the targets that its last cell leads to. */
  readonly targets: readonly string[];
}

/** What the identities work on: the last column. */
export interface FlowTarget extends FlowCell {
  readonly id: string;
  /** Of its checks. */
  readonly subject: string;
}

export interface Flow {
  readonly columns: readonly string[];
  readonly lanes: readonly FlowLane[];
  readonly targets: readonly FlowTarget[];
}

const widths = [150, 196, 236, 236, 200];
/** Behind each column; the last is wide, for many lines cross there. */
const gaps = [18, 18, 18, 70];
const node = { height: 40, pitch: 52 };
const heading = 34;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export function flowDrawing({ columns, lanes, targets }: Flow, results: readonly ShownResult[]): string {
  const stateOf = (subject: string, { checks }: FlowCell): ShownState | undefined =>
    worstOf(results.filter((result) => result.subject === subject && checks.includes(result.check)));
  const lefts = widths.map((_, column) => widths.slice(0, column).reduce((sum, width, index) => sum + width + (gaps[index] ?? 0), 0));
  const rows = withPlanes(lanes);
  const height = heading + rows.height;
  const targetPitch = rows.height / Math.max(1, targets.length);
  const targetBox = (index: number): Box => ({
    x: lefts.at(-1) ?? 0,
    y: heading + targetPitch * index + (targetPitch - node.height) / 2,
    width: widths.at(-1) ?? 0,
  });
  const boxOf = (y: number, column: number): Box => ({ x: lefts[column] ?? 0, y, width: widths[column] ?? 0 });

  const drawn = rows.lanes.flatMap(({ lane, y }) => {
    const states = lane.cells.map((cell) => stateOf(lane.subject, cell));
    const steps = lane.cells.slice(1).map((_, index) => edge(boxOf(y, index), boxOf(y, index + 1), states[index + 1]));
    const last = boxOf(y, lane.cells.length - 1);
    const fan = lane.targets.flatMap((id) => {
      const index = targets.findIndex((target) => target.id === id);
      return index < 0 ? [] : [edge(last, targetBox(index), states.at(-1))];
    });
    return [...steps, ...fan, ...lane.cells.map((cell, column) => box(boxOf(y, column), cell, states[column]))];
  });
  const width = (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0);
  return [
    `<svg viewBox="-2 0 ${String(width + 4)} ${String(height + 4)}" width="${String(width + 4)}" height="${String(height + 4)}" role="img" aria-labelledby="flow-title flow-text">`,
    `<title id="flow-title">Flow of the identities</title>`,
    `<desc id="flow-text">${escaped(told(lanes))} The table below says the same in words.</desc>`,
    ...columns.map((text, column) => `<text class="column" x="${String(lefts[column] ?? 0)}" y="14">${escaped(text)}</text>`),
    ...rows.planes.map(({ plane, y }) => `<text class="plane" x="0" y="${String(y)}">${escaped(plane)}</text>`),
    ...drawn,
    ...targets.map((target, index) => box(targetBox(index), target, stateOf(target.subject, target))),
    "</svg>",
  ].join("\n");
}

function told(lanes: readonly FlowLane[]): string {
  return lanes.map(({ subject, cells }) => `${subject}: ${cells.map(({ label }) => label).join(", ")}.`).join(" ");
}

/** Lanes under the heading of their plane. */
function withPlanes(lanes: readonly FlowLane[]) {
  const placed: { readonly lane: FlowLane; readonly y: number }[] = [];
  const planes: { readonly plane: string; readonly y: number }[] = [];
  let y = heading;
  for (const lane of lanes) {
    if (planes.at(-1)?.plane !== lane.plane) {
      planes.push({ plane: lane.plane, y: y + 14 });
      y += 24;
    }
    placed.push({ lane, y });
    y += node.pitch;
  }
  return { lanes: placed, planes, height: y - heading };
}

function box({ x, y, width }: Box, { label, detail }: FlowCell, state: ShownState | undefined): string {
  const word = state === undefined ? "" : stateWords[state].mark;
  const text = (className: string, size: number, top: number, content: string, room: number) =>
    `<text class="${className}" x="${String(x + 10)}" y="${String(y + top)}">${escaped(cut(content, Math.floor(room / size)))}</text>`;
  return [
    `<g class="node ${state ?? "unknown"}"><title>${escaped([label, detail, word].filter(Boolean).join(", "))}</title>`,
    `<rect x="${String(x)}" y="${String(y)}" width="${String(width)}" height="${String(node.height)}" rx="7"/>`,
    text("label", 7, detail === "" ? 25 : 17, label, width - 42),
    ...(detail === "" ? [] : [text("detail", 6, 32, detail, width - 20)]),
    `<text class="mark" x="${String(x + width - 10)}" y="${String(y + 16)}" text-anchor="end">${word}</text></g>`,
  ].join("");
}

/** From the right side of one to the left side of the other. */
function edge(from: Box, to: Box, state: ShownState | undefined): string {
  const [x1, y1] = [from.x + from.width, from.y + node.height / 2];
  const [x2, y2] = [to.x, to.y + node.height / 2];
  const bend = (x2 - x1) / 2;
  const points = [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2].map((value) => String(Math.round(value * 10) / 10));
  const [a, b, c, d, e, f, g, h] = points;
  return `<path class="edge ${state ?? "unknown"}" d="M${a ?? ""} ${b ?? ""}C${c ?? ""} ${d ?? ""} ${e ?? ""} ${f ?? ""} ${g ?? ""} ${h ?? ""}"/>`;
}
