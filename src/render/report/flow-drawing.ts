/** The identity flow as one SVG, with the states of the checks at its nodes, arrows and groups. */
import type { FlowDiagram } from "../flow-diagram.js";
import type { ShownResult, ShownState } from "../verification-text.js";
import { flowLayout, sizes, type Box, type Placed } from "./flow-layout.js";
import { escaped } from "./html.js";
import { stateWords, worstOf } from "./states.js";

/** The results of each node and group, by ID. */
export type Found = ReadonlyMap<string, readonly ShownResult[]>;

type Shown = ShownState | "unknown";

const legendHeight = 34;

export function flowDrawing(flow: FlowDiagram, found: Found): string {
  const { width, height, panels, nodes } = flowLayout(flow);
  const stateOf = (id: string): Shown => worstOf(found.get(id) ?? []) ?? "unknown";
  // What no check looked at counts as skipped, never as passed.
  const nodeState = (id: string): ShownState => worstOf(found.get(id) ?? []) ?? "skipped";
  const boxes = new Map(nodes.map((node) => [node.id, node]));
  const kinds = new Map(flow.groups.flatMap((group) => group.nodes.map(({ id, kind }) => [id, kind])));
  const names = new Map(
    flow.groups.flatMap(({ id, title, nodes: inside }) => [
      [id, [title]] as const,
      ...inside.map((node) => [node.id, node.lines] as const),
    ]),
  );
  const describe = (id: string) => [...(names.get(id) ?? []), ...findings(found.get(id) ?? [], kinds.has(id))].join(", ");
  const edges = flow.arrows.map(({ from, to }) => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    // The role shows what an identity may do on a scope, which several identities share.
    return start && end ? edge(start, end, nodeState(kinds.get(to) === "scope" ? from : to)) : "";
  });
  // A pixel around the drawing, for strokes at its border.
  const [wide, high] = [String(width + 2), String(height + legendHeight + 2)];
  return [
    `<svg viewBox="-1 -1 ${wide} ${high}" width="${wide}" height="${high}" role="img" aria-labelledby="flow-title flow-text">`,
    `<title id="flow-title">Flow of the ${escaped(flow.title)}</title>`,
    `<desc id="flow-text">${escaped(ways(flow, describe))}</desc>`,
    ...panels.map((panel) => shape("panel", panel, stateOf(panel.id), describe(panel.id))),
    ...edges,
    ...nodes.map((node) => shape("node", node, nodeState(node.id), describe(node.id))),
    ...legend(height + legendHeight - 12),
    "</svg>",
  ].join("\n");
}

/** "FAIL: sign-in" for failed checks; only the mark if all passed. A group without checks of its own has no state. */
function findings(results: readonly ShownResult[], isNode: boolean): string[] {
  const state = worstOf(results);
  if (state === undefined) return isNode ? [`${stateWords.skipped.mark}: not checked`] : [];
  const checks = results.filter((result) => result.state === state).map(({ check }) => check);
  return [`${stateWords[state].mark}${state === "passed" ? "" : `: ${checks.join(" ")}`}`];
}

/** Each path through the flow, as a sentence. */
function ways({ arrows }: FlowDiagram, describe: (id: string) => string): string {
  const pathsFrom = (id: string): string[] => {
    const next = arrows.filter(({ from }) => from === id);
    return next.length === 0
      ? [describe(id)]
      : [...new Set(next.map(({ to }) => to))].flatMap((to) => pathsFrom(to).map((rest) => `${describe(id)}; ${rest}`));
  };
  const starts = new Set(arrows.map(({ from }) => from).filter((id) => !arrows.some(({ to }) => to === id)));
  return [...starts]
    .flatMap(pathsFrom)
    .map((way) => `${way}.`)
    .join(" ");
}

function shape(className: "panel" | "node", { x, y, width, height, lines }: Placed, state: Shown, description: string): string {
  const middle = y + sizes.inset + sizes.leading / 2;
  // Without a mark, the title takes its place.
  const left = x + (className === "panel" && state === "unknown" ? 8 : sizes.indent);
  const texts = lines.map(({ text, detail }, index) => {
    const place = `x="${number(left)}" y="${number(middle + index * sizes.leading + 4)}"`;
    return `<text${detail ? ' class="detail"' : ""} ${place}>${escaped(text)}</text>`;
  });
  return [
    `<g class="${className} ${state}"><title>${escaped(description)}</title>`,
    `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="7"/>`,
    mark(x + 15, middle, state),
    ...texts,
    "</g>",
  ].join("");
}

/** A sign for each state, for readers who do not see colors. */
const signs: Readonly<Record<ShownState, { readonly ground: string; readonly sign: string }>> = {
  passed: { ground: "M0-7a7 7 0 1 1 0 14a7 7 0 1 1 0-14", sign: "M-3.2 .2L-.9 2.6L3.4-2.4" },
  failed: { ground: "M-3-7H3L7-3V3L3 7H-3L-7 3V-3Z", sign: "M-2.7-2.7L2.7 2.7M2.7-2.7L-2.7 2.7" },
  warning: { ground: "M0-7.5L7.8 6.5H-7.8Z", sign: "M0-2.6V1.8M0 4V4.4" },
  skipped: { ground: "M-7-7H7V7H-7Z", sign: "M-3 0H3" },
};

function mark(x: number, y: number, state: Shown): string {
  if (state === "unknown") return "";
  const { ground, sign } = signs[state];
  return `<g class="mark" transform="translate(${number(x)} ${number(y)})"><path class="ground" d="${ground}"/><path class="sign" d="${sign}"/></g>`;
}

function legend(y: number): string[] {
  const shown = ["passed", "warning", "failed", "skipped"] as const;
  return shown.map(
    (state, index) =>
      `<g class="legend ${state}">${mark(15 + index * 96, y - 4, state)}<text x="${number(29 + index * 96)}" y="${number(y)}">${stateWords[state].mark}</text></g>`,
  );
}

/** An arrow from the right side of one box to the left side of the other. */
function edge(from: Box, to: Box, state: Shown): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = (x2 - x1) / 2;
  const points = [x1 + bend, y1, x2 - bend, y2, x2, y2].map(number).join(" ");
  const head = `M${number(x2 - 6)} ${number(y2 - 3.5)}L${number(x2)} ${number(y2)}L${number(x2 - 6)} ${number(y2 + 3.5)}`;
  return `<g class="edge ${state}"><path d="M${number(x1)} ${number(y1)}C${points}"/><path d="${head}"/></g>`;
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}
