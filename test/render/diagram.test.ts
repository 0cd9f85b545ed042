import { describe, expect, it } from "vitest";
import { diagram, type DiagramNode } from "../../src/render/diagram.js";

const nodes: readonly DiagramNode[] = [
  { id: "end", title: 'group "demo" <a&b>', needs: [], section: "groups", word: "keep" },
  { id: "nsg", title: "security group", needs: ["end"], section: "network", word: "failed" },
  // It needs the group anyway.
  { id: "vnet", title: "network demo\\x", needs: ["end", "nsg", "absent"], section: "network", word: "skipped" },
];

describe("a diagram of steps", () => {
  it("is Mermaid with quoted titles and safe IDs", () => {
    expect(diagram(nodes, "mermaid")).toMatchInlineSnapshot(`
      "flowchart LR
        subgraph g0["groups"]
          s0["group #34;demo#34; #60;a#38;b#62;<br/>keep"]:::done
        end
        subgraph g1["network"]
          s1["security group<br/>failed"]:::removedOrFailed
          s2["network demo#92;x<br/>skipped"]:::notRun
        end
        s0 --> s1
        s1 --> s2
        style g0 fill:none,stroke:#6b7686
        style g1 fill:none,stroke:#6b7686
        classDef done fill:#dff3e4,stroke:#3f9159,color:#1b2130
        classDef removedOrFailed fill:#fbe0dd,stroke:#b3261e,color:#1b2130
        classDef notRun fill:#eceff3,stroke:#6b7686,color:#1b2130
      "
    `);
  });

  it("has a style for a word that it does not know", () => {
    const node = { id: "a", title: "a", needs: [], section: "network", word: "constructor" };
    expect(diagram([node], "mermaid")).toContain('["a<br/>constructor"]:::notRun');
  });

  it("is dot with quoted titles", () => {
    expect(diagram(nodes, "dot")).toMatchInlineSnapshot(`
      "digraph steps {
        rankdir=LR;
        ranksep=0.7;
        fontname="Helvetica,Arial,sans-serif";
        node [shape=box style="rounded,filled" margin="0.25,0.08" fontname="Helvetica,Arial,sans-serif"];
        subgraph cluster_0 {
          label="groups";
          "end" [label="group \\"demo\\" <a&b>\\nkeep" fillcolor="#dff3e4" color="#3f9159" fontcolor="#1b2130"];
        }
        subgraph cluster_1 {
          label="network";
          "nsg" [label="security group\\nfailed" fillcolor="#fbe0dd" color="#b3261e" fontcolor="#1b2130"];
          "vnet" [label="network demo\\\\x\\nskipped" fillcolor="#eceff3" color="#6b7686" fontcolor="#1b2130"];
        }
        "end" -> "nsg";
        "nsg" -> "vnet";
      }
      "
    `);
  });
});
