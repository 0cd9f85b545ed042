/** The order of removal: what refers goes before what is referred to, for any two kinds, without a circle. */
import fc from "fast-check";
import { expect, test } from "vitest";
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
  [compute("virtualMachines"), network("virtualNetworks")],
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

test("no two kinds wait for each other, and no kind for itself", () => {
  const kind = fc.constantFrom(...kinds);
  fc.assert(fc.property(kind, kind, (a, b) => !(goesBefore(a, b) && goesBefore(b, a))));
});

test("the order passes on: what goes before something goes before all that goes after it", () => {
  const kind = fc.constantFrom(...kinds);
  fc.assert(fc.property(kind, kind, kind, (a, b, c) => !(goesBefore(a, b) && goesBefore(b, c)) || goesBefore(a, c)));
});

test("every kind here has its place, and an unknown kind is left to its group", () => {
  expect(kinds.filter((kind) => !isOrdered(kind))).toEqual([]);
  expect(isOrdered("Microsoft.Sql/servers")).toBe(false);
});
