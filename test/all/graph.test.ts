/** `graph`: the graphs of the steps and of the identity flow. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { wholeFlags } from "../../tools/demo-cluster.js";
import { demo, demoDomain, testEmulator, type CliOptions } from "../harness/test-emulator.js";
import { existing } from "../infra/existing-networks.js";
import { create, exits } from "../cli/expectations.js";
import { controlPlane, dataPlane, fileOf, workload } from "../identities/cli/identities.js";

const cluster = ["graph", "infra", "--name", "demo", "--infra-id", "demo-x7k2", ...demoDomain];

/** The titles of the groups of a diagram. */
const sections = /(?<=^ {2}subgraph g\d+\[").*(?="\]$)/gm;

test("Mermaid, for a cluster without existing resources; no request to Azure", async () => {
  const azure = await testEmulator();
  expect(exits(await azure.cli(cluster), 0).stdout).toMatchInlineSnapshot(`
    "flowchart LR
      subgraph g0["DNS"]
        s0["public DNS zone hcp.example.com"]:::step
        s5["private DNS zone demo-azurecluster.hcp.example.com"]:::step
        s9["virtual network link demo-demo-x7k2"]:::step
      end
      subgraph g1["resource groups"]
        s1["resource group demo-demo-x7k2"]:::step
        s4["resource group demo-demo-x7k2-vnet"]:::step
        s6["resource group demo-demo-x7k2-nsg"]:::step
      end
      subgraph g2["network"]
        s2["public IP address demo-x7k2"]:::step
        s3["load balancer demo-x7k2"]:::step
        s7["network security group demo-demo-x7k2-nsg"]:::step
        s8["virtual network demo-demo-x7k2"]:::step
      end
      s1 --> s2
      s2 --> s3
      s4 --> s5
      s6 --> s7
      s4 --> s8
      s7 --> s8
      s5 --> s9
      s8 --> s9
      style g0 fill:none,stroke:#6b7686
      style g1 fill:none,stroke:#6b7686
      style g2 fill:none,stroke:#6b7686
      classDef step fill:#dcebfb,stroke:#3f7cbf,color:#1b2130
    "
  `);
  expect(await azure.traffic()).toEqual([]);
});

test("dot, for a cluster with an existing network", async () => {
  const azure = await testEmulator();
  expect(exits(await azure.cli([...cluster, "--vnet-id", existing.vnet, "--format", "dot"]), 0).stdout).toMatchInlineSnapshot(`
    "digraph steps {
      rankdir=LR;
      ranksep=0.7;
      fontname="Helvetica,Arial,sans-serif";
      node [shape=box style="rounded,filled" margin="0.25,0.08" fontname="Helvetica,Arial,sans-serif"];
      subgraph cluster_0 {
        label="DNS";
        "public-zone" [label="public DNS zone hcp.example.com" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
        "private-zone" [label="private DNS zone demo-azurecluster.hcp.example.com" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
        "private-zone-link" [label="virtual network link demo-demo-x7k2" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
      }
      subgraph cluster_1 {
        label="resource groups";
        "managed-group" [label="resource group demo-demo-x7k2" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
      }
      subgraph cluster_2 {
        label="network";
        "public-ip" [label="public IP address demo-x7k2" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
        "load-balancer" [label="load balancer demo-x7k2" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
        "vnet" [label="virtual network theirs" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
        "nsg" [label="the existing subnet's network security group" fillcolor="#dcebfb" color="#3f7cbf" fontcolor="#1b2130"];
      }
      "managed-group" -> "public-ip";
      "public-ip" -> "load-balancer";
      "managed-group" -> "private-zone";
      "private-zone" -> "private-zone-link";
      "vnet" -> "private-zone-link";
      "vnet" -> "nsg";
    }
    "
  `);
});

