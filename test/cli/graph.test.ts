/** `graph`: the drawing of the steps, in both languages. */
import { expect, test } from "vitest";
import { demoDomain, localAzure } from "../harness/local-azure.js";
import { brought } from "./brought-networks.js";
import { exits } from "./expectations.js";

const cluster = ["graph", "--name", "demo", "--infra-id", "demo-x7k2", ...demoDomain];

test("mermaid, of a cluster that brings nothing; Azure is not asked", async () => {
  const azure = await localAzure();
  expect(exits(await azure.cli(cluster), 0).stdout).toMatchInlineSnapshot(`
    "flowchart LR
      s0["public DNS zone hcp.example.com"]
      s1["resource group demo-demo-x7k2"]
      s2["public IP address demo-x7k2"]
      s3["load balancer demo-x7k2"]
      s4["resource group demo-demo-x7k2-vnet"]
      s5["private DNS zone demo-azurecluster.hcp.example.com"]
      s6["resource group demo-demo-x7k2-nsg"]
      s7["network security group demo-demo-x7k2-nsg"]
      s8["virtual network demo-demo-x7k2"]
      s9["virtual network link demo-demo-x7k2"]
      s1 --> s2
      s1 --> s3
      s2 --> s3
      s4 --> s5
      s6 --> s7
      s4 --> s8
      s7 --> s8
      s4 --> s9
      s5 --> s9
      s8 --> s9
    "
  `);
  expect(await azure.traffic()).toEqual([]);
});

test("dot, of a cluster that brings its network", async () => {
  const azure = await localAzure();
  expect(exits(await azure.cli([...cluster, "--vnet-id", brought.vnet, "--format", "dot"]), 0).stdout).toMatchInlineSnapshot(`
    "digraph infra {
      rankdir=LR;
      node [shape=box];
      "public-zone" [label="public DNS zone hcp.example.com"];
      "managed-group" [label="resource group demo-demo-x7k2"];
      "public-ip" [label="public IP address demo-x7k2"];
      "load-balancer" [label="load balancer demo-x7k2"];
      "private-zone" [label="private DNS zone demo-azurecluster.hcp.example.com"];
      "vnet" [label="virtual network theirs"];
      "private-zone-link" [label="virtual network link demo-demo-x7k2"];
      "nsg" [label="network security group of the brought subnet"];
      "managed-group" -> "public-ip";
      "managed-group" -> "load-balancer";
      "public-ip" -> "load-balancer";
      "managed-group" -> "private-zone";
      "managed-group" -> "private-zone-link";
      "private-zone" -> "private-zone-link";
      "vnet" -> "private-zone-link";
      "vnet" -> "nsg";
    }
    "
  `);
});
