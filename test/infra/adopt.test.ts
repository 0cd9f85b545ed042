/** Infrastructure that `hypershift create infra azure` made or wrote over: what each command says about it, and how `adopt infra` takes it over. */
import { describe, expect, test } from "vitest";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { changeResource, changeState, resource, type SnapshotResource } from "../harness/state-changes.js";
import { groupId, groups, ids, inGroup, keyOf, ownership } from "../cli/demo-cluster.js";
import { seedNetworks } from "./existing-networks.js";
import { create, destroy, exits, refuses, titled, writesSince } from "../cli/expectations.js";
import { hypershift, hypershiftCreates } from "./hypershift-infra.js";

const adoptCommand = "aro-hcp adopt infra --cloud local --name demo --infra-id demo-x7k2";
const hypershiftNaming = ["--naming", "hypershift"];

const adopt = (azure: TestEmulator, flags: readonly string[] = []) => azure.cli(["adopt", "infra", ...demo, "--yes", ...flags]);
const infra = (azure: TestEmulator, verb: string, flags: readonly string[] = []) => azure.cli([verb, "infra", ...demo, ...flags]);

async function resourcesOf(azure: TestEmulator): Promise<Readonly<Record<string, SnapshotResource>>> {
  return (await azure.snapshot()).resources as Record<string, SnapshotResource>;
}

async function tagsByKey(azure: TestEmulator) {
  return Object.fromEntries(Object.entries(await resourcesOf(azure)).map(([key, { tags }]) => [key, tags]));
}

/** The keys of the resources that have the tags of the demo cluster. */
async function owned(azure: TestEmulator): Promise<string[]> {
  return Object.entries(await resourcesOf(azure))
    .filter(([, { tags = {} }]) => Object.entries(ownership).every(([tag, value]) => tags[tag] === value))
    .map(([key]) => key)
    .sort();
}

const all = Object.values(hypershift).map(keyOf).sort();

