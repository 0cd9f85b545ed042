/** A create of an existing cluster keeps what exists; a setting that contradicts it is refused, unless a flag says that it is meant. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demo, demoDomain, testEmulator, writes, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup } from "../cli/demo-cluster.js";
import { exits, refuses, writesSince } from "../cli/expectations.js";
import { applications, combined } from "../identities/cli/identities.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

interface Cluster {
  readonly azure: TestEmulator;
  readonly file: string;
  create(flags?: readonly string[], options?: CliOptions): ReturnType<TestEmulator["cli"]>;
}

async function created(flags: readonly string[], hasFile = false): Promise<Cluster> {
  const azure = await testEmulator();
  const file = join(azure.directory, "infra.json");
  const withFile = hasFile ? ["--output-file", file] : [];
  const create: Cluster["create"] = (more = [], options) =>
    azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", ...withFile, ...more], options);
  exits(await create(flags), 0);
  await azure.traffic();
  return { azure, file, create };
}

const optionsIn = async (file: string) => (JSON.parse(await readFile(file, "utf8")) as { options: unknown }).options;
const nat = ["--egress", "nat-gateway"];
const egressWarning =
  "warning: --egress: the cluster has nat-gateway; now load-balancer; open outbound connections are interrupted, and new ones have other addresses\n";

describe.each([true, false])("with an output file: %s, a rerun", (hasFile) => {
  test("without the flag keeps what exists, says so and writes nothing", async () => {
    const { azure, file, create } = await created([...nat, "--vnet-cidr", "10.8.0.0/16", "--subnet-cidr", "10.8.1.0/24"], hasFile);
    const { stderr } = exits(await create(), 0);
    expect(stderr).toContain(
      "notice: demo-x7k2 keeps what exists for it: --vnet-cidr 10.8.0.0/16 --subnet-cidr 10.8.1.0/24 --egress nat-gateway\n",
    );
    expect(stderr).not.toContain("warning");
    expect(await writesSince(azure)).toEqual([]);
    if (hasFile) expect(await optionsIn(file)).toMatchObject({ egress: "nat-gateway", vnetCidr: "10.8.0.0/16" });
  });

  test("with another value is refused, names both and the flag that changes it, and changes it with that flag", async () => {
    const { azure, file, create } = await created(nat, hasFile);
    const balanced = ["--egress", "load-balancer"];
    await refuses(azure, create(balanced), 5, "ARO-OWN-002", /--egress +the cluster has nat-gateway, .* load-balancer/, "--change-egress");
    expect(exits(await create([...balanced, "--change-egress", "--yes"]), 0).stderr).toContain(egressWarning);
    if (hasFile) expect(await optionsIn(file)).not.toHaveProperty("egress");
    expect((await create()).stderr).not.toContain("--egress");
  });
});

test.each<[string, readonly string[], RegExp]>([
  ["naming", ["--naming", "hypershift"], /--naming +the cluster has documented, and this run would have hypershift/],
  ["base domain", ["--base-domain", "other.example.com"], /--base-domain +the cluster has hcp\.example\.com/],
  ["group", ["--resource-group-name", "mine"], /--resource-group-name +the cluster has none, and this run would have mine/],
  ["placement", ["--single-resource-group"], /--single-resource-group +the cluster has off/],
  ["network", ["--vnet-id", inGroup("mine", "virtualNetworks/v")], /--vnet-id +the cluster has none/],
  ["subnet", ["--subnet-id", inGroup("mine", "virtualNetworks/v/subnets/s")], /--subnet-id +the cluster has none/],
  ["security group", ["--network-security-group-id", inGroup("mine", "networkSecurityGroups/n")], /--network-security-group-id +the/],
  ["address range", ["--vnet-cidr", "10.9.0.0/16", "--subnet-cidr", "10.9.0.0/24"], /address range 10\.0\.0\.0\/16, not 10\.9/],
  ["location", ["--location", "westeurope"], /eastus[\s\S]*westeurope/],
  ["number of addresses", ["--outbound-addresses", "2"], /--outbound-addresses +the cluster has 1, .* 2[\s\S]*--change-egress/],
  ["number of workers", ["--expected-nodes", "100"], /--expected-nodes +the cluster has none, .* 100[\s\S]*--change-egress/],
])("another %s than exists is refused before any write", async (_what, flags, message) => {
  const { azure, create } = await created([]);
  await azure.seed({ resources: { [groupId("mine")]: { location: "eastus" } } });
  await refuses(azure, create(flags), 5, "ARO-OWN-002", message);
});

describe("every source of a value", () => {
  const sources: readonly (readonly [string, (cluster: Cluster, value: string) => ReturnType<Cluster["create"]>])[] = [
    ["a flag", ({ create }, value) => create(["--egress", value])],
    ["a variable", ({ create }, value) => create([], { env: { ARO_HCP_EGRESS: value } })],
    [
      "a configuration file",
      async ({ azure, create }, value) => {
        const config = azure.path("config.yaml");
        await writeFile(config, `egress: ${value}\n`);
        return create(["--config", config]);
      },
    ],
  ];

  test.each(sources)("is explicit: %s with the default value contradicts another", async (_source, rerun) => {
    const cluster = await created(nat);
    await refuses(cluster.azure, rerun(cluster, "load-balancer"), 5, /--egress +the cluster has nat-gateway/);
  });

  test.each(sources)("is quiet: %s with the existing value is none", async (_source, rerun) => {
    const cluster = await created(nat);
    const { stderr } = exits(await rerun(cluster, "nat-gateway"), 0);
    expect(stderr).not.toMatch(/warning|keeps what/);
    expect(writes(await cluster.azure.traffic())).toEqual([]);
  });
});

describe("a rerun", () => {
  test("that plans only lists the change for programs", async () => {
    const { create } = await created([]);
    const { stdout, stderr } = exits(await create([...nat, "--change-egress", "--dry-run", "--output", "json"]), 0);
    expect(JSON.parse(stdout)).toMatchObject({ changedOptions: [{ option: "--egress", recorded: "load-balancer", now: "nat-gateway" }] });
    expect(stderr).toContain("warning: --egress: the cluster has load-balancer; now nat-gateway; open outbound connections");
  });

  test("keeps the location, without which it would be refused", async () => {
    const { create } = await created(["--location", "westeurope"]);
    expect(exits(await create(), 0).stderr).toContain("--location westeurope");
  });

  test("uses what exists if the file has other settings, and says so", async () => {
    const { create, file } = await created(nat, true);
    const document = JSON.parse(await readFile(file, "utf8")) as { options: object };
    await writeFile(file, JSON.stringify({ ...document, options: { ...document.options, egress: undefined } }));
    const { stderr } = exits(await create(), 0);
    expect(stderr).toContain("have different values of --egress; this run keeps what exists");
    expect(stderr).toContain("--egress nat-gateway");
  });

  test("without any file needs none", async () => {
    const { azure, create, file } = await created(nat, true);
    await rm(file);
    exits(await create(), 0);
    expect(await writesSince(azure)).toEqual([]);
  });
});

test("after a destroy, a create with the old output file starts with the defaults", async () => {
  const { azure, create, file } = await created(nat, true);
  exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
  expect(exits(await create(), 0).stderr).not.toContain("keeps what exists");
  expect(await optionsIn(file)).not.toHaveProperty("egress");
});

test("create all keeps what exists too, and from its directory also what no resource shows", async () => {
  const azure = await testEmulator();
  const key = testKey();
  const create = async (directory: string, more: readonly string[] = []) => {
    await placePrivateKey(azure.path(directory), key);
    const whole = ["--dns-zone-rg-name", "dns", "--output-dir", azure.path(directory), "--yes"];
    return exits(await azure.cli(["create", "all", ...demo, ...demoDomain, ...whole, ...more]), 0);
  };
  await create("demo", [...nat, "--resource-group-tags", "team=a"]);
  await azure.traffic();
  expect((await create("demo")).stderr).toContain(
    "demo-x7k2 keeps what exists for it: --resource-group-tags team=a --egress nat-gateway\n",
  );
  expect((await create("elsewhere")).stderr).toContain("demo-x7k2 keeps what exists for it: --egress nat-gateway\n");
  expect(await writesSince(azure)).toEqual([]);
  expect(await optionsIn(join(azure.path("elsewhere"), "infra.json"))).toMatchObject({ egress: "nat-gateway" });
});

describe("role assignments", () => {
  const roles = async () => {
    const azure = await testEmulator();
    await azure.seed({ applications });
    const [identities, file] = [azure.path("identities.json"), azure.path("infra.json")];
    await writeFile(identities, JSON.stringify(combined));
    const create = async (...more: string[]) => exits(await azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", ...more]), 0);
    await create("--assign-identity-roles", "--managed-identities-file", identities, "--dns-zone-rg-name", "dns", "--output-file", file);
    await azure.traffic();
    return { azure, file, create };
  };

  test("are kept with the identities of the output file, which keeps them", async () => {
    const { azure, file, create } = await roles();
    const before = await readFile(file, "utf8");
    const { stderr } = await create("--output-file", file);
    expect(stderr).toContain("--assign-identity-roles");
    expect(stderr).not.toContain("warning");
    expect(await readFile(file, "utf8")).toBe(before);
    expect(await writesSince(azure)).toEqual([]);
  });

  test("are left as they are without the file", async () => {
    const { azure, create } = await roles();
    await create();
    expect(await writesSince(azure)).toEqual([]);
  });
});

test("an existing managed group, which create all cannot use, is a reason to refuse", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("mine")]: { location: "eastus" } } });
  exits(await azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", "--resource-group-name", "mine"]), 0);
  const whole = ["--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo"), "--dry-run"];
  await refuses(azure, azure.cli(["create", "all", ...demo, ...demoDomain, ...whole]), 2, /its resources are in resource group mine/);
});
