/** `destroy infra`: which resources are deleted or kept, and how it ends if a deletion fails. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "./existing-networks.js";
import { groupId, groups, ids, inGroup, keyOf } from "../cli/demo-cluster.js";
import { create, destroy, exits, writesSince } from "../cli/expectations.js";
import { fileOf, roleFlags } from "../identities/cli/identities.js";
import { deleteResources } from "../harness/state-changes.js";

const compute = (group: string, path: string) => `${groupId(group)}/providers/Microsoft.Compute/${path}`;

/** The resources that a running cluster creates in a group: machine, network interface, disk, volume, a service's address and load balancer. */
function kubernetesResources(group: string, subnetId: string, named: Record<string, string>, unnamed: Record<string, string>) {
  const nic = inGroup(group, "networkInterfaces/worker-0-nic");
  const disk = compute(group, "disks/worker-0-os");
  return {
    [nic]: {
      location: "eastus",
      tags: named,
      properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: subnetId } } }] },
    },
    [disk]: { location: "eastus", tags: named, properties: {} },
    [compute(group, "disks/pvc-1")]: { location: "eastus", tags: unnamed, properties: {} },
    [compute(group, "virtualMachines/worker-0")]: {
      location: "eastus",
      tags: named,
      properties: {
        networkProfile: { networkInterfaces: [{ id: nic }] },
        storageProfile: { osDisk: { managedDisk: { id: disk } } },
      },
    },
    [inGroup(group, "publicIPAddresses/kubernetes-a1")]: {
      location: "eastus",
      sku: { name: "Standard" },
      tags: { "k8s-azure-service": "default/web", ...unnamed },
      properties: { publicIPAllocationMethod: "Static" },
    },
    [inGroup(group, "loadBalancers/internal")]: {
      location: "eastus",
      sku: { name: "Standard" },
      tags: { "k8s-azure-cluster-name": "demo-x7k2" },
      properties: { frontendIPConfigurations: [{ name: "in", properties: { subnet: { id: subnetId } } }] },
    },
  };
}

const storageOf = (group: string) => ({
  [`${groupId(group)}/providers/Microsoft.Storage/storageAccounts/theirs`]: {
    location: "eastus",
    sku: { name: "Standard_LRS" },
    kind: "StorageV2",
    properties: {},
  },
});

/** Another cluster's disk, in a group of this cluster. */
const otherClusters = (group: string) => ({
  [compute(group, "disks/other")]: { location: "eastus", tags: { "kubernetes.io_cluster.other-abc": "owned" }, properties: {} },
});

/** The keys of all resources except the services of storage accounts, which no list of a group contains. */
async function keys(azure: TestEmulator): Promise<string[]> {
  return Object.keys((await azure.snapshot()).resources).filter((key) => !/services\/default$/.test(key));
}

test("resources that Kubernetes created in the cluster's groups are deleted with them: machines, then interfaces, then networks", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  await azure.seed({
    resources: kubernetesResources(
      groups.managed,
      ids.subnet,
      { "kubernetes.io_cluster.demo-x7k2": "owned", "sigs.k8s.io_cluster-api-provider-azure_cluster_demo-x7k2": "owned" },
      { "kubernetes.io-created-for-pv-name": "pvc-1" },
    ),
  });
  const { stderr } = exits(await destroy(azure), 0);
  expect(stderr).toMatch(/remove +virtual machine worker-0/);
  expect(await azure.snapshot()).toEqual(before);
});

