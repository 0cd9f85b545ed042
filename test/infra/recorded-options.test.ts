/** The settings of create are not needed again: show, verify and destroy read them from the output file, or from what exists. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addTags, resource } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"] as const;
const choices = [
  ...["--naming", "hypershift", "--single-resource-group", "--vnet-cidr", "10.8.0.0/16", "--subnet-cidr", "10.8.1.0/24"],
  ...["--resource-group-tags", "team=a"],
];

async function createDemo(more: readonly string[] = choices): Promise<{ readonly azure: TestEmulator; readonly file: string }> {
  const azure = await testEmulator();
  const file = join(azure.directory, "infra.json");
  const create = ["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--output-file", file, "--yes", ...more];
  exits(await azure.cli(create), 0);
  return { azure, file };
}

interface Shown {
  readonly resources: readonly { readonly title: string; readonly state: string; readonly drift: string; readonly bringYourOwn: boolean }[];
}

async function shown(azure: TestEmulator, flags: readonly string[]): Promise<Shown["resources"]> {
  const { stdout } = exits(await azure.cli(["show", "infra", "--cloud", "local", "--output", "json", ...flags]), 0);
  return (JSON.parse(stdout) as Shown).resources;
}

const named = ["--name", "demo", "--infra-id", "demo-x7k2"];

describe("a cluster with many settings", () => {
  test("is shown and verified without them, by name and by file, without drift", async () => {
    const { azure, file } = await createDemo();
    const ways: readonly (readonly string[])[] = [named, ["--infra-file", file]];
    for (const flags of ways) {
      const resources = await shown(azure, flags);
      expect(resources.map(({ drift, state }) => `${state} ${drift}`)).toEqual(resources.map(() => "exists none"));
      expect(resources.map(({ title }) => title)).toContain("private DNS zone demo.hcp.example.com");
      const { stdout } = exits(await azure.cli(["verify", "infra", "--cloud", "local", "--output", "json", ...flags]), 0);
      expect(stdout).toContain("10.8.0.0/16");
    }
  });

  test("has them in the file under the keys of a configuration file", async () => {
    const { file } = await createDemo();
    expect((JSON.parse(await readFile(file, "utf8")) as { options: unknown }).options).toEqual({
      ...{ baseDomain: "hcp.example.com", location: "eastus", naming: "hypershift", singleResourceGroup: true },
      ...{ resourceGroupTags: { team: "a" }, vnetCidr: "10.8.0.0/16", subnetCidr: "10.8.1.0/24" },
    });
  });

  test("is compared with a flag instead of what exists", async () => {
    const { azure } = await createDemo();
    const resources = await shown(azure, [...named, "--naming", "documented"]);
    expect(resources.find(({ title }) => title === "private DNS zone demo-azurecluster.hcp.example.com")?.state).toBe("absent");
  });

  test("is compared with its file, which a create brings up to date", async () => {
    const { azure, file } = await createDemo();
    const document = JSON.parse(await readFile(file, "utf8")) as { options: Record<string, unknown> };
    const { naming: _naming, ...options } = document.options;
    await writeFile(file, JSON.stringify({ ...document, options }));
    const { stdout } = exits(await azure.cli(["show", "infra", "--cloud", "local", "--infra-file", file]), 0);
    expect(stdout).toContain("demo-azurecluster.hcp.example.com");
    const create = ["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--output-file", file, "--yes"];
    const { stderr } = exits(await azure.cli(create), 0);
    expect(stderr).toContain(`what exists and ${file} have different values of --naming; this run keeps what exists`);
    expect(exits(await azure.cli(create), 0).stderr).not.toContain("different values");
  });

  test("is created again without a write, and destroyed by name alone", async () => {
    const { azure } = await createDemo();
    const { stderr } = exits(await azure.cli(["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--yes", ...choices]), 0);
    expect(stderr).not.toMatch(/creat(?:ed|ing)|updat(?:ed|ing)/);
    exits(await azure.cli(["destroy", "infra", ...cluster, "--yes"]), 0);
    const left = await shown(azure, [...named, "--base-domain", "hcp.example.com"]);
    expect(left.filter(({ state, bringYourOwn }) => state === "exists" && !bringYourOwn)).toEqual([]);
  });
});

test("with an existing group, the load balancer shows the group, which is not changed", async () => {
  const azure = await testEmulator();
  const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/mine";
  await azure.seed({ resources: { [group]: { location: "eastus", tags: { theirs: "yes" } } } });
  const create = ["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--yes", "--resource-group-name", "mine"];
  exits(await azure.cli([...create, "--single-resource-group"]), 0);
  const resources = await shown(azure, named);
  expect(resources.map(({ drift }) => drift)).toEqual(resources.map(() => "none"));
  expect(resources.map(({ title }) => title)).toContain("resource group mine");
  const status = exits(await azure.cli(["local", "status", "--output", "json"]), 0).stdout;
  const { tags } = (JSON.parse(status) as { resources: Record<string, { tags?: unknown }> }).resources[group.toLowerCase()] ?? {};
  expect(tags).toEqual({ theirs: "yes" });
});

test("a file without a record is still accepted", async () => {
  const { azure, file } = await createDemo([]);
  const { options: _options, ...document } = JSON.parse(await readFile(file, "utf8")) as { options: unknown };
  await writeFile(file, JSON.stringify(document));
  expect((await shown(azure, ["--infra-file", file])).map(({ drift }) => drift).every((drift) => drift === "none")).toBe(true);
});

describe("other commands read them too", () => {
  test("the doctor checks the existing location and egress", async () => {
    const { azure } = await createDemo(["--location", "westeurope", "--egress", "nat-gateway"]);
    const { stdout } = await azure.cli(["doctor", "infra", ...cluster, "--only", "quotas"]);
    expect(stdout).toContain("NAT gateways in westeurope");
    const { stdout: flags } = await azure.cli(["doctor", "infra", ...cluster, "--only", "quotas", "--location", "eastus"]);
    expect(flags).toContain("NAT gateways in eastus");
  });

  test("the doctor without permission to read it reports what the checks find", async () => {
    const { azure } = await createDemo(["--location", "westeurope"]);
    const error = { code: "AuthorizationFailed", message: "no permission" };
    const faults = [{ method: "GET", path: "/resource(?:group)?s$", answer: { status: 403, body: { error } }, times: 100 }];
    const { code, stdout } = await azure.cli(["doctor", "infra", ...cluster, "--only", "sign-in"], { faults });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("1 passed") as string });
  });

  test("a graph from the file has the recorded steps", async () => {
    const { azure, file } = await createDemo(["--egress", "nat-gateway"]);
    const steps = ["graph", "infra", ...named, "--base-domain", "hcp.example.com"];
    expect(exits(await azure.cli([...steps, "--infra-file", file]), 0).stdout).toContain("NAT gateway");
    expect(exits(await azure.cli(steps), 0).stdout).not.toContain("NAT gateway");
    const other = [
      "graph",
      "infra",
      "--name",
      "other",
      "--infra-id",
      "other-x7k2",
      "--base-domain",
      "hcp.example.com",
      "--infra-file",
      file,
    ];
    expect(exits(await azure.cli(other), 2).stderr).toContain("belongs to another cluster");
  });

  test("identities and manifests leave out a disabled capability", async () => {
    const azure = await testEmulator();
    await placePrivateKey(azure.path("demo"), testKey());
    const whole = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo")];
    exits(await azure.cli(["create", "all", ...cluster, ...whole, "--yes", "--disable-cluster-capabilities", "ImageRegistry"]), 0);
    const directory = ["--input-dir", azure.path("demo")];
    const verified = await azure.cli(["verify", "identities", "--cloud", "local", ...directory]);
    expect(exits(verified, 0).stdout).toMatch(/^\d+ passed/m);
    const reader = ["--key-vault-user-client-id", "00000000-0000-4000-8000-000000000001"];
    const classes = await azure.cli(["render", "secret-provider-classes", ...directory, ...reader]);
    expect(exits(classes, 0).stdout).not.toContain("image-registry");
    expect(exits(await azure.cli(["destroy", "all", ...cluster, "--yes"]), 0).stderr).not.toContain("error");
  });
});

describe("a switch", () => {
  test("that contradicts what exists is refused", async () => {
    const { azure } = await createDemo();
    const create = ["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--no-single-resource-group", "--dry-run"];
    const { stderr } = exits(await azure.cli(create), 5);
    expect(stderr).toMatch(/--single-resource-group +the cluster has on, and this run would have off/);
  });

  test("of a variable or a configuration file is turned off with --no-, as every flag overrides them", async () => {
    const azure = await testEmulator();
    const create = [
      "create",
      "infra",
      ...cluster,
      "--base-domain",
      "hcp.example.com",
      "--yes",
      "--no-dry-run",
      "--no-single-resource-group",
    ];
    const config = azure.path("config.yaml");
    await writeFile(config, "singleResourceGroup: true\n");
    exits(await azure.cli([...create, "--config", config], { env: { ARO_HCP_DRY_RUN: "true" } }), 0);
    expect((await shown(azure, named)).map(({ title }) => title)).toContain("resource group demo-demo-x7k2-vnet");
  });
});

describe("the tags of an earlier version", () => {
  test.each(['{"location":"eastus","egress":"nat-gateway"}', "not JSON"])(
    "say nothing, and the next create removes them, which its plan shows: %s",
    async (value) => {
      const { azure } = await createDemo([]);
      const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/demo-demo-x7k2";
      await addTags(azure, group, { "aro-hcp-options": value, "aro-hcp-options-2": "more", theirs: "yes" });
      const create = ["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--yes"];
      const { stderr } = exits(await azure.cli([...create, "--dry-run"]), 0);
      expect(stderr).toMatch(/update +resource group demo-demo-x7k2[\s\S]*tags\.aro-hcp-options/);
      expect(stderr).not.toContain("NAT gateway");
      exits(await azure.cli(create), 0);
      expect((await resource(azure, group))?.tags).toEqual({ theirs: "yes", "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" });
    },
  );

  test("in an existing group go from the load balancer and the address too", async () => {
    const azure = await testEmulator();
    const mine = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/mine";
    await azure.seed({ resources: { [mine]: { location: "eastus" } } });
    const create = ["create", "infra", ...cluster, "--base-domain", "hcp.example.com", "--yes", "--resource-group-name", "mine"];
    exits(await azure.cli(create), 0);
    const ids = ["loadBalancers/demo-x7k2", "publicIPAddresses/demo-x7k2"].map((path) => `${mine}/providers/Microsoft.Network/${path}`);
    for (const id of ids) await addTags(azure, id, { "aro-hcp-options": '{"resourceGroupName":"mine"}' });
    exits(await azure.cli(create), 0);
    for (const id of ids) expect((await resource(azure, id))?.tags).toEqual({ "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" });
  });
});

describe("an invalid record", () => {
  test.each([{ vnetId: "garbage" }, { location: 5 }])(
    "%j in a file is an error that names file and key; a destroy does not need it",
    async (options) => {
      const { azure, file } = await createDemo([]);
      await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, "utf8")) as object), options }));
      const { stderr } = exits(await azure.cli(["show", "infra", "--cloud", "local", "--infra-file", file]), 2);
      expect(stderr).toContain(file);
      expect(stderr).toContain(`options.${Object.keys(options)[0] ?? ""}`);
      exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--infra-file", file, "--yes"]), 0);
    },
  );
});
