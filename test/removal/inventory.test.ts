/** What the inventory of a cluster decides about each group, resource and role assignment that Azure lists. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { describe, expect, test } from "vitest";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { resourceTypes } from "../../src/domain/resource-types.js";
import { clusterGroups, decideInventory, type Inventory } from "../../src/removal/inventory.js";
import { noNetworkLists, type SubscriptionLists } from "../../src/removal/subscription-lists.js";

const cluster = { name: "demo", infraId: "demo-x7k2" };
const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const ours = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" };
const theirs = { "aro-hcp-name": "next", "aro-hcp-infra-id": "next-a1b2" };

type Tags = Record<string, string>;
interface Group {
  readonly name: string;
  readonly tags?: Tags;
  readonly state?: string;
}
interface Resource {
  readonly in: string;
  /** As Azure spells it. */
  readonly type: string;
  /** Of a child, "zone/link". */
  readonly name?: string;
  readonly tags?: Tags;
}
interface Situation {
  readonly groups: readonly Group[];
  readonly resources?: readonly Resource[];
  readonly assignments?: readonly RoleAssignment[];
  readonly existingGroup?: string;
  /** Of the public zone. */
  readonly zoneGroup?: string;
}

const idOf = (name: string) => `${subscription}/resourceGroups/${name}`;
const listed = ({ in: group, type, name = "one", tags }: Resource) => {
  const names = name.split("/");
  const [namespace, ...types] = type.split("/");
  const path = types.flatMap((part, at) => [part, names[at]]).join("/");
  return { id: `${idOf(group)}/providers/${namespace ?? ""}/${path}`, type, name, ...(tags && { tags }) };
};

/** The inventory of the cluster, from plain values. */
function inventoryOf({ groups, resources = [], assignments = [], existingGroup, zoneGroup = "dns" }: Situation): Inventory {
  const lists: SubscriptionLists = {
    groups: groups.map(({ name, tags, state = "Succeeded" }) => ({
      id: idOf(name),
      name,
      location: "eastus",
      properties: { provisioningState: state },
      ...(tags && { tags }),
    })),
    tagged: resources.filter(({ tags = {} }) => "aro-hcp-infra-id" in tags).map(listed),
    loadBalancers: [],
    assignments,
  };
  const search = { cluster, existingGroup, otherSubscriptions: [] };
  const places = { ...noNetworkLists, publicZones: [`${idOf(zoneGroup)}/providers/Microsoft.Network/dnszones/example.com`] };
  const contentsOf = (group: string | undefined) => resources.filter((one) => one.in === group).map(listed);
  return decideInventory(
    search,
    lists,
    clusterGroups(search, lists).map((one) => ({ ...one, listed: contentsOf(one.group.name) })),
    places,
  );
}

const kubernetes = { "k8s-azure-cluster-name": "demo-x7k2" };
const unnamed = { "kubernetes.io-created-for-pv-name": "pv" };
const otherKubernetes = { "k8s-azure-cluster-name": "next-a1b2" };
const { virtualNetwork, publicIpAddress, disk, natGateway, keyVault } = resourceTypes;
/** The managed group. */
const own = "demo-demo-x7k2";
/** Of the virtual network. */
const vnet = own;

