/** One comparison of what is wanted with what exists, for resources of every feature. */
import { expect, test } from "vitest";
import { compare } from "../../src/domain/compare.js";

const securityGroup = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/n";
const wanted = {
  location: undefined,
  subnets: [{ name: "default", properties: { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: securityGroup } } }],
};

test("Azure's spelling of names and IDs, a range as a list of one, and values that nobody sets are no differences", () => {
  const properties = { addressPrefixes: ["10.0.0.0/24"], networkSecurityGroup: { id: securityGroup.toUpperCase() }, delegations: [] };
  expect(compare(wanted, { location: "eastus", subnets: [{ name: "other" }, { name: "Default", properties }] })).toEqual([]);
});

test("a difference names the list item by its name", () => {
  const properties = { addressPrefixes: ["10.0.1.0/24"], networkSecurityGroup: { id: securityGroup } };
  expect(compare(wanted, { subnets: [{ name: "default", properties }] })).toEqual([
    { path: "subnets[default].properties.addressPrefix", from: "10.0.1.0/24", to: "10.0.0.0/24" },
  ]);
});

test("an item without a name may have more members than are wanted", () => {
  const wantedEndpoints = { serviceEndpoints: [{ service: "Microsoft.Storage" }] };
  const storage = { service: "Microsoft.Storage", locations: ["*"], provisioningState: "Succeeded" };
  expect(compare(wantedEndpoints, { serviceEndpoints: [storage] })).toEqual([]);
  expect(compare(wantedEndpoints, { serviceEndpoints: [{ ...storage, service: "Microsoft.KeyVault" }] })).toHaveLength(1);
});
