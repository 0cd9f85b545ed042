/** The removal order: referring resources before referenced ones, without a cycle. */
import { expect, test } from "vitest";
import { buildGraph } from "../../src/engine/graph.js";
import { isRemovedBefore, isOrdered, rows } from "../../src/domain/resource-catalogue.js";

const compute = (kind: string) => `Microsoft.Compute/${kind}`;
const network = (kind: string) => `Microsoft.Network/${kind}`;

const types = rows.map(({ type }) => type);

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
  expect(isRemovedBefore(first, then)).toBe(true);
  expect(isRemovedBefore(first.toUpperCase(), then.toLowerCase())).toBe(true);
  expect(isRemovedBefore(then, first)).toBe(false);
});

test("the order has no cycle: in any set of types, one can be deleted first", () => {
  const nodes = types.map((id) => ({ id, needs: types.filter((first) => isRemovedBefore(first, id)) }));
  expect(buildGraph(nodes).order).toHaveLength(types.length);
});

test("every type of the table has a removal order, and an unknown type is deleted with its group", () => {
  expect(types.filter((kind) => !isOrdered(kind))).toEqual([]);
  expect(isOrdered("Microsoft.Sql/servers")).toBe(false);
});