test("in an existing group, only resources of this cluster are deleted; the others are listed and kept", async () => {
  const azure = await testEmulator();
  await seedNetworks(azure);
  await azure.seed({ resources: storageOf("mine") });
  const before = await keys(azure);
  exits(await create(azure, ["--resource-group-name", "mine", "--vnet-id", existing.vnet]), 0);
  await azure.seed({
    resources: {
      ...kubernetesResources(
        "mine",
        existing.subnet,
        { "kubernetes.io_cluster.demo-x7k2": "owned" },
        { "k8s-azure-cluster-name": "demo-x7k2" },
      ),
      [compute("mine", "disks/unclaimed")]: { location: "eastus", tags: { "kubernetes.io-created-for-pv-name": "pvc-2" }, properties: {} },
    },
  });
  const { stderr } = exits(await destroy(azure), 0);
  expect(stderr).toMatch(new RegExp(`keep +${groupId("mine")}: not created by aro-hcp`));
  expect(stderr).toMatch(/keep +.*disks\/unclaimed: created neither by aro-hcp nor by this cluster/);
  expect(stderr).toMatch(/keep +.*storageAccounts\/theirs/);
  expect(await keys(azure)).toEqual([...before, keyOf(compute("mine", "disks/unclaimed"))].sort());
});

describe("groups with resources of other owners", () => {
  test("are refused with a list of the unowned resources, and nothing is deleted", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await azure.seed({ resources: { ...storageOf(groups.managed), ...otherClusters(groups.vnet) } });
    const before = await azure.snapshot();
    await azure.traffic();
    const { stderr } = exits(await destroy(azure), 5);
    for (const words of ["2 resources", "storageAccounts/theirs", "disks/other", "--preserve-resource-group", "--delete-foreign"]) {
      expect(stderr).toContain(words);
    }
    expect(await writesSince(azure)).toEqual([]);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("are deleted with --delete-foreign, and the plan lists the unowned resources", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await create(azure), 0);
    await azure.seed({ resources: { ...storageOf(groups.managed), ...otherClusters(groups.vnet) } });
    const { stderr } = exits(await destroy(azure, ["--delete-foreign"]), 0);
    expect(stderr).toMatch(/remove +storage account theirs: deleted with resource group demo-demo-x7k2 \(not owned by this cluster\)/);
    expect(stderr).toMatch(/remove +disk other: deleted with .* \(not owned by this cluster\)/);
    expect(stderr).toMatch(/remove +load balancer demo-x7k2: deleted with resource group demo-demo-x7k2\n/);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("are kept with --preserve-resource-group: owned resources are deleted, others and the groups are kept", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    const groupKeys = Object.values(groups).map((name) => keyOf(groupId(name)));
    await azure.seed({ resources: { ...storageOf(groups.managed), ...otherClusters(groups.vnet) } });
    const { stderr } = exits(await destroy(azure, ["--preserve-resource-group"]), 0);
    expect(stderr).toMatch(/keep +\S*storageAccounts\/theirs: created neither/);
    expect(stderr).toMatch(/keep +resource groups \(3\): .*resourceGroups\/demo-demo-x7k2-nsg.*: --preserve-resource-group keeps it/);
    const unowned = Object.keys({ ...storageOf(groups.managed), ...otherClusters(groups.vnet) }).map(keyOf);
    expect(await keys(azure)).toEqual([...groupKeys, ...unowned, keyOf(groupId("dns")), keyOf(ids.publicZone)].sort());
    // A second run has nothing to do.
    exits(await destroy(azure, ["--preserve-resource-group"]), 0);
  });
});

