/** Lays out a flow in pixels: a column for each kind of node, a row for each path, a panel around each group. */
import type { FlowDiagram, FlowKind } from "../flow-diagram.js";

type Group = FlowDiagram["groups"][number];
type Node = Group["nodes"][number];

export interface Line {
  readonly text: string;
  /** Whether it follows the name, in a smaller font. */
  readonly detail: boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Placed extends Box {
  readonly id: string;
  readonly lines: readonly Line[];
}

export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly panels: readonly Placed[];
  readonly nodes: readonly Placed[];
}

interface Row {
  readonly top: number;
  readonly bottom: number;
  /** The height of the titles above it. */
  readonly head: number;
}

export const sizes = { name: 12, detail: 10.5, leading: 15, indent: 29, inset: 8 } as const;

/** Wide enough for a client ID and for the last word of any name; together they fit a page of 1280 pixels. */
const identityColumns = { secret: 168, pod: 232, principal: 268, role: 190, scope: 218 } as const;
/** The same for addresses with their tags. */
const clusterColumns = { source: 146, rule: 174, address: 208, cluster: 172, exit: 216, reached: 150 } as const;
const columns: Readonly<Record<FlowKind, number>> = { ...identityColumns, ...clusterColumns };
/** The kinds of nodes in a flow, from left to right. */
type Kinds = readonly FlowKind[];
const columnSets: readonly Kinds[] = [identityColumns, clusterColumns].map((set) => Object.keys(set) as FlowKind[]);
/** Each node of these kinds has a row: a pod, a way into a cluster, a way out. */
const rowKinds: ReadonlySet<FlowKind> = new Set(["pod", "rule", "exit"]);
const columnGap = 28;
const rowGap = 8;
const panelGap = 16;
const mostLines = 3;

export function flowLayout({ groups, arrows }: FlowDiagram): FlowLayout {
  const nodes = groups.flatMap((group) => group.nodes);
  const kinds = columnSets.find((set) => nodes.some(({ kind }) => set.includes(kind))) ?? [];
  const last = kinds.at(-1) ?? "scope";
  const rowsOf = placeInRows(nodes, arrows);
  const texts = new Map(nodes.map((node) => [node.id, linesOf(node)]));
  const heightOf = ({ id }: Node) => 2 * sizes.inset + (texts.get(id)?.length ?? 0) * sizes.leading;
  const titles = new Map(groups.map(({ id, title, nodes: [first] }) => [id, wrapped(title, roomIn(first?.kind), sizes.name)]));
  const groupRows = (group: Group) => group.nodes.flatMap((node) => rowsOf.get(node.id) ?? []);
  const headOf = (group: Group) => (titles.get(group.id)?.length ?? 0) * sizes.leading + 2 * sizes.inset;
  const startOf = (group: Group) => Math.min(...groupRows(group));

  const rows: Row[] = [];
  let y = 0;
  for (let row = 0; nodes.some(({ id }) => rowsOf.get(id)?.includes(row)); row += 1) {
    const heads = groups.filter((group) => startOf(group) === row).map(headOf);
    const head = Math.max(0, ...heads);
    const heights = nodes.filter(({ id }) => rowsOf.get(id)?.join() === String(row)).map(heightOf);
    const top = y + head + (row > 0 && head > 0 ? panelGap : 0);
    const bottom = top + Math.max(...heights);
    rows.push({ top, bottom, head });
    y = bottom + rowGap;
  }

  return {
    width: leftOf(last, kinds) + columns[last] + sizes.inset,
    height: (rows.at(-1)?.bottom ?? 0) + sizes.inset,
    panels: groups.map((group) => {
      const { top = 0, head = 0 } = rows[startOf(group)] ?? {};
      const bottom = rows[Math.max(...groupRows(group))]?.bottom ?? 0;
      const kind = group.nodes[0]?.kind ?? "scope";
      const box = { x: leftOf(kind, kinds) - sizes.inset, y: top - head, width: columns[kind] + 2 * sizes.inset };
      const lines = (titles.get(group.id) ?? []).map((text) => ({ text, detail: false }));
      return { id: group.id, lines, ...box, height: bottom - top + head + sizes.inset };
    }),
    nodes: kinds.flatMap((kind) => {
      const placed = nodes
        .filter((node) => node.kind === kind)
        .map((node): Placed => {
          const { top, bottom } = middleOf((rowsOf.get(node.id) ?? []).flatMap((row) => rows[row] ?? []));
          const height = heightOf(node);
          const box = { x: leftOf(kind, kinds), y: (top + bottom - height) / 2, width: columns[kind], height };
          return { id: node.id, lines: texts.get(node.id) ?? [], ...box };
        });
      return spread(placed, rows.at(-1)?.bottom ?? 0);
    }),
  };
}

