import { describe, expect, it } from "vitest";
import { flowDiagram, type FlowDiagram } from "../../src/render/flow-diagram.js";

/** Contains words and characters with a meaning in Mermaid or Graphviz. */
const flow: FlowDiagram = {
  title: 'identities of "demo"\u001b[31m --- %%{init: {}}%%',
  groups: [
    { id: "secrets", title: "key vault `a`", nodes: [{ id: "end/secret", kind: "secret", lines: ['a"b<c>#d&e', "100% (x)\\n"] }] },
    { id: "pods", title: "pods", nodes: [{ id: "end/pod", kind: "pod", lines: ["end\u001b[31m\nsubgraph"] }] },
  ],
  arrows: [
    { from: "end/secret", to: "end/pod" },
    { from: "end/pod", to: "end/secret" },
  ],
};

describe("the diagram of the identity flow", () => {
  it("is Mermaid with a title, nodes in the color of their kind, and quoted text", () => {
    expect(flowDiagram(flow, "mermaid")).toMatchInlineSnapshot(`
      "---
      title: "identities of \\"demo\\" --- %%{init: {}}%%"
      config: {"flowchart":{"wrappingWidth":400}}
      ---
      flowchart LR
        subgraph g0["key vault #96;a#96;"]
          n0["a#34;b#60;c#62;#35;d#38;e<br/>100#37; (x)#92;n"]:::secret
        end
        subgraph g1["pods"]
          n1["end subgraph"]:::pod
        end
        n0 --> n1
        n1 --> n0
        style g0 fill:none,stroke:#6b7686
        style g1 fill:none,stroke:#6b7686
        classDef secret fill:#fff1cc,stroke:#b58a1b,color:#1b2130
        classDef pod fill:#dcebfb,stroke:#3f7cbf,color:#1b2130
        classDef principal fill:#e7e0f8,stroke:#7a5cc0,color:#1b2130
        classDef role fill:#dff3e4,stroke:#3f9159,color:#1b2130
        classDef scope fill:#eceff3,stroke:#6b7686,color:#1b2130
      "
    `);
  });

  it("is dot with a title, nodes in the color of their kind, and quoted text", () => {
    expect(flowDiagram(flow, "dot")).toMatchInlineSnapshot(`
      "digraph identities {
        rankdir=LR;
        ranksep=0.7;
        label="identities of \\"demo\\" --- %%{init: {}}%%";
        labelloc="t";
        fontname="Helvetica,Arial,sans-serif";
        node [shape=box style="rounded,filled" margin="0.25,0.08" fontname="Helvetica,Arial,sans-serif"];
        subgraph "cluster_secrets" {
          label="key vault \`a\`";
          "end/secret" [label="a\\"b<c>#d&e\\n100% (x)\\\\n" fillcolor="#fff1cc" color="#b58a1b" fontcolor="#1b2130"];
        }
        subgraph "cluster_pods" {
          label="pods";
          "end/pod" [label="end subgraph" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
        }
        "end/secret" -> "end/pod";
        "end/pod" -> "end/secret";
      }
      "
    `);
  });
});
