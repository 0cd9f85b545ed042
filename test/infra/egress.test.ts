/** `--egress` of create infra: what each way makes, existing gateways, prefixes and route tables, and the change from one way to another. */
import { describe, expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { egressSeed, othersEgress } from "../../tools/demo-cluster.js";
import { changeResource, resource } from "../harness/state-changes.js";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "./existing-networks.js";
import { create, destroy, exits, refuses, writesSince } from "../cli/expectations.js";

const home = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups`;
const own = (path: string) => `${home}/demo-demo-x7k2/providers/Microsoft.Network/${path}`;
const subnetId = `${home}/demo-demo-x7k2-vnet/providers/Microsoft.Network/virtualNetworks/demo-demo-x7k2/subnets/default`;
const { routeTable: table, natGateway: gateway, publicIpPrefix: prefix } = othersEgress;
const routed = ["--egress", "user-defined-routing", "--route-table-id", table];

/** The customer's resources, which must never change. */
async function withTheirs(routes?: object[]): Promise<TestEmulator> {
  const azure = await testEmulator();
  await azure.seed(egressSeed(routes));
  return azure;
}

async function propertiesOf(azure: TestEmulator, id: string): Promise<Record<string, unknown>> {
  return (await resource(azure, id))?.properties ?? {};
}

async function ownNames(azure: TestEmulator): Promise<string[]> {
  const { resources } = await azure.snapshot();
  const ids = Object.keys(resources).filter((id) =>
    /demo-demo-x7k2\/providers\/microsoft\.network\/(publicipaddresses|natgateways)\//.test(id),
  );
  return ids.map((id) => id.split("/").slice(-2).join("/")).sort();
}

interface Balancer {
  readonly frontendIPConfigurations: { name: string; properties: { publicIPAddress?: object; publicIPPrefix?: { id: string } } }[];
  readonly outboundRules: { properties: { allocatedOutboundPorts: number; frontendIPConfigurations: object[] } }[];
}

const balancer = async (azure: TestEmulator) => (await propertiesOf(azure, own("loadBalancers/demo-x7k2"))) as unknown as Balancer;
const verify = (azure: TestEmulator) => azure.cli(["verify", "infra", ...demo]);

describe("each way", () => {
  test("user-defined routing makes no public address, attaches the route table, and leaves nothing", async () => {
    const azure = await withTheirs();
    const before = await azure.snapshot();
    exits(await create(azure, routed), 0);
    expect(await ownNames(azure)).toEqual([]);
    const { frontendIPConfigurations, outboundRules } = await balancer(azure);
    expect([frontendIPConfigurations, outboundRules]).toEqual([[], []]);
    expect(await propertiesOf(azure, subnetId)).toMatchObject({ routeTable: { id: table } });
    await azure.traffic();
    exits(await create(azure), 0);
    expect(await writesSince(azure)).toEqual([]);
    exits(await verify(azure), 0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("several addresses share the outbound rule, with ports for the expected workers", async () => {
    const azure = await withTheirs();
    const before = await azure.snapshot();
    exits(await create(azure, ["--outbound-addresses", "3", "--expected-nodes", "100"]), 0);
    expect(await ownNames(azure)).toEqual([
      "publicipaddresses/demo-x7k2",
      "publicipaddresses/demo-x7k2-2",
      "publicipaddresses/demo-x7k2-3",
    ]);
    const [rule] = (await balancer(azure)).outboundRules;
    expect(rule?.properties.allocatedOutboundPorts).toBe(1920);
    expect(rule?.properties.frontendIPConfigurations).toHaveLength(3);
    exits(await verify(azure), 0);
    exits(await create(azure, ["--outbound-addresses", "1", "--change-egress", "--yes"]), 0);
    expect(await ownNames(azure)).toEqual(["publicipaddresses/demo-x7k2"]);
    expect((await balancer(azure)).outboundRules[0]?.properties.allocatedOutboundPorts).toBe(640);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("an address whose deletion Azure reports and did not do is deleted again", async () => {
    const azure = await withTheirs();
    exits(await create(azure, ["--outbound-addresses", "2"]), 0);
    const faults = [{ method: "DELETE", path: "/publicIPAddresses/demo-x7k2-2$", answer: { status: 200, body: {} } }];
    exits(await create(azure, ["--outbound-addresses", "1", "--change-egress", "--yes"], { faults }), 0);
    expect(await ownNames(azure)).toEqual(["publicipaddresses/demo-x7k2"]);
  });

  test("a prefix is used by the load balancer, with the ports of all its addresses, and stays", async () => {
    const azure = await withTheirs();
    const before = await azure.snapshot();
    exits(await create(azure, ["--public-ip-prefix-id", prefix, "--expected-nodes", "100"]), 0);
    expect(await ownNames(azure)).toEqual([]);
    const { frontendIPConfigurations, outboundRules } = await balancer(azure);
    expect(frontendIPConfigurations).toMatchObject([{ name: "demo-x7k2", properties: { publicIPPrefix: { id: prefix } } }]);
    expect(outboundRules[0]?.properties.allocatedOutboundPorts).toBe(2560);
    exits(await verify(azure), 0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("two prefixes with one name in two groups are both used", async () => {
    const azure = await withTheirs();
    const second = prefix.replace("/resourceGroups/theirs/", "/resourceGroups/more/");
    expect(second).not.toBe(prefix);
    const sku = { location: "eastus", sku: { name: "Standard" } };
    await azure.seed({ resources: { [`${home}/more`]: { location: "eastus" }, [second]: { ...sku, properties: { prefixLength: 30 } } } });
    exits(await create(azure, ["--public-ip-prefix-id", prefix, "--public-ip-prefix-id", second]), 0);
    const { frontendIPConfigurations } = await balancer(azure);
    expect(frontendIPConfigurations.map(({ properties }) => properties.publicIPPrefix?.id)).toEqual([prefix, second]);
    await azure.traffic();
    exits(await create(azure), 0);
    expect(await writesSince(azure)).toEqual([]);
  });

  test("a change of prefixes takes each from the NAT gateway, as the plan shows, and none is deleted", async () => {
    const azure = await withTheirs();
    const [theirs, gatewayId] = [prefix.replace("/corp", "/theirs"), own("natGateways/demo-x7k2-nat")];
    const sku = { location: "eastus", sku: { name: "Standard" } };
    await azure.seed({ resources: { [theirs]: { ...sku, properties: { prefixLength: 30 } } } });
    exits(await create(azure, ["--egress", "nat-gateway", "--public-ip-prefix-id", prefix]), 0);
    await changeResource(azure, gatewayId, (stored) => {
      stored.properties = { ...stored.properties, publicIpPrefixes: [{ id: prefix }, { id: theirs }] };
    });
    const { stderr } = exits(await create(azure, ["--outbound-addresses", "1", "--change-egress", "--yes"]), 0);
    expect(stderr).toMatch(/publicIpPrefixes: .*theirs.* → \[\]/);
    expect(await propertiesOf(azure, gatewayId)).not.toMatchObject({ publicIpPrefixes: [expect.anything()] });
    for (const id of [prefix, theirs]) expect(await resource(azure, id)).toBeDefined();
  });

  test("an existing NAT gateway is attached and never changed", async () => {
    const azure = await withTheirs();
    const before = await azure.snapshot();
    exits(await create(azure, ["--egress", "nat-gateway", "--nat-gateway-id", gateway]), 0);
    expect(await ownNames(azure)).toEqual(["publicipaddresses/demo-x7k2"]);
    expect(await propertiesOf(azure, subnetId)).toMatchObject({ natGateway: { id: gateway } });
    const { properties: now } = (await resource(azure, gateway)) ?? {};
    expect(now).toEqual((before.resources[gateway.toLowerCase()] as { properties: object }).properties);
    exits(await verify(azure), 0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

const unusable: readonly (readonly [what: string, routes: object[], message: RegExp])[] = [
  ["no default route", [], /route table "corp" has no default route/],
  [
    "a default route to the internet",
    [{ name: "out", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "Internet" } }],
    /the default route of route table "corp" leads to Internet/,
  ],
];

test.each(unusable)("a route table with %s is refused before the first write", async (_what, routes, message) => {
  const azure = await withTheirs(routes);
  await refuses(azure, create(azure, routed), 5, message);
});

const tooFew: readonly (readonly [what: string, length: number, flags: string[], message: RegExp])[] = [
  [
    "too few addresses for the workers",
    31,
    ["--expected-nodes", "5000"],
    /have 2 addresses[\s\S]*5000 workers[\s\S]*with 5 addresses or more/,
  ],
  ["too many addresses for a load balancer", 27, [], /have 32 addresses[\s\S]*at most 16/],
  ["too many addresses for a NAT gateway", 27, ["--egress", "nat-gateway"], /have 32 addresses[\s\S]*at most 16/],
];

test.each(tooFew)("a prefix with %s is refused before the first write", async (_what, prefixLength, flags, message) => {
  const azure = await withTheirs();
  await changeResource(azure, prefix, (stored) => (stored.properties = { ...stored.properties, prefixLength }));
  await refuses(azure, create(azure, ["--public-ip-prefix-id", prefix, ...flags]), 5, message);
});

test("an existing subnet must have what the way needs, and is never changed", async () => {
  const azure = await withTheirs();
  await seedNetworks(azure);
  const existingSubnet = ["--subnet-id", existing.subnet];
  await refuses(azure, create(azure, ["--egress", "user-defined-routing", ...existingSubnet]), 5, /subnet "workers" has no route table/);
  const withGateway = ["--egress", "nat-gateway", "--nat-gateway-id", gateway, ...existingSubnet];
  await refuses(azure, create(azure, withGateway), 5, /subnet "workers" has no NAT gateway/);
  await changeResource(azure, existing.subnet, (stored) => (stored.properties = { ...stored.properties, routeTable: { id: table } }));
  const subnet = await resource(azure, existing.subnet);
  exits(await create(azure, ["--egress", "user-defined-routing", ...existingSubnet]), 0);
  expect(await resource(azure, existing.subnet)).toEqual(subnet);
  expect(await ownNames(azure)).toEqual([]);
});

const ways = {
  "load-balancer": [],
  "nat-gateway": [],
  "user-defined-routing": ["--route-table-id", table],
} as const;
const names = Object.keys(ways) as (keyof typeof ways)[];
const changes = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));

test.each(changes)("a change from %s to %s ends in what a new cluster has", async (from, to) => {
  const flags = (way: keyof typeof ways) => ["--egress", way, ...ways[way]];
  const azure = await withTheirs();
  exits(await create(azure, flags(from)), 0);
  exits(await create(azure, [...flags(to), "--change-egress", "--yes"]), 0);
  const changed = await azure.snapshot();
  await azure.traffic();
  exits(await create(azure, flags(to)), 0);
  expect(await writesSince(azure)).toEqual([]);
  exits(await destroy(azure), 0);
  exits(await create(azure, flags(to)), 0);
  const made = await azure.snapshot();
  expect(Object.keys(changed.resources)).toEqual(Object.keys(made.resources));
  // Azure adds these to a subnet that was written alone.
  const added = ["provisioningState", "delegations"];
  const textOf = (one: unknown) => JSON.stringify(one, (key, value: unknown) => (added.includes(key) ? undefined : value));
  for (const id of [subnetId, own("loadBalancers/demo-x7k2")].map((one) => one.toLowerCase()))
    expect(textOf(changed.resources[id])).toBe(textOf(made.resources[id]));
});

test("a change from an existing NAT gateway detaches it, and it stays", async () => {
  const azure = await withTheirs();
  exits(await create(azure, ["--egress", "nat-gateway", "--nat-gateway-id", gateway]), 0);
  const { stderr } = exits(await create(azure, ["--egress", "load-balancer", "--change-egress", "--yes"]), 0);
  expect(stderr).toMatch(/subnets\[default\]\.natGateway/);
  expect(await propertiesOf(azure, subnetId)).not.toHaveProperty("natGateway");
  expect(await resource(azure, gateway)).toBeDefined();
});