/** The resource, the owner of the group, and the expected owner of the resource. The name is that of our virtual network. */
const origins: readonly (readonly [what: string, group: "our" | "existing", type: string, tags: Tags | undefined, origin: string])[] = [
  ["our tags", "our", virtualNetwork.type, ours, "ours"],
  ["our tags", "existing", virtualNetwork.type, ours, "ours"],
  ["our tags in capitals", "our", virtualNetwork.type, { "ARO-HCP-NAME": "demo", "ARO-HCP-INFRA-ID": "demo-x7k2" }, "ours"],
  ["our tags on a type with another name", "our", natGateway.type, ours, "foreign"],
  ["our tags on a type of another create command", "our", keyVault.type, ours, "foreign"],
  ["our tags on a type of no create command", "our", disk.type, ours, "foreign"],
  ["no tags", "our", virtualNetwork.type, undefined, "foreign"],
  ["one of our two tags", "our", virtualNetwork.type, { "aro-hcp-infra-id": "demo-x7k2" }, "foreign"],
  ["the tags of another cluster", "our", natGateway.type, theirs, "foreign"],
  ["the tag of our Kubernetes", "our", disk.type, kubernetes, "kubernetes"],
  ["the tag of our Kubernetes", "existing", disk.type, kubernetes, "kubernetes"],
  ["the tag of another Kubernetes", "our", disk.type, otherKubernetes, "foreign"],
  ["the tag of an unnamed Kubernetes", "our", disk.type, unnamed, "kubernetes"],
  ["the tag of an unnamed Kubernetes", "existing", disk.type, unnamed, "foreign"],
  ["the tags of our Kubernetes and of another cluster", "our", disk.type, { ...kubernetes, ...theirs }, "foreign"],
];

test.each(origins)("a resource with %s in the %s group", (_what, owner, type, tags, origin) => {
  const group = owner === "our" ? own : "g";
  const { groups } = inventoryOf({
    groups: [{ name: group, ...(owner === "our" && { tags: ours }) }],
    resources: [{ in: group, type, name: vnet, ...(tags && { tags }) }],
    existingGroup: group,
  });
  expect(groups[0]?.contents.map((one) => one.origin)).toEqual([origin]);
});

const neighbors: readonly (readonly [what: string, tags: Tags | undefined, origin: string])[] = [
  ["a resource without tags", undefined, "kubernetes"],
  ["a resource of our Kubernetes", kubernetes, "kubernetes"],
  ["a resource of another cluster", theirs, "foreign"],
  ["a resource of another Kubernetes", otherKubernetes, "foreign"],
];

test.each(neighbors)("a disk of an unnamed Kubernetes in our group, next to %s", (_what, tags, origin) => {
  const { groups } = inventoryOf({
    groups: [{ name: own, tags: ours }],
    resources: [
      { in: own, type: disk.type, name: "pv", tags: unnamed },
      { in: own, type: disk.type, name: "neighbor", ...(tags && { tags }) },
    ],
  });
  expect(groups[0]?.contents[0]).toMatchObject({ name: "pv", origin });
});

const parents: readonly (readonly [what: string, tags: Tags | undefined, origin: string])[] = [
  ["our zone", ours, "ours"],
  ["a zone of our Kubernetes", kubernetes, "kubernetes"],
  ["a zone of others", undefined, "foreign"],
];

test.each(parents)("a link without tags in %s has the owner of its zone", (_what, tags, origin) => {
  const { groups } = inventoryOf({
    groups: [{ name: own, tags: ours }],
    resources: [
      { in: own, type: resourceTypes.privateDnsZone.type, name: "demo.example.com", ...(tags && { tags }) },
      { in: own, type: resourceTypes.virtualNetworkLink.type, name: "demo.example.com/link" },
    ],
  });
  expect(groups[0]?.contents[1]).toMatchObject({ name: "link", origin });
});

test("a link that Azure lists before its zone has the owner of the zone too", () => {
  const zone = { in: own, type: resourceTypes.privateDnsZone.type, name: "demo.example.com", tags: ours };
  const link = { in: own, type: resourceTypes.virtualNetworkLink.type, name: "demo.example.com/link" };
  const { groups } = inventoryOf({ groups: [{ name: own, tags: ours }], resources: [link, zone] });
  expect(groups[0]?.contents.map(({ origin }) => origin)).toEqual(["ours", "ours"]);
});

const unowned = "created neither by aro-hcp nor by this cluster";
const existing = "not created by aro-hcp";
const copied = "has the ownership tags but not a name that this cluster gives";
const unrecorded =
  "has tags and a name of this cluster, but nothing shows that resource group g is the cluster's; if it is, pass --resource-group-name g to destroy infra";
