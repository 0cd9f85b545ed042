/** Which existing group is a cluster's: that of an option, or the only one with its load balancer or first address. */
import { expect, test } from "vitest";
import { placesOf, showsGroup, shownGroup } from "../../src/removal/existing-groups.js";

const cluster = { name: "demo", infraId: "x7k2" };
const ours = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "x7k2" };
const groups = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups";
const resource = (group: string, type: string, name: string, tags: object | undefined = ours) => ({
  id: `${groups}/${group}/providers/Microsoft.Network/${type}/${name}`,
  tags: tags as Record<string, string> | undefined,
});
const balancer = (group: string, tags?: object) => resource(group, "loadBalancers", "X7K2", tags);
const address = (group: string) => resource(group, "publicIPAddresses", "x7k2");

test.each([
  ["the load balancer", [balancer("old")], "old"],
  ["the first address", [address("old")], "old"],
  ["both, with the group in other letters", [balancer("old"), address("OLD")], "old"],
  ["the load balancer and its copy elsewhere", [balancer("old"), address("old"), balancer("copy")], undefined],
  ["the load balancer without tags", [balancer("old", {})], undefined],
  ["the load balancer of another cluster", [balancer("old", { ...ours, "aro-hcp-infra-id": "next" })], undefined],
  ["a second address", [resource("old", "publicIPAddresses", "x7k2-nat")], undefined],
  ["another type of that name", [resource("old", "natGateways", "x7k2")], undefined],
  ["the network", [resource("old", "virtualNetworks", "demo-x7k2")], undefined],
  ["the load balancer in the cluster's own group", [balancer("demo-x7k2")], undefined],
  ["nothing", [], undefined],
])("a group with %s", (_what, tagged, shown) => {
  expect(shownGroup(cluster, [], tagged)).toBe(shown);
  expect(placesOf({ cluster, existingGroup: undefined }, { groups: [], tagged })).toEqual({
    cluster,
    existingGroups: shown === undefined ? [] : [shown],
  });
});

test("a cluster with its own managed group has no existing one", () => {
  const managed = { id: `${groups}/demo-x7k2`, tags: ours };
  expect(shownGroup(cluster, [managed], [balancer("old")])).toBeUndefined();
  const others = [{ id: managed.id }, { id: `${groups}/demo-x7k2-vnet`, tags: ours }, { id: `${groups}/old`, tags: ours }];
  expect(shownGroup(cluster, others, [balancer("old")])).toBe("old");
  expect(shownGroup(cluster, [others[2] ?? {}, managed], [balancer("old")])).toBeUndefined();
});

test("the group of the option is one too", () => {
  const places = placesOf({ cluster, existingGroup: "given" }, { groups: [], tagged: [balancer("old")] });
  expect(places.existingGroups).toEqual(["given", "old"]);
});

test("only the load balancer and the first address show a group", () => {
  expect(showsGroup(cluster, balancer("any").id)).toBe(true);
  expect(showsGroup(cluster, address("any").id)).toBe(true);
  for (const id of [resource("any", "publicIPAddresses", "x7k2-nat").id, resource("any", "natGateways", "x7k2").id, `${groups}/any`])
    expect(showsGroup(cluster, id), id).toBe(false);
});
