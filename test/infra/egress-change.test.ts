/** A change of the egress that is interrupted after each of its writes: the same command completes it, and a change back leaves nothing of it. */
import { expect, test } from "vitest";
import { testEmulator, writes, type TestEmulator } from "../harness/test-emulator.js";
import { changeState } from "../harness/state-changes.js";
import { groupId, inGroup } from "../cli/demo-cluster.js";
import { create, destroy, exits, writesSince } from "../cli/expectations.js";

const inTheirs = (path: string) => inGroup("theirs", path);
const toFirewall = {
  name: "out",
  properties: { addressPrefix: "0.0.0.0/0", nextHopType: "VirtualAppliance", nextHopIpAddress: "10.9.0.4" },
};
const standard = { location: "eastus", sku: { name: "Standard" } };
const [table, otherTable, gateway] = [inTheirs("routeTables/corp"), inTheirs("routeTables/new"), inTheirs("natGateways/corp")];
const routed = (id: string) => ["--egress", "user-defined-routing", "--route-table-id", id];
const balanced = ["--egress", "load-balancer"];
const theirGateway = ["--egress", "nat-gateway", "--nat-gateway-id", gateway];
const ownGateway = ["--egress", "nat-gateway", "--outbound-addresses", "1"];
const changing = ["--change-egress", "--yes"];
const inExistingGroup = ["--resource-group-name", "mine"];

/** The customer's resources, which must never change. */
async function withTheirs(): Promise<TestEmulator> {
  const azure = await testEmulator();
  const address = inTheirs("publicIPAddresses/corp");
  await azure.seed({
    resources: {
      [groupId("theirs")]: { location: "eastus" },
      [groupId("mine")]: { location: "eastus" },
      [table]: { location: "eastus", properties: { routes: [toFirewall] } },
      [otherTable]: { location: "eastus", properties: { routes: [toFirewall] } },
      [address]: { ...standard, properties: { publicIPAllocationMethod: "Static" } },
      [gateway]: { ...standard, properties: { publicIpAddresses: [{ id: address }] } },
    },
  });
  return azure;
}

/** All resources, without what Azure assigns, and what it adds to a subnet that was written alone. */
async function resourcesOf(azure: TestEmulator): Promise<unknown> {
  const volatile = ["provisioningState", "delegations", "ipAddress"];
  const text = JSON.stringify((await azure.snapshot()).resources, (key, value: unknown) => (volatile.includes(key) ? undefined : value));
  return JSON.parse(text) as unknown;
}

/** From this request on, Azure refuses everything: as if the run had ended before it. */
const endsBefore = (request: number) => ({
  faults: [{ request, times: 100_000, answer: { status: 403, body: { error: { code: "Interrupted", message: "the run ends here" } } } }],
});

type Flags = readonly string[];
const changes: readonly (readonly [what: string, from: Flags, to: Flags, always: Flags])[] = [
  ["an existing NAT gateway to user-defined routing", theirGateway, routed(table), []],
  ["user-defined routing to the load balancer", routed(table), balanced, []],
  ["one route table to another", routed(table), routed(otherTable), []],
  ["an existing NAT gateway to an own one", theirGateway, ownGateway, []],
  ["an own NAT gateway to the load balancer", ownGateway, balanced, []],
  ["the load balancer to user-defined routing, in an existing group", balanced, routed(table), inExistingGroup],
  ["user-defined routing to the load balancer, in an existing group", routed(table), balanced, inExistingGroup],
];

/** A dozen runs for each change, one after another. */
const longTimeout = 600_000;

test.each(changes)(
  "an interrupted change from %s is completed or undone",
  async (_what, from, to, always) => {
    const base = await withTheirs();
    const before = await resourcesOf(base);
    exits(await create(base, [...from, ...always]), 0);
    const copyOf = ({ directory }: TestEmulator) => testEmulator({ prepared: directory });
    const earlier = await resourcesOf(base);

    const undisturbed = await copyOf(base);
    exits(await create(undisturbed, [...to, ...always, ...changing]), 0);
    const traffic = await undisturbed.traffic();
    const changed = await resourcesOf(undisturbed);
    exits(await create(undisturbed, always), 0);
    expect(await writesSince(undisturbed)).toEqual([]);

    const ends = traffic.flatMap((exchange, at) => (writes([exchange]).length > 0 ? [at + 2] : []));
    expect(ends.length).toBeGreaterThan(0);
    // One half is completed, the other undone.
    for (const [at, end] of ends.entries()) {
      const interrupted = await copyOf(base);
      const where = `ends before request ${String(end)}`;
      expect((await create(interrupted, [...to, ...always, ...changing], endsBefore(end))).code, where).not.toBe(0);
      if (at % 2 === 1) {
        exits(await create(interrupted, [...to, ...always, ...changing]), 0);
        expect(await resourcesOf(interrupted), where).toEqual(changed);
        continue;
      }
      exits(await create(interrupted, [...from, ...always, ...changing]), 0);
      expect(await resourcesOf(interrupted), where).toEqual(earlier);
      exits(await destroy(interrupted), 0);
      expect(await resourcesOf(interrupted), where).toEqual(before);
    }
  },
  longTimeout,
);

test("a change back and forth that is interrupted twice ends with what is chosen last", async () => {
  const azure = await withTheirs();
  exits(await create(azure, theirGateway), 0);
  /** After its first write. */
  const interrupt = async (given: Flags) => {
    const flags = [...given, ...changing];
    const trial = await testEmulator({ prepared: azure.directory });
    exits(await create(trial, flags), 0);
    const first = (await trial.traffic()).findIndex((exchange) => writes([exchange]).length > 0);
    expect((await create(azure, flags, endsBefore(first + 2))).code).not.toBe(0);
  };
  await interrupt(routed(table));
  await interrupt(ownGateway);
  exits(await create(azure, [...balanced, ...changing]), 0);
  const other = await withTheirs();
  exits(await create(other, theirGateway), 0);
  exits(await create(other, [...balanced, ...changing]), 0);
  expect(await resourcesOf(azure)).toEqual(await resourcesOf(other));
});

test("a cluster without its managed resource group changes its egress in one run", async () => {
  const azure = await withTheirs();
  exits(await create(azure), 0);
  const group = groupId("demo-demo-x7k2").toLowerCase();
  await changeState(azure, ({ resources }) => {
    for (const id of Object.keys(resources)) if (id === group || id.startsWith(`${group}/`)) Reflect.deleteProperty(resources, id);
  });
  exits(await create(azure, [...ownGateway, ...changing]), 0);
  await writesSince(azure);
  exits(await create(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
});

const ways: readonly (readonly [what: string, flags: Flags])[] = [
  ["several addresses", [...balanced, "--outbound-addresses", "3"]],
  ["a NAT gateway", ownGateway],
  ["user-defined routing", routed(table)],
];

test.each(ways)("with %s and everything in one existing group, destroy needs only the names and leaves nothing", async (_what, flags) => {
  const azure = await withTheirs();
  const before = await resourcesOf(azure);
  exits(await create(azure, [...flags, ...inExistingGroup, "--single-resource-group"]), 0);
  exits(await destroy(azure), 0);
  expect(await resourcesOf(azure)).toEqual(before);
});