const named = "has a name of this cluster but not its ownership tags";
/** "g ours", "g not ours", "g ours, deleting", for each group that is found; then what is kept. */
const groupCases: readonly (readonly [what: string, situation: Situation, groups: readonly string[], kept: readonly string[]])[] = [
  ["a group with our tags and name", { groups: [{ name: own, tags: ours }] }, [`${own} ours`], []],
  ["a group with our tags that is deleting", { groups: [{ name: own, tags: ours, state: "Deleting" }] }, [`${own} ours, deleting`], []],
  ["a group with our tags and another name", { groups: [{ name: "g", tags: ours }] }, [], [`g: ${copied}`]],
  ["a group of another cluster", { groups: [{ name: "g", tags: theirs }] }, [], []],
  ["a group without tags", { groups: [{ name: "g" }] }, [], []],
  ["a group of our name without tags", { groups: [{ name: own }] }, [], [`${own}: ${named}`]],
  ["a group of our name with the tags of others", { groups: [{ name: own, tags: theirs }] }, [], [`${own}: ${named}`]],
  ["the existing group", { groups: [{ name: "g" }], existingGroup: "g" }, ["g not ours"], [`g: ${existing}`]],
  ["the existing group in another casing", { groups: [{ name: "g" }], existingGroup: "G" }, ["g not ours"], [`g: ${existing}`]],
  ["the existing group with a capital letter", { groups: [{ name: "G" }], existingGroup: "g" }, ["G not ours"], [`G: ${existing}`]],
  ["the existing group with our tags", { groups: [{ name: "g", tags: ours }], existingGroup: "g" }, ["g not ours"], [`g: ${existing}`]],
  ["an existing group that was deleted", { groups: [], existingGroup: "g" }, [], []],
  [
    "a group of others with a resource of ours",
    { groups: [{ name: "g" }], resources: [{ in: "g", type: virtualNetwork.type, name: vnet, tags: ours }] },
    [],
    [`${vnet}: ${unrecorded}`],
  ],
  [
    "a group of others with our address",
    {
      groups: [{ name: "g" }],
      resources: [
        { in: "g", type: publicIpAddress.type, name: "demo-x7k2", tags: ours },
        { in: "g", type: virtualNetwork.type, name: "theirs", tags: ours },
      ],
    },
    ["g not ours"],
    [`g: ${existing}`, `theirs: ${copied}`],
  ],
  [
    "a group of others with a resource of another cluster",
    { groups: [{ name: "g" }], resources: [{ in: "g", type: virtualNetwork.type, tags: theirs }] },
    [],
    [],
  ],
  [
    "a group of others with a resource of ours and one of another owner",
    {
      groups: [{ name: "g" }],
      resources: [
        { in: "g", type: virtualNetwork.type, name: vnet, tags: ours },
        { in: "g", type: disk.type, name: "theirs" },
      ],
      existingGroup: "g",
    },
    ["g not ours"],
    [`g: ${existing}`, `theirs: ${unowned}`],
  ],
  [
    "our group with a resource of others",
    { groups: [{ name: own, tags: ours }], resources: [{ in: own, type: disk.type, name: "theirs" }] },
    [`${own} ours`],
    [],
  ],
];

test.each(groupCases)("finds %s", (_what, situation, groups, kept) => {
  const inventory = inventoryOf(situation);
  const inWords = inventory.groups.map((one) => `${one.name} ${one.ours ? "ours" : "not ours"}${one.deleting ? ", deleting" : ""}`);
  expect(inWords).toEqual(groups);
  expect(inventory.kept.map(({ id, why }) => `${id.split("/").at(-1) ?? ""}: ${why.replace(/^.*, not made/, "not made")}`)).toEqual(kept);
});