test("a resource that gets a lock during the run is reported as not deleted, with an exit code; without the lock the same command finishes", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const lock = `${ids.publicIp}/providers/Microsoft.Authorization/locks/keep`;
  await azure.seed({ resources: { [lock]: { properties: { level: "CanNotDelete" } } } });
  // The list was read before the lock.
  const faults = [{ method: "GET", path: "/locks$", answer: { status: 200, body: { value: [] } } }];
  const { stderr, stdout } = await destroy(azure, ["-o", "json"], { faults });
  const result = JSON.parse(stdout) as { ok: boolean; leftovers: string[]; failures: { code: string }[] };
  expect(result.ok).toBe(false);
  expect(result.leftovers.map(keyOf)).toEqual([keyOf(groupId(groups.managed)), keyOf(ids.publicIp)]);
  expect(result.failures.map(({ code }) => code)).toEqual(["ARO-SUB-004", "ARO-DELETE-003"]);
  expect(stderr).toContain("ScopeLocked");
  expect(await keys(azure)).not.toContain(keyOf(ids.vnet));

  await deleteResources(azure, lock);
  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

describe("from a file alone", () => {
  test("of aro-hcp, after a create with roles in existing groups", async () => {
    const azure = await testEmulator();
    await seedNetworks(azure);
    const roles = await roleFlags(azure);
    const before = await azure.snapshot();
    const file = azure.path("infra.json");
    exits(await create(azure, [...roles, "--vnet-id", existing.vnet, "--resource-group-name", "mine", "--output-file", file]), 0);
    // A file of an older version has no name, and the name of an existing group does not contain it.
    const { clusterName, ...older } = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    const withoutName = await fileOf(azure, "older.json", older);
    const unnamed = exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--infra-file", withoutName, "--yes"]), 2);
    expect(unnamed.stderr).toContain("--name");
    exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--infra-file", file, "--yes"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("of hypershift, which is YAML without subscription and version", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    const file = azure.path("infra.json");
    exits(await create(azure, ["--naming", "hypershift", "--output-file", file]), 0);
    const { schemaVersion, clusterName, cloud, subscriptionID, tenantID, ...theirs } = JSON.parse(await readFile(file, "utf8")) as Record<
      string,
      unknown
    >;
    const yaml = await fileOf(azure, "hypershift.yaml", stringify(theirs));
    exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--infra-file", yaml, "--yes"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("without a terminal and without --yes no request is sent to Azure, and the exit code is 10", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.traffic();
  const { stderr } = exits(await azure.cli(["destroy", "infra", ...demo]), 10);
  expect(stderr).toContain("--yes");
  expect(await azure.traffic()).toEqual([]);
});

test("--dry-run lists the resources to delete and to keep, and writes nothing", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  // A group with our name but without tags is not ours.
  await azure.seed({ resources: { [groupId("demo-nsg-demo-x7k2")]: { location: "eastus" } } });
  await azure.traffic();
  const { stdout } = exits(await azure.cli(["destroy", "infra", ...demo, "--dry-run", "-o", "json"]), 0);
  const plan = JSON.parse(stdout) as { removed: { resourceId: string }[]; kept: { id: string; why: string }[] };
  expect(plan.removed.map(({ resourceId }) => keyOf(resourceId)).sort()).toEqual(
    [...Object.values(groups).map(groupId), ids.nsg, ids.vnet, ids.privateZone, ids.link, ids.publicIp, ids.loadBalancer].map(keyOf).sort(),
  );
  expect(plan.kept).toEqual([{ id: groupId("demo-nsg-demo-x7k2"), why: "has a name of this cluster but not its ownership tags" }]);
  expect(await writesSince(azure)).toEqual([]);
});

describe("an interrupted create is deleted by name and infra ID alone", () => {
  test.each([
    ["with the first group", "/resourcegroups/demo-demo-x7k2[^/]*$"],
    ["at the network", "/virtualNetworks/[^/]+$"],
    ["at the link", "/virtualNetworkLinks/[^/]+$"],
    ["at the load balancer", "/loadBalancers/[^/]+$"],
  ])("%s", async (_where, path) => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    // `after`: Azure has started the operation, but the response is lost.
    expect((await create(azure, [], { faults: [{ method: "PUT", path, when: "after", kill: true }] })).code).toBe("SIGKILL");
    expect(await keys(azure)).not.toEqual(Object.keys(before.resources));
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("a group that is already being deleted is waited for", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const flags = ["destroy", "infra", ...demo, "--yes"];
  const slow = { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "100" };
  const died = await azure.cli(flags, {
    env: slow,
    faults: [{ method: "DELETE", path: "/resourcegroups/demo-demo-x7k2$", when: "after", kill: true }],
  });
  expect(died.code).toBe("SIGKILL");
  exits(await azure.cli(flags, { env: slow }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("without any resources, nothing is done, and this is reported", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(await destroy(azure), 0);
  expect(stderr).toContain("nothing was there");
  expect(await writesSince(azure)).toEqual([]);
});