/** Other nodes are centered on the rows of all their paths. */
function placeInRows(nodes: readonly Node[], arrows: FlowDiagram["arrows"]): ReadonlyMap<string, readonly number[]> {
  const ways = nodes.filter(({ kind }) => rowKinds.has(kind));
  // The ways in and the ways out are next to each other.
  const rows = new Map<string, readonly number[]>(
    ways.map(({ id, kind }) => [id, [ways.filter((way) => way.kind === kind).findIndex((way) => way.id === id)]]),
  );
  const hasRow = (id: string) => ways.some((way) => way.id === id);
  for (const { from, to } of arrows) {
    const [known, next] = hasRow(to) ? [to, from] : [from, to];
    rows.set(next, [...new Set([...(rows.get(next) ?? []), ...(rows.get(known) ?? [])])]);
  }
  return rows;
}

function middleOf(rows: readonly Row[]): Omit<Row, "head"> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return { top: mean(rows.map(({ top }) => top)), bottom: mean(rows.map(({ bottom }) => bottom)) };
}

/** Moves overlapping nodes down, and up again from the bottom if there is no more room. */
function spread(placed: readonly Placed[], end: number): Placed[] {
  const sorted = placed.toSorted((one, other) => one.y + one.height / 2 - other.y - other.height / 2);
  const down: Placed[] = [];
  for (const each of sorted) {
    const above = down.at(-1);
    down.push({ ...each, y: Math.max(each.y, above === undefined ? 0 : above.y + above.height + rowGap) });
  }
  const outputs: Placed[] = [];
  for (const each of down.toReversed()) {
    const below = outputs.at(-1);
    outputs.push({ ...each, y: Math.min(each.y, (below === undefined ? end : below.y - rowGap) - each.height) });
  }
  return outputs;
}

function leftOf(kind: FlowKind, kinds: Kinds): number {
  return kinds.slice(0, kinds.indexOf(kind)).reduce<number>((left, before) => left + columns[before] + columnGap, sizes.inset);
}

function roomIn(kind: FlowKind | undefined): number {
  return columns[kind ?? "scope"] - sizes.indent - sizes.inset;
}

/** The lines of a scope have equal weight: each is a group. */
function linesOf({ kind, lines }: Node): Line[] {
  return lines.flatMap((line, index) => {
    const detail = index > 0 && kind !== "scope";
    return wrapped(line, roomIn(kind), detail ? sizes.detail : sizes.name).map((text) => ({ text, detail }));
  });
}

/** Breaks lines at spaces; in a word that is too wide, after punctuation, or anywhere as a last resort. */
function wrapped(text: string, room: number, size: number): string[] {
  const fits = (line: string) => widthOf(line.trimEnd(), size) <= room;
  const split = (word: string, by: RegExp) => (fits(word) ? [word] : (word.match(by) ?? []));
  const words = text.split(/(?<= )/).flatMap((word) => split(word, /[^-/.,:]+[-/.,:]*|[-/.,:]+/g).flatMap((part) => split(part, /./gs)));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && fits(last + word)) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  const kept = lines.slice(0, mostLines).map((line) => line.trimEnd());
  return lines.length > mostLines ? kept.with(-1, `${kept.at(-1)?.slice(0, -1) ?? ""}…`) : kept;
}

/** The width in a wide font, so that the text fits in others. */
function widthOf(text: string, size: number): number {
  const ems = [...text].map((letter) => (/[iljIt.,:;/|' ()[\]-]/.test(letter) ? 0.37 : /[mwMWA-Z@%]/.test(letter) ? 0.86 : 0.63));
  return size * ems.reduce((sum, em) => sum + em, 0);
}
