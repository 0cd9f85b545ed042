/** A create of an existing cluster keeps the settings that it was created with; a different one is a change with a warning. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demo, demoDomain, testEmulator, writes, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "./expectations.js";
import { applications, combined } from "./identities.js";
import { placePrivateKey, testKey } from "./signing-keys.js";

const groupId = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourcegroups/demo-demo-x7k2";

/** The resources in which a first run recorded its settings. */
type Place = "the file and tags" | "tags only" | "the file only";
const places: readonly Place[] = ["the file and tags", "tags only", "the file only"];

interface Cluster {
  readonly azure: TestEmulator;
  readonly file: string;
  create(flags?: readonly string[], options?: CliOptions): ReturnType<TestEmulator["cli"]>;
  /** The settings in the tags. */
  recorded(): Promise<unknown>;
}

async function created(flags: readonly string[], place: Place): Promise<Cluster> {
  const azure = await testEmulator();
  const file = join(azure.directory, "infra.json");
  const withFile = place === "tags only" ? [] : ["--output-file", file];
  const create: Cluster["create"] = (more = [], options) =>
    azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", ...withFile, ...more], options);
  exits(await create(flags), 0);
  const tagsOf = async () => {
    const group = (await azure.snapshot()).resources[groupId] as { tags: Record<string, string> };
    return group.tags;
  };
  if (place === "the file only") {
    const tags = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" };
    await azure.seed({ resources: { [groupId]: { location: "eastus", tags } } });
  }
  await azure.traffic();
  return { azure, file, create, recorded: async () => JSON.parse((await tagsOf())["aro-hcp-options"] ?? "{}") as unknown };
}

const nat = ["--egress", "nat-gateway"];

describe.each(places)("with %s, a rerun", (place) => {
  test("without the flag keeps the recorded setting, says so and writes nothing else", async () => {
    const { azure, file, create, recorded } = await created([...nat, "--vnet-cidr", "10.8.0.0/16", "--subnet-cidr", "10.8.1.0/24"], place);
    const { stderr } = exits(await create(), 0);
    expect(stderr).toContain(
      "notice: demo-x7k2 keeps settings that it was created with: --vnet-cidr 10.8.0.0/16 --subnet-cidr 10.8.1.0/24 --egress nat-gateway\n",
    );
    expect(stderr).not.toContain("warning");
    const written = (await writesSince(azure)).filter((line) => !/providers\/Microsoft.Resources\/tags/i.test(line));
    expect(written).toEqual([]);
    expect(await recorded()).toMatchObject({ egress: "nat-gateway", vnetCidr: "10.8.0.0/16" });
    if (place === "tags only") return;
    expect((JSON.parse(await readFile(file, "utf8")) as { options: unknown }).options).toMatchObject({ egress: "nat-gateway" });
  });

  test("with another value shows it as a change, with a warning that names both, and records it", async () => {
    const { create, recorded } = await created(nat, place);
    const { stderr } = exits(await create(["--egress", "load-balancer"]), 0);
    expect(stderr).toContain(
      "warning: --egress: the cluster was created with nat-gateway; now load-balancer; open outbound connections are interrupted, and new ones have other addresses\n",
    );
    expect(stderr).toMatch(/update +resource group demo-demo-x7k2/);
    expect(await recorded()).not.toHaveProperty("egress");
    expect((await create()).stderr).not.toContain("warning: --egress");
  });
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

  test.each(sources)("is explicit: %s with the default value is a change", async (_source, rerun) => {
    const cluster = await created(nat, "tags only");
    const { stderr } = exits(await rerun(cluster, "load-balancer"), 0);
    expect(stderr).toContain("warning: --egress: the cluster was created with nat-gateway; now load-balancer");
  });

  test.each(sources)("is quiet: %s with the recorded value is none", async (_source, rerun) => {
    const cluster = await created(nat, "tags only");
    const { stderr } = exits(await rerun(cluster, "nat-gateway"), 0);
    expect(stderr).not.toMatch(/warning|keeps settings/);
    expect(writes(await cluster.azure.traffic())).toEqual([]);
  });
});