/** The graph without what a plan adds. */
const withoutStates = (graph: string) => graph.replaceAll(/<br\/>\w+(?="\])|:::\w+|^ {2}classDef .*\n/gm, "");
const subscription = ["--subscription", wellKnown.subscriptionId];
const natGateway = ["--egress", "nat-gateway"];

test.each([
  ["all", [...wholeFlags, "--enable-kms"]],
  ["all", [...wholeFlags, ...natGateway]],
  ["infra", [...demo, ...demoDomain]],
  ["infra", [...demo, ...demoDomain, ...natGateway]],
])("the graph has the steps that a create plans with the same settings; no request to Azure: %s %s", async (part, flags) => {
  const azure = await testEmulator();
  const settings = part === "all" ? [...flags, "--output-dir", azure.path("demo")] : flags;
  const planned = exits(await azure.cli(["create", part, ...settings, "--dry-run", "--output", "json"]), 0).stdout;
  const file = await fileOf(azure, "plan.json", JSON.parse(planned));
  const plan = exits(await azure.cli(["graph", "--result-file", file]), 0).stdout;
  await azure.traffic();
  const own =
    part === "all" ? ["graph", "all", ...settings] : ["graph", "infra", ...settings.filter((flag) => !/^(?:--cloud|local)$/.test(flag))];
  expect(withoutStates(exits(await azure.cli([...own, ...subscription]), 0).stdout)).toBe(withoutStates(plan));
  expect(await azure.traffic()).toEqual([]);
});

test("graph all has the sections of every part, in dot too, and requires the cluster", async () => {
  const azure = await testEmulator();
  const settings = [...wholeFlags, "--enable-kms"];
  expect(exits(await azure.cli(["graph", "all", ...settings]), 0).stdout.match(sections)).toEqual(
    expect.arrayContaining(["network", "DNS", "identities", "Key Vault", "issuer", "role assignments"]),
  );
  expect(exits(await azure.cli(["graph", "all", ...settings, "--format", "dot"]), 0).stdout).toMatch(/^digraph steps \{/);
  const nothing = exits(await azure.cli(["graph", "all"]), 2);
  for (const flag of ["--name", "--infra-id", "--base-domain", "--dns-zone-rg-name"])
    expect(nothing.stderr).toMatch(new RegExp(`${flag} +is required`));
});

test("the steps of a result: of a plan with their states in Azure, of a run with how each ended, of a destroy with what it removes", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["--yes"]), 0);
  const graphOf = async (code: number, args: readonly string[], options?: CliOptions) => {
    const file = azure.path("result.json");
    await writeFile(file, exits(await azure.cli([...args, "--output", "json"], options), code).stdout);
    await azure.traffic();
    const { stdout } = exits(await azure.cli(["graph", "--result-file", file]), 0);
    expect(await azure.traffic()).toEqual([]);
    return stdout;
  };
  const all = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo")];
  const plan = await graphOf(0, [...all, "--dry-run"]);
  expect(plan.match(/:::\w+$/gm)).toHaveLength(89);
  expect(plan).toMatch(/^ {4}s\d+\["load balancer demo-x7k2<br\/>keep"\]:::done$/m);
  expect(plan).toMatch(/^ {4}s\d+\["certificate demo-cpo-cert<br\/>create"\]:::toChange$/m);
  expect(plan.match(sections)).toEqual(
    expect.arrayContaining(["resource groups", "network", "DNS", "identities", "Key Vault", "role assignments", "issuer"]),
  );
  const faults = [
    { path: "/vaults/", method: "PUT", times: 99, answer: { status: 409, body: { error: { code: "Conflict", message: "no" } } } },
  ];
  const run = await graphOf(1, [...all, "--yes"], { faults });
  expect(run).toMatch(/\["Key Vault kv-demo-\d+<br\/>failed"\]:::removedOrFailed$/m);
  expect(run).toMatch(/\["certificate demo-cpo-cert<br\/>skipped"\]:::notRun$/m);
  const destroyed = await graphOf(0, ["destroy", "infra", ...demo, "--dry-run"]);
  expect(destroyed).toMatch(/\["virtual network demo-demo-x7k2<br\/>remove"\]:::removedOrFailed$/m);
});

test("a file without steps, and a result of a run together with --flow, are refused", async () => {
  const azure = await testEmulator();
  const file = await fileOf(azure, "infra.json", { infraID: "demo-x7k2" });
  const { stderr } = exits(await azure.cli(["graph", "--result-file", file]), 2);
  expect(stderr).toContain("has no steps: pass what a create or a destroy printed with `--output json`");
  const both = exits(await azure.cli(["graph", "--flow", "--name", "demo", "--result-file", file]), 2);
  expect(both.stderr).toContain("cannot be combined with --flow");
});

test.each(["steps", "removed"])(
  "of a result, a second node with the same ID is refused, with its line, and an empty section is none: %s",
  async (list) => {
    const azure = await testEmulator();
    const nodes = ["", " ", undefined].map((section, index) => ({
      ...{ id: `s${String(index)}`, title: `title ${String(index)}`, act: "create", needs: [], after: [], section },
    }));
    const good = await fileOf(azure, "good.json", { [list]: nodes });
    const { stdout } = exits(await azure.cli(["graph", "--result-file", good]), 0);
    expect(stdout.match(/subgraph .*/g)).toEqual(['subgraph g0["others"]']);

    const bad = await fileOf(azure, "bad.json", { removed: [], [list]: [...nodes, { ...nodes[0], title: "another" }] });
    const { stderr } = exits(await azure.cli(["graph", "--result-file", bad]), 2);
    expect(stderr).toMatch(new RegExp(`bad\\.json:\\d+ +${list}\\.3\\.id: is the ID of an earlier step: s0`));
  },
);

const flow = ["graph", "--flow"];

test("the identity flow with the names of create all equals the documented one", async () => {
  const azure = await testEmulator();
  const page = await readFile(new URL("../../docs/identities.md", import.meta.url), "utf8");
  const { stdout } = exits(await azure.cli([...flow, "--name", "demo", "--infra-id", "x7k2", "--dns-zone-rg-name", "dns"]), 0);
  expect(page).toContain(`\`\`\`mermaid\n${stdout}\`\`\``);
  expect(await azure.traffic()).toEqual([]);
});

test("the identity flow from other files: groups of the infra document, identities of both planes, the encryption key", async () => {
  const azure = await testEmulator();
  const infra = { infraID: "demo-x7k2", resourceGroupName: "theirs", vnetID: existing.vnet, securityGroupID: "", publicZoneID: "" };
  const files = [
    ...["--infra-file", await fileOf(azure, "infra.json", infra)],
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
  expect(other.stderr).toContain('--infra-id  is "other", but the output file of create infra has "demo-x7k2"');
});

test("a graph without its inputs is refused", async () => {
  const azure = await testEmulator();
  const nothing = exits(await azure.cli(["graph"]), 2);
  for (const flag of ["--name", "--infra-id", "--base-domain", "--dns-zone-rg-name"])
    expect(nothing.stderr).toMatch(new RegExp(`${flag} +is required without --flow`));
  const file = await fileOf(azure, "wi.json", workload);
  const wrong = exits(await azure.cli([...flow, "--workload-identities-file", file, "--encryption-key-id", "etcd"]), 2);
  expect(wrong.stderr).toMatch(/--input-dir +or --infra-file/);
  expect(wrong.stderr).toContain("cannot be combined with --flow");
  expect(wrong.stderr).toContain('"etcd" is not the ID of a key');
});
