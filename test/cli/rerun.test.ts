/** A second run: additions of others are kept, and missing own resources are restored. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { groupId, groups, ids } from "./demo-cluster.js";
import { create, destroy, exits, writesSince } from "./expectations.js";
import { resource, updateResource, addTags, deleteResources } from "../harness/state-changes.js";

const rule = (priority: number) => ({
  protocol: "Tcp",
  access: "Allow",
  direction: "Inbound",
  priority,
  sourceAddressPrefix: "Internet",
  sourcePortRange: "*",
  destinationAddressPrefix: "203.0.113.7",
  destinationPortRange: "443",
});

/** The parts of a load balancer that the cloud provider adds for a service. */
function withService(parts: Record<string, unknown>): Record<string, unknown> {
  const list = (kind: string) => parts[kind] as unknown[];
  const part = (collection: string, name: string) => ({ id: `${ids.loadBalancer}/${collection}/${name}` });
  const name = "a1b2c3-TCP-443";
  return {
    ...parts,
    frontendIPConfigurations: [
      ...list("frontendIPConfigurations"),
      { name: "a1b2c3", properties: { privateIPAllocationMethod: "Dynamic", publicIPAddress: { id: `${ids.publicIp}-service` } } },
    ],
    backendAddressPools: [...list("backendAddressPools"), { name: "kubernetes" }],
    probes: [...list("probes"), { name, properties: { protocol: "Tcp", port: 31000, intervalInSeconds: 5, probeThreshold: 2 } }],
    loadBalancingRules: [
      {
        name,
        properties: {
          protocol: "Tcp",
          frontendPort: 443,
          backendPort: 443,
          idleTimeoutInMinutes: 4,
          disableOutboundSnat: true,
          frontendIPConfiguration: part("frontendIPConfigurations", "a1b2c3"),
          backendAddressPool: part("backendAddressPools", "kubernetes"),
          probe: part("probes", name),
        },
      },
    ],
  };
}

test("NSG rules, load balancer parts, subnets and tags that others added survive; a third run writes nothing", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);

  await azure.seed({
    resources: {
      [`${ids.nsg}/securityRules/k8s-azure-lb_allow`]: { properties: rule(500) },
      [`${ids.vnet}/subnets/apps`]: { properties: { addressPrefix: "10.0.1.0/24" } },
      [`${ids.publicIp}-service`]: {
        location: "eastus",
        sku: { name: "Standard" },
        tags: { "k8s-azure-service": "default/web", "k8s-azure-cluster-name": "demo-x7k2" },
        properties: { publicIPAllocationMethod: "Static" },
      },
    },
  });
  await updateResource(azure, ids.loadBalancer, ({ properties }) => ({ properties: withService(properties) }));
  for (const id of [groupId(groups.vnet), ids.nsg, ids.vnet, ids.loadBalancer, ids.publicIp, ids.privateZone, ids.link]) {
    await addTags(azure, id, { added: "by others" });
  }
  const changed = await azure.snapshot();
  await azure.traffic();
  exits(await create(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(await azure.snapshot()).toEqual(changed);
  // Destroy deletes them, too: the rules and subnets are children of our resources, and the address belongs to Kubernetes.
  exits(await destroy(azure), 0);
  expect(Object.keys((await azure.snapshot()).resources)).toHaveLength(2);
});

test("missing own parts are restored next to additions of others, and the change is shown", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["-t", "team=blue"]), 0);
  const complete = await azure.snapshot();

  await updateResource(azure, ids.loadBalancer, ({ properties }) => ({
    properties: {
      ...properties,
      outboundRules: [],
      probes: [{ name: "theirs", properties: { protocol: "Tcp", port: 1, intervalInSeconds: 5, probeThreshold: 2 } }],
    },
  }));
  await azure.seed({ resources: { [`${ids.vnet}/subnets/apps`]: { properties: { addressPrefix: "10.0.1.0/24" } } } });
  await azure.seed({ resources: { [ids.subnet]: { properties: { addressPrefix: "10.0.0.0/24" } } } });
  await azure.seed({
    resources: {
      [groupId(groups.nsg)]: { location: "eastus", tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2", theirs: "1" } },
    },
  });
  await deleteResources(azure, ids.link);

  const { stderr } = exits(await create(azure, ["-t", "team=blue"]), 0);
  for (const words of [
    /update +load balancer demo-x7k2[^]*probes\[demo-x7k2\]: \(none\)[^]*outboundRules\[demo-x7k2\]: \(none\)/,
    /update +virtual network demo-demo-x7k2[^]*subnets\[default\]\.networkSecurityGroup: \(none\)/,
    /update +resource group demo-demo-x7k2-nsg[^]*tags\.team: \(none\) .* "blue"/,
    /create +virtual network link/,
  ]) {
    expect(stderr).toMatch(words);
  }
  const balancer = (await resource(azure, ids.loadBalancer))?.properties;
  expect((balancer?.["probes"] as { name: string }[]).map(({ name }) => name)).toEqual(["theirs", "demo-x7k2"]);
  expect(balancer?.["outboundRules"]).toHaveLength(1);
  expect(await resource(azure, ids.subnet)).toMatchObject(complete.resources[ids.subnet.toLowerCase()] as object);
  expect(await resource(azure, `${ids.vnet}/subnets/apps`)).toBeDefined();
  expect((await resource(azure, groupId(groups.nsg)))?.tags).toMatchObject({ team: "blue", theirs: "1" });
  expect(await resource(azure, ids.link)).toEqual(complete.resources[ids.link.toLowerCase()]);

  await azure.traffic();
  exits(await create(azure, ["-t", "team=blue"]), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("a deleted default subnet is created again, without changing the others", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed({ resources: { [`${ids.vnet}/subnets/apps`]: { properties: { addressPrefix: "10.0.1.0/24" } } } });
  const before = await azure.snapshot();
  await deleteResources(azure, ids.subnet);
  await azure.traffic();
  exits(await create(azure), 0);
  expect(await writesSince(azure)).toEqual([`PUT ${ids.subnet}`]);
  expect(await azure.snapshot()).toMatchObject(before);
});

test("a run with other ranges or another location than before is refused, with the right flags", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.traffic();
  const { stderr } = exits(await create(azure, ["--vnet-cidr", "10.8.0.0/16", "--subnet-cidr", "10.8.0.0/24"]), 5);
  expect(stderr).toContain("has the address range 10.0.0.0/16, not 10.8.0.0/16");
  expect(stderr).toContain("--vnet-cidr 10.0.0.0/16");
  const elsewhere = exits(await create(azure, ["--location", "westus3"]), 5);
  // One reason for all of them, in the plan and below it.
  expect(elsewhere.stderr).toMatch(/! refuse +resource groups \(3\): .*: in eastus, not in westus3\n/);
  expect(elsewhere.stderr.match(/^error: .*/gm)).toEqual([
    expect.stringContaining("--location is westus3, but 7 existing resources of this run are in eastus"),
  ]);
  expect(elsewhere.stderr).toContain("pass --location eastus");
  expect(await writesSince(azure)).toEqual([]);
});

test("an interrupted create is completed by the same command", async () => {
  const azure = await testEmulator();
  const whole = await testEmulator();
  exits(await create(whole), 0);
  const killed = await create(azure, [], { faults: [{ method: "PUT", path: "/virtualNetworks/[^/]+$", kill: true }] });
  expect(killed.code).toBe("SIGKILL");
  exits(await create(azure), 0);
  expect(await azure.snapshot()).toEqual(await whole.snapshot());
});
