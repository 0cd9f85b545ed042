/** Which IDs are those of a cluster's resources, one line a case. */
import { expect, test } from "vitest";
import { clusterOwns, clusterPlaces, clusterResource, isManagedGroup } from "../../src/domain/cluster-resource.js";
import { typesCreatedBy } from "../../src/domain/resource-catalogue.js";
import { resourceTypes } from "../../src/domain/resource-types.js";

const cluster = { name: "demo", infraId: "x7k2" };
const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups";
const network = "Microsoft.Network";

/** Group, type and name of a resource, or only a group; the group that it is in, and its naming schemes. */
const cases: readonly (readonly [path: string, found: string])[] = [
  ["demo-x7k2", "managed: documented hypershift"],
  ["demo-x7k2-vnet", "vnet: documented"],
  ["demo-x7k2-nsg", "nsg: documented"],
  ["demo-vnet-x7k2", "vnet: hypershift"],
  ["demo-nsg-x7k2", "nsg: hypershift"],
  ["DEMO-X7K2", "managed: documented hypershift"],
  ["demo", "none"],
  ["demo-x7k2-dns", "none"],
  ["old", "none"],
  [`demo-x7k2-vnet/${network}/virtualNetworks/demo-x7k2`, "vnet: documented"],
  [`demo-vnet-x7k2/${network}/virtualNetworks/demo-x7k2`, "vnet: hypershift"],
  [`demo-x7k2/${network}/virtualNetworks/demo-x7k2`, "managed: documented hypershift"],
  [`DEMO-x7k2-VNET/microsoft.network/virtualnetworks/Demo-X7k2`, "vnet: documented"],
  [`demo-x7k2-vnet/${network}/virtualNetworks/other`, "none"],
  [`demo-x7k2-nsg/${network}/virtualNetworks/demo-x7k2`, "none"],
  [`other/${network}/virtualNetworks/demo-x7k2`, "none"],
  [`old/${network}/virtualNetworks/demo-x7k2`, "managed: documented hypershift"],
  [`demo-x7k2-nsg/${network}/networkSecurityGroups/demo-x7k2-nsg`, "nsg: documented"],
  [`demo-x7k2-nsg/${network}/networkSecurityGroups/demo-x7k2`, "none"],
  [`demo-x7k2/${network}/networkSecurityGroups/demo-x7k2-nsg`, "managed: documented hypershift"],
  [`demo-x7k2/${network}/privateDnsZones/demo-azurecluster.example.com/virtualNetworkLinks/demo-x7k2`, "managed: documented"],
  [`demo-x7k2/${network}/loadBalancers/x7k2`, "managed: documented hypershift"],
  [`demo-x7k2-vnet/${network}/loadBalancers/x7k2`, "none"],
  [`demo-x7k2/${network}/publicIPAddresses/x7k2`, "managed: documented hypershift"],
  [`demo-x7k2/${network}/publicIPAddresses/x7k2-nat`, "managed: documented hypershift"],
  [`demo-x7k2/${network}/publicIPAddresses/x7k2-web`, "none"],
  [`demo-x7k2/${network}/natGateways/x7k2-nat`, "managed: documented hypershift"],
  [`demo-x7k2-vnet/${network}/privateDnsZones/demo-azurecluster.example.com`, "vnet: documented"],
  [`demo-x7k2/${network}/privateDnsZones/demo-azurecluster.example.com`, "managed: documented"],
  [`demo-x7k2/${network}/privateDnsZones/demo.example.com`, "managed: hypershift"],
  [`demo-x7k2-vnet/${network}/privateDnsZones/demo.example.com`, "none"],
  [`demo-x7k2-vnet/${network}/privateDnsZones/demo-azurecluster.`, "none"],
  [`demo-x7k2-vnet/${network}/privateDnsZones/other.example.com`, "none"],
  [`demo-x7k2/${network}/privateDnsZones/demo.example.com/virtualNetworkLinks/demo-x7k2`, "managed: hypershift"],
  [`demo-x7k2/${network}/privateDnsZones/demo.example.com/virtualNetworkLinks/other`, "none"],
  [`demo-x7k2/${network}/privateDnsZones/other.example.com/virtualNetworkLinks/demo-x7k2`, "none"],
  ["demo-x7k2/Microsoft.Compute/disks/x7k2", "none"],
];

test.each(cases)("%s: %s", (path, expected) => {
  const [name = "", ...rest] = path.split("/");
  const id = [subscription, name, ...(rest.length === 0 ? [] : ["providers", ...rest])].join("/");
  const found = clusterResource({ cluster, existingGroups: ["old"] }, id);
  expect(found ? `${found.group}: ${found.namings.join(" ")}` : "none").toBe(expected);
});

test("any group may be the existing one if it is unknown, but no group itself gets a name that way", () => {
  const balancer = `${subscription}/any/providers/${network}/loadBalancers/x7k2`;
  expect(clusterResource({ cluster, existingGroups: undefined }, balancer)?.group).toBe("managed");
  expect(clusterResource({ cluster, existingGroups: [] }, balancer)).toBeUndefined();
  expect(clusterResource({ cluster, existingGroups: undefined }, `${subscription}/any`)).toBeUndefined();
});

test("every type that create infra creates has names, which a private zone has from its base domain", () => {
  const nameless = typesCreatedBy(new Set(["infra"])).filter(({ use }) => use.names === undefined);
  expect(nameless.map(({ type }) => type)).toEqual([resourceTypes.privateDnsZone.type, resourceTypes.virtualNetworkLink.type]);
});

test("an existing group is a place of the cluster only if there is one", () => {
  expect(clusterPlaces(cluster, undefined)).toEqual({ cluster, existingGroups: [] });
  expect(clusterPlaces(cluster, "old")).toEqual({ cluster, existingGroups: ["old"] });
});

test("the managed group has one name, in any casing", () => {
  expect(isManagedGroup(cluster, "DEMO-x7k2")).toBe(true);
  for (const group of ["demo-x7k2-vnet", "demo-vnet-x7k2", "old", ""]) expect(isManagedGroup(cluster, group)).toBe(false);
});

test("tags and a name in its place together are needed to own something", () => {
  const places = clusterPlaces(cluster, "old");
  const id = `${subscription}/demo-x7k2/providers/${network}/loadBalancers/x7k2`;
  const tags = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "x7k2" };
  expect(clusterOwns(places, { id, tags })).toBe(true);
  expect(clusterOwns(places, { id })).toBe(false);
  expect(clusterOwns(places, { id, tags: { ...tags, "aro-hcp-name": "other" } })).toBe(false);
  expect(clusterOwns(places, { id: id.replace("x7k2/providers", "other/providers"), tags })).toBe(false);
  expect(clusterOwns(places, { tags })).toBe(false);
});