test.each([
  ["no resource of another cluster", {}, []],
  ["a group", { groups: [{ name: "h", tags: theirs }] }, ["next-a1b2"]],
  ["a resource", { groups: [{ name: "h" }], resources: [{ in: "h", type: natGateway.type, tags: theirs }] }, ["next-a1b2"]],
  ["a group with tags in capitals", { groups: [{ name: "h", tags: { "ARO-HCP-INFRA-ID": "next-a1b2" } }] }, ["next-a1b2"]],
])("lists the other clusters if the subscription has %s", (_what, situation, infraIds) => {
  const { groups = [], ...more }: Partial<Situation> = situation;
  expect(inventoryOf({ ...more, groups: [{ name: own, tags: ours }, ...groups] }).otherClusters.map(({ infraId }) => infraId)).toEqual(
    infraIds,
  );
});

test.each([
  ["a group", { groups: [{ name: "g", tags: { ...ours, "aro-hcp-name": "other" } }] }],
  ["a resource", { groups: [{ name: "g" }], resources: [{ in: "g", type: natGateway.type, tags: { ...ours, "aro-hcp-name": "other" } }] }],
  ["a group, in capitals", { groups: [{ name: "g", tags: { "ARO-HCP-INFRA-ID": "demo-x7k2", "ARO-HCP-NAME": "other" } }] }],
])("refuses the infra ID if %s has it with another cluster name", (_what, situation: Situation) => {
  expect(() => inventoryOf(situation)).toThrow(/belongs to cluster "other", not to "demo"/);
});

test.each([
  ["our group", { groups: [{ name: own, tags: { ...ours, "aro-hcp-arc": "edge" } }] }],
  [
    "a resource of ours",
    {
      groups: [{ name: own, tags: ours }],
      resources: [{ in: own, type: virtualNetwork.type, name: vnet, tags: { ...ours, "aro-hcp-arc": "edge" } }],
    },
  ],
])("refuses %s with the tag of a second owner", (_what, situation: Situation) => {
  expect(() => inventoryOf(situation)).toThrow(/a second owner/);
});

test("the tags of a second owner on a group or a resource of others are their own matter", () => {
  const both = { ...ours, "aro-hcp-arc": "edge" };
  const situation = { groups: [{ name: "g", tags: both }], resources: [{ in: "g", type: disk.type, tags: both }], existingGroup: "g" };
  expect(inventoryOf(situation).groups).toHaveLength(1);
});

test("the load balancer and the first address show the existing group, and only with our tags and outside of the managed group", () => {
  const marks = [resourceTypes.loadBalancer, publicIpAddress].map(({ type }) => ({ type, name: "demo-x7k2" }));
  const shown = (group: string, tags: Tags | undefined, resources: readonly { type: string; name: string }[] = marks) =>
    inventoryOf({
      groups: [{ name: group, ...(group === own && { tags: ours }) }],
      resources: resources.map((one) => ({ ...one, in: group, ...(tags && { tags }) })),
      existingGroup: group,
    }).groups[0]?.contents.map(({ showsGroup }) => showsGroup);
  expect(shown("g", ours)).toEqual([true, true]);
  expect(shown("g", ours, [{ type: natGateway.type, name: "demo-x7k2-nat" }])).toEqual([undefined]);
  expect(shown("g", undefined)).toEqual([undefined, undefined]);
  expect(shown(own, ours)).toEqual([undefined, undefined]);
});

test("only a resource of others has copied tags", () => {
  const { groups } = inventoryOf({
    groups: [{ name: own, tags: ours }],
    resources: [
      { in: own, type: virtualNetwork.type, name: vnet, tags: ours },
      { in: own, type: natGateway.type, name: "copy", tags: ours },
      { in: own, type: disk.type, name: "theirs" },
    ],
  });
  expect(groups[0]?.contents.map(({ copiedTags }) => copiedTags)).toEqual([undefined, true, undefined]);
});

test("what others add to a resource of theirs stays theirs, and a resource without a parent is its own", () => {
  const { groups } = inventoryOf({
    groups: [{ name: own, tags: ours }],
    resources: [
      { in: own, type: virtualNetwork.type, name: vnet, tags: ours },
      { in: own, type: resourceTypes.privateDnsZone.type, name: "theirs.example.com" },
      { in: own, type: resourceTypes.virtualNetworkLink.type, name: "theirs.example.com/link", tags: kubernetes },
    ],
  });
  expect(groups[0]?.contents.map(({ origin }) => origin)).toEqual(["ours", "foreign", "kubernetes"]);
});

