/** The graph of steps as text for Mermaid or Graphviz. */
import { printable } from "./printable.js";

export const diagramFormats = ["mermaid", "dot"] as const;
export type DiagramFormat = (typeof diagramFormats)[number];

export interface DiagramNode {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
}

/** Arrows lead from what is needed to what needs it: the order in which things are made. Ends with a line end. */
export function diagram(nodes: readonly DiagramNode[], format: DiagramFormat): string {
  return `${format === "mermaid" ? mermaid(nodes) : dot(nodes)}\n`;
}

function mermaid(nodes: readonly DiagramNode[]): string {
  // Ids are numbered: Mermaid reads some words ("end", "graph") as its own.
  const numbers = new Map(nodes.map(({ id }, index) => [id, `s${index}`]));
  return [
    "flowchart LR",
    ...nodes.map((node) => `  ${numbers.get(node.id)}["${mermaidText(printable(node.title))}"]`),
    ...edges(nodes).map(([from, to]) => `  ${numbers.get(from)} --> ${numbers.get(to)}`),
  ].join("\n");
}

function dot(nodes: readonly DiagramNode[]): string {
  return [
    "digraph infra {",
    "  rankdir=LR;",
    "  node [shape=box];",
    ...nodes.map((node) => `  ${dotText(node.id)} [label=${dotText(printable(node.title))}];`),
    ...edges(nodes).map(([from, to]) => `  ${dotText(from)} -> ${dotText(to)};`),
    "}",
  ].join("\n");
}

/** Needs that are not among the nodes are left out: a part of a graph can be drawn. */
function edges(nodes: readonly DiagramNode[]): (readonly [string, string])[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap((node) => node.needs.filter((need) => known.has(need)).map((need) => [need, node.id] as const));
}

/** Inside quotes Mermaid still reads markup and entities, a backtick begins its Markdown, percent signs its directives, a backslash a line end. */
export function mermaidText(text: string): string {
  return text.replace(/[&<>"#`%\\]/gu, (character) => `#${character.charCodeAt(0)};`);
}

export function dotText(text: string): string {
  return `"${text.replace(/[\\"]/gu, "\\$&")}"`;
}
