/** The graph of steps as text for Mermaid or Graphviz. */
import { printable } from "./printable.js";

export const diagramFormats = ["mermaid", "dot"] as const;
export type DiagramFormat = (typeof diagramFormats)[number];

export interface DiagramNode {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
}

/** Arrows lead from a step to those that need it, in the order of creation. Ends with a line end. */
export function diagram(nodes: readonly DiagramNode[], format: DiagramFormat): string {
  return `${format === "mermaid" ? mermaid(nodes) : dot(nodes)}\n`;
}

function mermaid(nodes: readonly DiagramNode[]): string {
  // IDs are numbered, because Mermaid reserves some words ("end", "graph").
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

/** Omits needs that are not among the nodes, so that part of a graph can be drawn. */
function edges(nodes: readonly DiagramNode[]): (readonly [string, string])[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap((node) => node.needs.filter((need) => known.has(need)).map((need) => [need, node.id] as const));
}

/** Escapes what Mermaid interprets even in quotes: markup, entities, backticks, percent signs and backslashes. */
export function mermaidText(text: string): string {
  return text.replace(/[&<>"#`%\\]/gu, (character) => `#${character.charCodeAt(0)};`);
}

export function dotText(text: string): string {
  return `"${text.replace(/[\\"]/gu, "\\$&")}"`;
}
