/** A flow of identities or of traffic as text for Mermaid or Graphviz: nodes in named groups, and arrows between them. */
import { border, dotText, font, ink, mermaidText, type DiagramFormat } from "./diagram.js";
import { printable } from "./printable.js";

export interface FlowDiagram {
  readonly title: string;
  readonly groups: readonly {
    readonly id: string;
    readonly title: string;
    readonly nodes: readonly { readonly id: string; readonly kind: FlowKind; readonly lines: readonly string[] }[];
  }[];
  readonly arrows: readonly { readonly from: string; readonly to: string }[];
}

export type FlowKind = keyof typeof looks;

const identityLooks = {
  secret: { fill: "#fff1cc", stroke: "#b58a1b" },
  pod: { fill: "#dcebfb", stroke: "#3f7cbf" },
  principal: { fill: "#e7e0f8", stroke: "#7a5cc0" },
  role: { fill: "#dff3e4", stroke: "#3f9159" },
  scope: { fill: "#eceff3", stroke: "#6b7686" },
} as const;
const clusterLooks = {
  source: { fill: "#eceff3", stroke: "#6b7686" },
  rule: { fill: "#fff1cc", stroke: "#b58a1b" },
  address: { fill: "#dff3e4", stroke: "#3f9159" },
  cluster: { fill: "#dcebfb", stroke: "#3f7cbf" },
  exit: { fill: "#e7e0f8", stroke: "#7a5cc0" },
  reached: { fill: "#eceff3", stroke: "#6b7686" },
} as const;
const looks = { ...identityLooks, ...clusterLooks } as const;

/** Ends with a line end. */
export function flowDiagram(flow: FlowDiagram, format: DiagramFormat): string {
  return `${format === "mermaid" ? mermaid(flow) : dot(flow)}\n`;
}

function mermaid({ title, groups, arrows }: FlowDiagram): string {
  const nodes = groups.flatMap((group) => group.nodes);
  // Numbered, because Mermaid reserves some words.
  const numbers = new Map(nodes.map(({ id }, index) => [id, `n${String(index)}`]));
  const lines = (texts: readonly string[]) => texts.map((text) => mermaidText(printable(text))).join("<br/>");
  return [
    "---",
    // JSON is valid YAML.
    `title: ${JSON.stringify(printable(title))}`,
    // By default Mermaid breaks lines at 200 pixels, and client IDs are wider.
    `config: ${JSON.stringify({ flowchart: { wrappingWidth: 400 } })}`,
    "---",
    "flowchart LR",
    ...groups.flatMap((group, index) => [
      `  subgraph g${String(index)}["${lines([group.title])}"]`,
      ...group.nodes.map((node) => `    ${numbers.get(node.id) ?? ""}["${lines(node.lines)}"]:::${node.kind}`),
      "  end",
    ]),
    ...arrows.map(({ from, to }) => `  ${numbers.get(from) ?? ""} --> ${numbers.get(to) ?? ""}`),
    ...groups.map((_, index) => `  style g${String(index)} fill:none,stroke:${border}`),
    ...Object.entries(isOfClusters(nodes) ? clusterLooks : identityLooks).map(
      ([kind, { fill, stroke }]) => `  classDef ${kind} fill:${fill},stroke:${stroke},color:${ink}`,
    ),
  ].join("\n");
}

function isOfClusters(nodes: readonly { readonly kind: FlowKind }[]): boolean {
  return nodes.some(({ kind }) => kind in clusterLooks);
}

function dot({ title, groups, arrows }: FlowDiagram): string {
  // Each line is quoted separately, and then joined with "\n", Graphviz's line break.
  const lines = (texts: readonly string[]) => `"${texts.map((text) => dotText(printable(text)).slice(1, -1)).join("\\n")}"`;
  return [
    `digraph ${isOfClusters(groups.flatMap((group) => group.nodes)) ? "clusters" : "identities"} {`,
    "  rankdir=LR;",
    "  ranksep=0.7;",
    `  label=${lines([title])};`,
    '  labelloc="t";',
    `  fontname="${font}";`,
    `  node [shape=box style="rounded,filled" margin="0.25,0.08" fontname="${font}"];`,
    ...groups.flatMap((group) => [
      `  subgraph ${dotText(`cluster_${group.id}`)} {`,
      `    label=${lines([group.title])};`,
      ...group.nodes.map(({ id, kind, lines: texts }) => {
        const { fill, stroke } = looks[kind];
        return `    ${dotText(id)} [label=${lines(texts)} fillcolor="${fill}" color="${stroke}" fontcolor="${ink}"];`;
      }),
      "  }",
    ]),
    ...arrows.map(({ from, to }) => `  ${dotText(from)} -> ${dotText(to)};`),
    "}",
  ].join("\n");
}
