/** Which options of the egress go together, and how many workers the ports of the addresses are enough for. */
import { describe, expect, test } from "vitest";
import { addressesOfPrefix, neededAddresses, outboundNames, portsPerNode } from "../../../src/domain/egress.js";
import { create, problemsOf, subnetId, subscription, vnetId } from "../../settings/resolving.js";

type Flags = Parameters<typeof create>[0];

const network = (path: string) => `/subscriptions/${subscription}/resourceGroups/net/providers/Microsoft.Network/${path}`;
const routeTableId = network("routeTables/corp");
const natGatewayId = network("natGateways/corp");
const prefix = network("publicIPPrefixes/corp");
const routed = { egress: "user-defined-routing" };
const nat = { egress: "nat-gateway" };

const only = async (flags: Flags): Promise<string[]> =>
  (await problemsOf(create(flags))).map(({ origin, message }) => `${origin}: ${message}`);

describe("accepted", () => {
  test.each<[string, Flags]>([
    ["a route table for the created subnet", { ...routed, routeTableId }],
    ["an existing network with a route table", { ...routed, vnetId }],
    ["an existing subnet and the route table that it must have", { ...routed, subnetId, routeTableId }],
    ["an existing NAT gateway", { ...nat, natGatewayId }],
    ["an existing subnet with its NAT gateway", { ...nat, subnetId, natGatewayId }],
    ["several addresses", { outboundAddresses: "16" }],
    ["several addresses of a NAT gateway", { ...nat, outboundAddresses: "2" }],
    ["prefixes", { publicIpPrefixId: [prefix, `${prefix}2`] }],
    ["a prefix of a NAT gateway", { ...nat, publicIpPrefixId: [prefix] }],
    ["the most workers of one address", { expectedNodes: "1000" }],
    ["more workers with more addresses", { expectedNodes: "1001", outboundAddresses: "2" }],
    ["many workers with a prefix, whose size only Azure knows", { expectedNodes: "5000", publicIpPrefixId: [prefix] }],
  ])("%s", async (_what, flags) => {
    expect(await only(flags)).toEqual([]);
  });
});

describe("refused", () => {
  test.each<[string, Flags, string]>([
    ["routing without a route table", routed, '--egress: "user-defined-routing" requires --route-table-id'],
    ["a route table without routing", { routeTableId }, "--route-table-id: requires --egress user-defined-routing"],
    ["a route table with a NAT gateway", { ...nat, routeTableId }, "--route-table-id: requires --egress user-defined-routing"],
    ["an ID of another type", { ...routed, routeTableId: natGatewayId }, "expected a Microsoft.Network/routeTables"],
    ["a NAT gateway with a load balancer", { natGatewayId }, "--nat-gateway-id: requires --egress nat-gateway"],
    ["a new NAT gateway on an existing subnet", { ...nat, subnetId }, "pass its ID as --nat-gateway-id"],
    [
      "addresses of an existing NAT gateway",
      { ...nat, natGatewayId, outboundAddresses: "2" },
      "the existing NAT gateway has its own addresses",
    ],
    ["a prefix of an existing NAT gateway", { ...nat, natGatewayId, publicIpPrefixId: [prefix] }, "has its own addresses"],
    ["addresses with routing", { ...routed, routeTableId, outboundAddresses: "2" }, "no public IP address is used"],
    ["a prefix with routing", { ...routed, routeTableId, publicIpPrefixId: [prefix] }, "no public IP address is used"],
    ["addresses and a prefix", { outboundAddresses: "2", publicIpPrefixId: [prefix] }, "used instead of new ones"],
    ["a prefix twice", { publicIpPrefixId: [prefix, prefix.toUpperCase()] }, "--public-ip-prefix-id: names a prefix twice"],
    ["no address", { outboundAddresses: "0" }, '--outbound-addresses: "0" is not between 1 and 16'],
    ["too many addresses", { outboundAddresses: "17" }, '--outbound-addresses: "17" is not between 1 and 16'],
    ["workers of a NAT gateway", { ...nat, expectedNodes: "10" }, "--expected-nodes: requires --egress load-balancer"],
    ["no workers", { expectedNodes: "0" }, '--expected-nodes: "0" is not between 1 and 5000'],
    ["more workers than ports", { expectedNodes: "1001" }, "--expected-nodes: 1001 workers of 1 address get fewer than 64 ports each"],
    ["more workers than ports, with the number that helps", { expectedNodes: "2500", outboundAddresses: "2" }, "--outbound-addresses 3"],
    [
      "a NAT gateway of another subscription",
      { ...nat, natGatewayId, subscription: "22222222-2222-2222-2222-222222222222" },
      `--nat-gateway-id: is in subscription ${subscription}`,
    ],
  ])("%s", async (_what, flags, message) => {
    expect((await only(flags)).join("\n")).toContain(message);
  });
});

describe("the ports of a worker", () => {
  test.each<[nodes: number | undefined, addresses: number, ports: number]>([
    [undefined, 1, 1024],
    [1, 1, 64_000],
    [2, 4, 64_000],
    [3, 1, 21_328],
    [62, 1, 1032],
    [100, 1, 640],
    [100, 3, 1920],
    [1000, 1, 64],
  ])("of %s expected with %i addresses are a multiple of 8 that fits: %i", (expectedNodes, addresses, ports) => {
    expect(portsPerNode({ expectedNodes }, addresses)).toBe(ports);
    expect(ports % 8).toBe(0);
    if (expectedNodes !== undefined) expect(ports * expectedNodes).toBeLessThanOrEqual(addresses * 64_000);
  });

  test("need an address for each 1,000 workers", () => {
    expect([1, 1000, 1001, 5000].map(neededAddresses)).toEqual([1, 1, 2, 5]);
    expect(outboundNames("a", 3)).toEqual(["a", "a-2", "a-3"]);
    expect([28, 31, 32].map(addressesOfPrefix)).toEqual([16, 2, 1]);
  });
});
