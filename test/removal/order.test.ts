/** The order of removal: what refers goes before what is referred to, without a circle. */
import { expect, test } from "vitest";
import { buildGraph } from "../../src/engine/graph.js";
import { goesBefore, isOrdered } from "../../src/removal/order.js";

const compute = (kind: string) => `Microsoft.Compute/${kind}`;
const network = (kind: string) => `Microsoft.Network/${kind}`;

const kinds = [
  ...["virtualMachines", "virtualMachineScaleSets", "availabilitySets", "snapshots", "disks"].map(compute),
  ...["networkInterfaces", "loadBalancers", "publicIPAddresses", "natGateways", "privateEndpoints", "privateLinkServices"].map(network),
  ...["privateDnsZones", "privateDnsZones/virtualNetworkLinks", "virtualNetworks", "networkSecurityGroups", "routeTables"].map(network),
];

/** Azure's refusals that this order avoids: `[what must be gone, before what]`. */
test.each([
  [compute("virtualMachines"), compute("disks")],
  [compute("virtualMachines"), network("networkInterfaces")],
  [network("networkInterfaces"), network("loadBalancers")],
  [network("loadBalancers"), network("publicIPAddresses")],
  [network("loadBalancers"), network("virtualNetworks")],
  [network("virtualNetworks"), network("natGateways")],
  [network("virtualNetworks"), network("networkSecurityGroups")],
  [network("networkInterfaces"), network("networkSecurityGroups")],
  [network("privateDnsZones/virtualNetworkLinks"), network("privateDnsZones")],
  [network("privateDnsZones/virtualNetworkLinks"), network("virtualNetworks")],
])("%s go before %s", (first, then) => {
  expect(goesBefore(first, then)).toBe(true);
  expect(goesBefore(first.toUpperCase(), then.toLowerCase())).toBe(true);
  expect(goesBefore(then, first)).toBe(false);
});

test("no circle: whatever is there, something can go first", () => {
  const nodes = kinds.map((id) => ({ id, needs: kinds.filter((first) => goesBefore(first, id)) }));
  expect(buildGraph(nodes).order).toHaveLength(kinds.length);
});

test("every kind here has its place, and an unknown kind is left to its group", () => {
  expect(kinds.filter((kind) => !isOrdered(kind))).toEqual([]);
  expect(isOrdered("Microsoft.Sql/servers")).toBe(false);
});
