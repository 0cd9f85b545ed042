import { describe, expect, it } from "vitest";
import { diagram, type DiagramNode } from "../../src/render/diagram.js";

const nodes: readonly DiagramNode[] = [
  { id: "end", title: 'group "demo" <a&b>', needs: [] },
  { id: "vnet", title: "network demo\\x", needs: ["end", "absent"] },
];

describe("a diagram of steps", () => {
  it("is Mermaid with quoted titles and safe IDs", () => {
    expect(diagram(nodes, "mermaid")).toMatchInlineSnapshot(`
      "flowchart LR
        s0["group #34;demo#34; #60;a#38;b#62;"]
        s1["network demo#92;x"]
        s0 --> s1
      "
    `);
  });

  it("is dot with quoted titles", () => {
    expect(diagram(nodes, "dot")).toMatchInlineSnapshot(`
      "digraph infra {
        rankdir=LR;
        node [shape=box];
        "end" [label="group \\"demo\\" <a&b>"];
        "vnet" [label="network demo\\\\x"];
        "end" -> "vnet";
      }
      "
    `);
  });
});
