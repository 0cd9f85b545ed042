/** Writes the graph of steps for Mermaid or Graphviz, grouped by subject. */
import { printable } from "./printable.js";

export const diagramFormats = ["mermaid", "dot"] as const;
export type DiagramFormat = (typeof diagramFormats)[number];

export interface DiagramNode {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  /** "network"; the group that it is in. */
  readonly section: string;
  /** What is planned, or how it ended: "create", "created", "failed". */
  readonly word?: string;
}

/** Dark text on light backgrounds, readable on light and dark pages. */
export const ink = "#1b2130";
export const border = "#6b7686";
/** Graphviz knows this font's widths without the system. */
export const font = "Helvetica,Arial,sans-serif";

interface Style {
  readonly fill: string;
  readonly stroke: string;
}

const styles = {
  step: { fill: "#dcebfb", stroke: "#3f7cbf" },
  done: { fill: "#dff3e4", stroke: "#3f9159" },
  toChange: { fill: "#fff1cc", stroke: "#b58a1b" },
  removedOrFailed: { fill: "#fbe0dd", stroke: "#b3261e" },
  notRun: { fill: "#eceff3", stroke: "#6b7686" },
} as const satisfies Readonly<Record<string, Style>>;

const wordsByStyle = {
  done: ["keep", "use", "kept", "used", "created", "updated", "replaced", "waited", "removed"],
  toChange: ["create", "update", "replace", "wait"],
  removedOrFailed: ["remove", "refuse", "refused", "failed"],
  notRun: ["skipped", "cancelled", "interrupted"],
} as const satisfies Partial<Record<keyof typeof styles, readonly string[]>>;

const styleByWord = new Map(
  Object.entries(wordsByStyle).flatMap(([style, words]) => words.map((word) => [word as string, style as keyof typeof styles])),
);

/** Arrows lead from a step to those that need it, in the order of creation. Ends with a line end. */
export function diagram(nodes: readonly DiagramNode[], format: DiagramFormat): string {
  return `${format === "mermaid" ? mermaid(nodes) : dot(nodes)}\n`;
}

function mermaid(nodes: readonly DiagramNode[]): string {
  // IDs are numbered, because Mermaid reserves some words ("end", "graph").
  const numbers = new Map(nodes.map(({ id }, index) => [id, `s${String(index)}`]));
  const numberOf = (id: string) => numbers.get(id) ?? "";
  const line = (text: string) => mermaidText(printable(text));
  const sections = sectionsOf(nodes);
  return [
    "flowchart LR",
    ...sections.flatMap(([name, own], index) => [
      `  subgraph g${String(index)}["${line(name)}"]`,
      ...own.map((node) => `    ${numberOf(node.id)}["${[node.title, ...wordOf(node)].map(line).join("<br/>")}"]:::${styleNameOf(node)}`),
      "  end",
    ]),
    ...edges(nodes).map(([from, to]) => `  ${numberOf(from)} --> ${numberOf(to)}`),
    ...sections.map((_, index) => `  style g${String(index)} fill:none,stroke:${border}`),
    ...[...new Set(nodes.map(styleNameOf))].map(
      (name) => `  classDef ${name} fill:${styles[name].fill},stroke:${styles[name].stroke},color:${ink}`,
    ),
  ].join("\n");
}

function dot(nodes: readonly DiagramNode[]): string {
  // Each line is quoted separately, and then joined with "\n", Graphviz's line break.
  const lines = (texts: readonly string[]) => `"${texts.map((text) => dotText(printable(text)).slice(1, -1)).join("\\n")}"`;
  return [
    "digraph steps {",
    "  rankdir=LR;",
    "  ranksep=0.7;",
    `  fontname="${font}";`,
    `  node [shape=box style="rounded,filled" margin="0.25,0.08" fontname="${font}"];`,
    ...sectionsOf(nodes).flatMap(([name, own], index) => [
      `  subgraph cluster_${String(index)} {`,
      `    label=${lines([name])};`,
      ...own.map((node) => {
        const { fill, stroke } = styles[styleNameOf(node)];
        return `    ${dotText(node.id)} [label=${lines([node.title, ...wordOf(node)])} fillcolor="${fill}" color="${stroke}" fontcolor="${ink}"];`;
      }),
      "  }",
    ]),
    ...edges(nodes).map(([from, to]) => `  ${dotText(from)} -> ${dotText(to)};`),
    "}",
  ].join("\n");
}

function wordOf({ word }: DiagramNode): string[] {
  return word === undefined ? [] : [word];
}

function styleNameOf({ word }: DiagramNode): keyof typeof styles {
  return word === undefined ? "step" : (styleByWord.get(word) ?? "notRun");
}

/** The sections in the order of their first steps. */
function sectionsOf(nodes: readonly DiagramNode[]): (readonly [string, readonly DiagramNode[]])[] {
  const names = [...new Set(nodes.map(({ section }) => section))];
  return names.map((name) => [name, nodes.filter(({ section }) => section === name)] as const);
}

/** Omits needs that are not among the nodes, so that part of a graph can be drawn, and those that another need has too. */
function edges(nodes: readonly DiagramNode[]): (readonly [string, string])[] {
  const needsOf = new Map(nodes.map(({ id, needs }) => [id, new Set(needs)]));
  const before = new Map<string, ReadonlySet<string>>();
  const allBefore = (id: string): ReadonlySet<string> => {
    const known = before.get(id);
    if (known) return known;
    // Ends in a graph with a cycle, too: files come from others.
    before.set(id, new Set());
    const own = [...(needsOf.get(id) ?? [])];
    const all = new Set(own.flatMap((need) => [need, ...allBefore(need)]));
    before.set(id, all);
    return all;
  };
  return nodes.flatMap(({ id }) => {
    const needs = [...(needsOf.get(id) ?? [])].filter((need) => needsOf.has(need));
    const direct = needs.filter((need) => !needs.some((other) => other !== need && allBefore(other).has(need)));
    return direct.map((need) => [need, id] as const);
  });
}

/** Escapes what Mermaid interprets even in quotes: markup, entities, backticks, percent signs and backslashes. */
export function mermaidText(text: string): string {
  return text.replace(/[&<>"#`%\\]/gu, (character) => `#${String(character.charCodeAt(0))};`);
}

export function dotText(text: string): string {
  return `"${text.replace(/[\\"]/gu, "\\$&")}"`;
}