describe("role assignments", () => {
  const dns = idOf("dns");
  const assignment = (infraId: string, component: string, scope: string, principalId = "p-0"): RoleAssignment => {
    const name = roleAssignmentName(infraId, component, scope);
    return { id: `${infraId} ${component}`, name, scope, principalId, roleDefinitionId: "/roleDefinitions/x" };
  };
  const our = assignment("demo-x7k2", "ingress", dns);
  const usedByOther = "cluster next-a1b2 has the same identity and needs the assignment";
  /** The assignments in the subscription, the removed ones, and the kept ones with the reason. */
  const rows: readonly (readonly [
    what: string,
    assignments: readonly RoleAssignment[],
    removed: readonly string[],
    kept: readonly string[],
  ])[] = [
    ["is the only one", [our], ["demo-x7k2 ingress"], []],
    ["has its name in capitals", [{ ...our, name: our.name?.toUpperCase() ?? "" }], ["demo-x7k2 ingress"], []],
    ["is on a scope in another casing", [{ ...our, scope: dns.replace("resourceGroups", "resourcegroups") }], ["demo-x7k2 ingress"], []],
    ["has a name that is not computed from it", [{ ...our, name: "8b1a9953-c461-4296-a827-abf8c47804d7" }], [], []],
    ["is of another cluster", [assignment("next-a1b2", "ingress", dns)], [], []],
    [
      "has an identity that another cluster uses elsewhere",
      [our, assignment("next-a1b2", "ingress", idOf("next"))],
      [],
      [`demo-x7k2 ingress: ${usedByOther}`],
    ],
    [
      "has a component that another cluster gives another identity",
      [our, assignment("next-a1b2", "ingress", idOf("next"), "p-1")],
      ["demo-x7k2 ingress"],
      [],
    ],
    [
      "has an identity that another cluster uses for another component",
      [our, assignment("next-a1b2", "cncc", idOf("next"))],
      ["demo-x7k2 ingress"],
      [],
    ],
    ["has an identity of a deleted cluster", [our, assignment("gone-c3d4", "ingress", idOf("next"))], ["demo-x7k2 ingress"], []],
    [
      "is on our group, and another cluster has its identity",
      [assignment("demo-x7k2", "cpo", idOf(own)), assignment("next-a1b2", "cpo", idOf("next"))],
      ["demo-x7k2 cpo"],
      [],
    ],
  ];

  test.each(rows)("one that %s", (_what, assignments, removed, kept) => {
    const groups = [{ name: own, tags: ours }, { name: "next", tags: theirs }, { name: "dns" }];
    const inventory = inventoryOf({ groups, assignments });
    expect(inventory.assignments.map(({ id }) => id)).toEqual(removed);
    expect(inventory.kept.map(({ id, why }) => `${id}: ${why}`)).toEqual(kept);
  });

  test.each([
    ["of ours, which is deleted", own, ["demo-x7k2 ingress"], []],
    ["of others, which stays", "g", [], [`demo-x7k2 ingress: ${usedByOther}`]],
  ])("one on a group %s, with a zone and an identity that another cluster uses", (_what, group, removed, kept) => {
    const groups = [{ name: own, tags: ours }, { name: "g" }, { name: "next", tags: theirs }];
    const assignments = [assignment("demo-x7k2", "ingress", idOf(group)), assignment("next-a1b2", "ingress", idOf("next"))];
    const inventory = inventoryOf({ groups, assignments, existingGroup: "g", zoneGroup: group });
    expect(inventory.assignments.map(({ id }) => id)).toEqual(removed);
    expect(inventory.kept.filter(({ why }) => why === usedByOther).map(({ id, why }) => `${id}: ${why}`)).toEqual(kept);
  });
});