describe("a rerun", () => {
  test("that plans only lists the change for programs", async () => {
    const { create } = await created([], "tags only");
    const { stdout, stderr } = exits(await create([...nat, "--dry-run", "--output", "json"]), 0);
    expect(JSON.parse(stdout)).toMatchObject({ changedOptions: [{ option: "--egress", recorded: "load-balancer", now: "nat-gateway" }] });
    expect(stderr).toContain(
      "warning: --egress: the cluster was created with load-balancer; now nat-gateway; open outbound connections are interrupted, and new ones have other addresses\n",
    );
  });

  test("keeps the location, without which it would be refused", async () => {
    const { create } = await created(["--location", "westeurope"], "tags only");
    expect(exits(await create(), 0).stderr).toContain("--location westeurope");
  });

  test("with a setting that cannot be combined with a recorded one is refused before any write", async () => {
    const { azure, create } = await created(nat, "tags only");
    const subnet = `${groupId}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`;
    const { stderr } = exits(await create(["--subnet-id", subnet]), 2);
    expect(stderr).toMatch(/recorded --egress  "nat-gateway" .*--subnet-id/);
    expect(writes(await azure.traffic())).toEqual([]);
  });

  test("uses the tags if the file has other settings, and says so", async () => {
    const { create, file } = await created(nat, "the file and tags");
    const document = JSON.parse(await readFile(file, "utf8")) as { options: object };
    await writeFile(file, JSON.stringify({ ...document, options: { ...document.options, egress: undefined } }));
    const { stderr } = exits(await create(), 0);
    expect(stderr).toContain("record different values of --egress; the values of the tags are used");
    expect(stderr).toContain("--egress nat-gateway");
  });

  test("without any record says so and uses the defaults", async () => {
    const { create, file } = await created(nat, "the file only");
    await rm(file);
    expect(exits(await create(), 0).stderr).toContain("notice: there is no record of the settings that demo-x7k2 was created with");
  });
});

test("after a destroy, a create with the old output file starts with the defaults", async () => {
  const { azure, create, recorded } = await created(nat, "the file and tags");
  exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
  expect(exits(await create(), 0).stderr).not.toMatch(/notice: (?:kept|there is no record)/);
  expect(await recorded()).not.toHaveProperty("egress");
});

test("create all keeps them too, from its directory or from the tags", async () => {
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
    "demo-x7k2 keeps settings that it was created with: --resource-group-tags team=a --egress nat-gateway\n",
  );
  expect((await create("elsewhere")).stderr).toContain("demo-x7k2 keeps settings that it was created with: --egress nat-gateway\n");
  expect(await writesSince(azure)).toEqual([]);
  const { options } = JSON.parse(await readFile(join(azure.path("elsewhere"), "infra.json"), "utf8")) as { options: unknown };
  expect(options).toMatchObject({ egress: "nat-gateway" });
});

describe("recorded role assignments", () => {
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

  test("are left as they are without identities, with a warning", async () => {
    const { azure, create } = await roles();
    const { stderr } = await create();
    expect(stderr).toContain(
      "warning: the cluster was created with role assignments, but without an identity file they are neither checked nor changed",
    );
    expect(await writesSince(azure)).toEqual([]);
  });
});

test("an existing managed group, which create all cannot use, is named in a warning", async () => {
  const azure = await testEmulator();
  const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/mine";
  await azure.seed({ resources: { [group]: { location: "eastus" } } });
  exits(await azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", "--resource-group-name", "mine"]), 0);
  const whole = ["--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo"), "--dry-run"];
  const { stderr } = exits(await azure.cli(["create", "all", ...demo, ...demoDomain, ...whole]), 0);
  expect(stderr).toContain("warning: the cluster was created with managed resource group mine (--resource-group-name of create infra)");
});