describe("what hypershift created", () => {
  test("is not destroyed: the failure names what looks like it, and the command that adopts it", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    const before = await azure.snapshot();
    await refuses(azure, destroy(azure), 5, "ARO-OWN-007", "`hypershift create infra", adoptCommand, "demo-vnet-demo-x7k2");
    expect(await azure.snapshot()).toEqual(before);
    await refuses(azure, destroy(azure, ["--dry-run"]), 5, "ARO-OWN-007");
    for (const verb of ["show", "verify"]) await refuses(azure, infra(azure, verb), 5, "ARO-OWN-007", adoptCommand);
    await refuses(azure, azure.cli(["destroy", "all", ...demo, "--yes"]), 5, "ARO-OWN-007", adoptCommand);
  });

  test("is not changed by create with the same names: the refusal names the command that adopts it", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    const looks = /looks as if `hypershift create infra azure` created it/;
    await refuses(azure, create(azure, hypershiftNaming), 5, "ARO-OWN-001", looks, adoptCommand);
    const verified = exits(await infra(azure, "verify", ["--base-domain", "hcp.example.com", ...hypershiftNaming]), 6);
    expect(verified.stdout.replaceAll(/\s+/g, " ")).toContain(`take it over: \`${adoptCommand}\``);
  });

  test("is adopted with all its other tags, and nothing else of it changes; a second adopt does nothing", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure, { tags: { team: "edge" } });
    const before = await azure.snapshot();
    const { stdout, stderr } = exits(await adopt(azure, ["-o", "json"]), 0);
    expect((JSON.parse(stdout) as { adopted: string[] }).adopted.map(keyOf).sort()).toEqual(all);
    expect(stderr).toMatch(/update +load balancer demo-x7k2: it gets the ownership tags; its name is the cluster's/);
    expect(stderr).toMatch(/update +private DNS zone demo\.hcp\.example\.com: .*that hypershift gives/);
    expect(await owned(azure)).toEqual(all);
    const withoutOurs = Object.entries(await resourcesOf(azure)).map(([key, { tags = {}, ...rest }]) => {
      return [key, { tags: Object.fromEntries(Object.entries(tags).filter(([tag]) => !tag.startsWith("aro-hcp-"))), ...rest }] as const;
    });
    expect(Object.fromEntries(withoutOurs)).toMatchObject(before.resources);
    await azure.traffic();
    const again = exits(await adopt(azure), 0);
    expect(again.stderr).toContain("nothing to do");
    expect(await writesSince(azure)).toEqual([]);
  });

  test("works with show, verify, create and destroy after it was adopted, without further flags", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await hypershiftCreates(azure);
    exits(await adopt(azure), 0);
    const { stdout } = exits(await infra(azure, "show", ["-o", "json"]), 0);
    const rows = (JSON.parse(stdout) as { resources: { state: string; drift: string }[] }).resources;
    expect(rows.filter(({ drift }) => drift !== "none")).toEqual([]);
    exits(await infra(azure, "verify"), 0);
    await azure.traffic();
    exits(await create(azure), 0);
    expect(await writesSince(azure)).toEqual([]);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test.each([1, 3, 5, 7, 8])("after %i of its writes is adopted and then destroyed", async (writes) => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await hypershiftCreates(azure, {}, writes);
    exits(await adopt(azure), 0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("is adopted with its managed group by the command that a destroy with its file prints", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    const file = azure.path("infra.json");
    exits(await create(azure, [...hypershiftNaming, "--output-file", file]), 0);
    await changeState(azure, ({ resources = {} }) => {
      for (const key of all) delete resources[key]?.tags;
    });
    const withFile = ["destroy", "infra", "--cloud", "local", "--infra-file", file, "--yes"];
    const { stderr } = exits(await azure.cli(withFile), 5);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(`take them over: \`${adoptCommand}\``);
    exits(await adopt(azure), 0);
    exits(await azure.cli(withFile), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("beside a cluster of aro-hcp is kept, and its destroy does not say that all is done", async () => {
    const azure = await testEmulator();
    exits(await create(azure, ["--egress", "nat-gateway"]), 0);
    await hypershiftCreates(azure);
    const { stderr } = exits(await destroy(azure, ["--preserve-resource-group"]), 5);
    expect(stderr).toContain("did not complete");
    expect(stderr).toContain("ARO-OWN-007");
    expect(await resource(azure, ids.vnet)).toBeUndefined();
    for (const id of Object.values(hypershift)) expect(await resource(azure, id)).toBeDefined();
  });

  test("in one existing group is adopted without the group", async () => {
    const azure = await testEmulator();
    await seedNetworks(azure);
    const before = await azure.snapshot();
    await hypershiftCreates(azure, { group: "mine" });
    exits(await adopt(azure), 2);
    await refuses(azure, destroy(azure, ["--resource-group-name", "mine"]), 5, "ARO-OWN-007", `${adoptCommand} --resource-group-name mine`);
    const { stdout } = exits(await adopt(azure, ["--resource-group-name", "mine", "-o", "json"]), 0);
    expect((JSON.parse(stdout) as { adopted: string[] }).adopted).not.toContain(groupId("mine"));
    exits(await infra(azure, "verify"), 0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

describe("adopt", () => {
  test("shows what it would adopt with --dry-run, and writes nothing", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    await azure.traffic();
    const { stdout } = exits(await infra(azure, "adopt", ["--dry-run", "-o", "json"]), 0);
    const { steps } = JSON.parse(stdout) as { steps: { resourceId: string; act: string }[] };
    expect(
      steps
        .filter(({ act }) => act === "update")
        .map(({ resourceId }) => keyOf(resourceId))
        .sort(),
    ).toEqual(all);
    expect(await writesSince(azure)).toEqual([]);
  });

  test("asks for the infra ID on a terminal, and without one requires --yes before any request", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    await azure.traffic();
    exits(await infra(azure, "adopt"), 10);
    expect(await azure.traffic()).toEqual([]);
    const running = await azure.startCli(["adopt", "infra", ...demo, "-o", "json"]);
    await running.shows("Type demo-x7k2 to confirm");
    running.type("demo-x7k3\n");
    expect(exits(await running.ended, 10).stdout).toContain(String.raw`\"demo-x7k3\" does not match demo-x7k2; nothing was changed`);
    expect(await owned(azure)).toEqual([]);
  });

  test("does nothing if a resource gets another owner while it asks", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    const running = await azure.startCli(["adopt", "infra", ...demo]);
    await running.shows("Type demo-x7k2 to confirm");
    await changeResource(azure, hypershift.loadBalancer, (stored) => (stored.tags = { "aro-hcp-name": "theirs" }));
    running.type("demo-x7k2\n");
    exits(await running.ended, 5);
    expect(await owned(azure)).toEqual([]);
  });

  test("takes over what hypershift created beside a cluster and what it removed the tags from, and then all of it can be destroyed", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await create(azure), 0);
    await hypershiftCreates(azure);
    exits(await adopt(azure), 0);
    exits(await infra(azure, "verify"), 0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("takes over a cluster of aro-hcp that hypershift ran on, and create restores the rest", async () => {
    const azure = await testEmulator();
    exits(await create(azure, hypershiftNaming), 0);
    await hypershiftCreates(azure);
    await refuses(azure, create(azure, hypershiftNaming), 5, "ARO-OWN-001", adoptCommand);
    exits(await adopt(azure), 0);
    exits(await create(azure), 0);
    exits(await infra(azure, "verify"), 0);
  });

  test("cut in the middle is finished by the same command", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    const faults = [{ method: "PATCH", path: "/loadBalancers/[^/]+/providers/Microsoft.Resources/tags/default$", kill: true }];
    const died = await azure.cli(["adopt", "infra", ...demo, "--yes", "--concurrency", "2"], { faults });
    expect(died.code).toBe("SIGKILL");
    expect(await owned(azure)).not.toEqual(all);
    exits(await adopt(azure), 0);
    expect(await owned(azure)).toEqual(all);
    exits(await infra(azure, "verify"), 0);
  });

  const refused = [
    { what: "another cluster", tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "other" }, words: "another cluster" },
    { what: "another cluster in other letters", tags: { "ARO-HCP-NAME": "theirs" }, words: "another cluster" },
    { what: "an identity set", tags: { "aro-hcp-identities": "demo" }, words: "identity set" },
    { what: "the Kubernetes of another cluster", tags: { "kubernetes.io_cluster.other": "owned" }, words: "Kubernetes of another cluster" },
  ];
  test.each(titled(refused))("refuses everything if one resource has the tags of %s", async (_what, { tags, words }) => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    await changeResource(azure, hypershift.vnet, (stored) => (stored.tags = tags));
    await refuses(azure, adopt(azure), 5, "ARO-OWN-001", words);
    expect(await owned(azure)).toEqual([]);
  });

  const ignored = [
    { what: "a group with a name of the cluster and only resources of others", group: groups.nsg, path: "networkSecurityGroups/theirs" },
    { what: "a resource of another name in an adopted group", group: groups.managed, path: "networkSecurityGroups/demo-demo-x7k2-nsg2" },
    { what: "a resource with a name of the cluster in a group of others", group: "dns", path: "loadBalancers/demo-x7k2" },
  ];
  test.each(titled(ignored))("leaves %s alone", async (_what, { group, path }) => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    if (group === groups.nsg) await azure.seed({ resources: { [groupId(group)]: { location: "eastus" } } });
    const sku = path.startsWith("network") ? {} : { sku: { name: "Standard" } };
    await azure.seed({ resources: { [inGroup(group, path)]: { location: "eastus", ...sku, properties: {} } } });
    const { stderr } = exits(await adopt(azure), 0);
    expect(await owned(azure)).toEqual(all);
    if (group === groups.managed) expect(stderr).toContain(inGroup(group, path));
  });

  test("without a resource of the cluster says so", async () => {
    const azure = await testEmulator();
    await refuses(azure, adopt(azure), 2, "no resource of cluster demo/demo-x7k2 was found");
  });

  test("asks for the base domain if there are zones of several", async () => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    const other = inGroup("demo-demo-x7k2", "privateDnsZones/demo.other.example.com");
    await azure.seed({ resources: { [other]: { location: "global" } } });
    await refuses(azure, adopt(azure), 2, "--base-domain", "hcp.example.com, other.example.com");
    exits(await adopt(azure, ["--base-domain", "hcp.example.com"]), 0);
    expect(await owned(azure)).toEqual(all);
  });
});

/** The resources whose tags are gone, by what removed them. */
const stripped = [
  { what: "a load balancer in its own group", ids: [ids.loadBalancer] },
  { what: "the managed group, whose contents have them", ids: [groupId(groups.managed)] },
  { what: "the managed group and all of its contents", ids: [groupId(groups.managed), ids.publicIp, ids.loadBalancer] },
  { what: "the network, its group, the zone and the link", ids: [groupId(groups.vnet), ids.vnet, ids.privateZone, ids.link] },
  {
    what: "all but the security group",
    ids: [...Object.values(groups).map(groupId), ids.vnet, ids.privateZone, ids.link, ids.publicIp, ids.loadBalancer],
  },
];

describe("resources that lost their ownership tags", () => {
  test.each(titled(stripped))("are reported by verify and get them again from create: %s", async (_what, { ids: changed }) => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    const before = await tagsByKey(azure);
    for (const id of changed) await changeResource(azure, id, (stored) => (stored.tags = { team: "edge" }));
    const verified = exits(await infra(azure, "verify", ["--base-domain", "hcp.example.com", "-o", "json"]), 6);
    const { results } = JSON.parse(verified.stdout) as { results: { check: string; state: string; evidence?: string; next?: string }[] };
    const failed = results.filter(({ check, state }) => check === "resource-owned" && state === "failed");
    expect(failed).toHaveLength(changed.length);
    for (const { evidence, next } of failed) {
      expect(evidence).toContain("`hypershift create infra");
      expect(next).toContain("aro-hcp create infra");
    }
    const { stderr } = exits(await create(azure), 0);
    expect(stderr).toMatch(/update +.*: it lost its ownership tags\n +tags\.aro-hcp-name: \(none\) → "demo"/);
    for (const id of changed) {
      expect((await resource(azure, id))?.tags).toMatchObject({ ...ownership, team: "edge" });
      await changeResource(azure, id, (stored) => delete stored.tags?.["team"]);
    }
    expect(await tagsByKey(azure)).toEqual(before);
    exits(await infra(azure, "verify"), 0);
  });

  test("are also restored if another property of them differs", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await changeResource(azure, ids.loadBalancer, (stored) => {
      delete stored.tags;
      stored.properties["outboundRules"] = [];
    });
    exits(await create(azure), 0);
    exits(await infra(azure, "verify"), 0);
  });

  test("because hypershift ran on the same cluster are restored, and the record of its settings is written again", async () => {
    const azure = await testEmulator();
    exits(await create(azure, ["--egress", "nat-gateway", ...hypershiftNaming]), 0);
    await hypershiftCreates(azure);
    // Without the naming scheme, which only the lost record had.
    exits(await create(azure, ["--egress", "nat-gateway"]), 0);
    exits(await infra(azure, "verify"), 0);
  });

  test("still show the settings, and create does not guess those that no resource shows", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    const { deleteResources } = await import("../harness/state-changes.js");
    await deleteResources(azure, ids.privateZone, ids.link);
    await changeResource(azure, groupId(groups.managed), (stored) => (stored.tags = ownership));
    const { stderr } = exits(await create(azure, ["--disable-cluster-capabilities", "ImageRegistry", "--dry-run"]), 0);
    expect(stderr).not.toMatch(/warning|refuse/);
    const moved = exits(await create(azure, ["--single-resource-group", "--dry-run"]), 5);
    expect(moved.stderr).toMatch(/--single-resource-group +the cluster has off, and this run would have on/);
  });

  const unproven = [
    {
      what: "no other resource of the cluster exists",
      prepare: (azure: TestEmulator) => azure.seed({ resources: { [groupId(groups.managed)]: { location: "eastus" } } }),
    },
    {
      what: "a group contains nothing with a name of the cluster",
      async prepare(azure: TestEmulator) {
        exits(await create(azure), 0);
        const { deleteResources } = await import("../harness/state-changes.js");
        await deleteResources(azure, groupId(groups.nsg), ids.nsg);
        await azure.seed({ resources: { [groupId(groups.nsg)]: { location: "eastus" } } });
      },
    },
    {
      what: "it has a tag of another owner",
      async prepare(azure: TestEmulator) {
        exits(await create(azure), 0);
        await changeResource(azure, ids.loadBalancer, (stored) => (stored.tags = { "aro-hcp-name": "theirs" }));
      },
    },
    {
      what: "the Kubernetes of another cluster created it",
      async prepare(azure: TestEmulator) {
        exits(await create(azure), 0);
        await changeResource(azure, ids.loadBalancer, (stored) => (stored.tags = { "k8s-azure-cluster-name": "other" }));
      },
    },
  ];
  test.each(titled(unproven))("are refused if %s", async (_what, { prepare }) => {
    const azure = await testEmulator();
    await prepare(azure);
    await refuses(azure, create(azure), 5, "ARO-OWN-001");
  });
});
