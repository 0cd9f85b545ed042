/** `graph`: the graphs of the steps and of the identity flow. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { demoDomain, testEmulator } from "../harness/test-emulator.js";
import { existing } from "./existing-networks.js";
import { exits } from "./expectations.js";
import { controlPlane, dataPlane, fileOf, workload } from "./identities.js";

const cluster = ["graph", "--name", "demo", "--infra-id", "demo-x7k2", ...demoDomain];

test("Mermaid, for a cluster without existing resources; no request to Azure", async () => {
  const azure = await testEmulator();
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

test("dot, for a cluster with an existing network", async () => {
  const azure = await testEmulator();
  expect(exits(await azure.cli([...cluster, "--vnet-id", existing.vnet, "--format", "dot"]), 0).stdout).toMatchInlineSnapshot(`
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
      "nsg" [label="network security group of the existing subnet"];
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

const flow = ["graph", "--flow"];

test("the identity flow with the names of create all equals the documented one", async () => {
  const azure = await testEmulator();
  const page = await readFile(new URL("../../docs/identities.md", import.meta.url), "utf8");
  const { stdout } = exits(await azure.cli([...flow, "--name", "demo", "--infra-id", "demo-x7k2", "--dns-zone-rg-name", "dns"]), 0);
  expect(page).toContain(`\`\`\`mermaid\n${stdout}\`\`\``);
  expect(await azure.traffic()).toEqual([]);
});

test("the identity flow from other files: groups of the infra document, identities of both planes, the encryption key", async () => {
  const azure = await testEmulator();
  const infra = { infraID: "demo-x7k2", resourceGroupName: "theirs", vnetID: existing.vnet, securityGroupID: "", publicZoneID: "" };
  const files = [
    ...["--infra-json", await fileOf(azure, "infra.json", infra)],
    ...["--managed-identities-file", await fileOf(azure, "cp.json", controlPlane)],
    ...["--data-plane-identities-file", await fileOf(azure, "dp.json", dataPlane)],
  ];
  const key = ["--encryption-key-id", `https://etcd-kv.vault.azure.net/keys/etcd/${"0a".repeat(16)}`, "--dns-zone-rg-name", "dns"];
  const graph = exits(await azure.cli([...flow, ...files, ...key, "--format", "dot"]), 0).stdout;
  const labels = graph.split("\n").flatMap((line) => /label="(.*?)"(?: |;|\])/.exec(line)?.[1] ?? []);
  expect(labels).toEqual(
    expect.arrayContaining([
      "Key Vault demo-vault",
      "demo-cloudprovider",
      String.raw`network\n00000000-0000-4000-8000-000000000106`,
      String.raw`azure-file-MI\n00000000-0000-4000-8000-000000000110`,
      String.raw`resource group theirs (managed)\nresource group (security group)\nresource group net (network)`,
      String.raw`resource group theirs (managed)\nresource group net (network)\nresource group dns (public zone)`,
      String.raw`of kms`,
      String.raw`key that encrypts etcd\netcd in etcd-kv`,
    ]),
  );

  const other = exits(await azure.cli([...flow, ...files, "--infra-id", "other"]), 2);
  expect(other.stderr).toContain('--infra-id  is "other", but the file of --infra-json has "demo-x7k2"');
});

test("a graph without its inputs is refused", async () => {
  const azure = await testEmulator();
  const nothing = exits(await azure.cli(["graph"]), 2);
  for (const flag of ["--name", "--infra-id", "--base-domain"])
    expect(nothing.stderr).toMatch(new RegExp(`${flag} +is required without --flow`));
  const file = await fileOf(azure, "wi.json", workload);
  const wrong = exits(await azure.cli([...flow, "--workload-identities-file", file, "--encryption-key-id", "etcd"]), 2);
  expect(wrong.stderr).toMatch(/--input-dir +or --infra-json/);
  expect(wrong.stderr).toContain("cannot be combined with --flow");
  expect(wrong.stderr).toContain('"etcd" is not the ID of a key');
});
