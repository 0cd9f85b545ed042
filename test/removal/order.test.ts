/** The resources that a destroy of a cluster removes separately or with their group, their order, and the kept ones. */
import { expect, test } from "vitest";
import { resourceTypes, type ResourceTypeName } from "../../src/domain/resource-types.js";
import type { Inventory, FoundResource } from "../../src/removal/inventory.js";
import { removalsOf } from "../../src/infra/removal/removals.js";
import { cascadedResources, foreignRefusal, idsToRemove, retainedResources, type RemovalOptions } from "../../src/removal/selection.js";
import { unasked } from "../steps/every-graph.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";

type Item = ResourceTypeName | `Kubernetes ${ResourceTypeName}` | `foreign ${ResourceTypeName}` | "unknown";
interface Group {
  readonly name: string;
  readonly owner?: "others";
  readonly deleting?: true;
  readonly items?: readonly Item[];
  readonly roles?: number;
}

function resource(group: string, item: Item): FoundResource {
  const [first = "", second] = item.split(" ");
  const name = second ?? first;
  const type = name === "unknown" ? "Example.Thing/things" : resourceTypes[name as ResourceTypeName].type;
  const origin = second === undefined ? "ours" : first === "Kubernetes" ? "kubernetes" : "foreign";
  return { id: `/${group}/${name}`, type, name, group, origin };
}

/** Groups with resources named after their types, and with `roles` role assignments. */
function inventoryOf(groups: readonly Group[]): Inventory {
  const idOf = (name: string) => `${subscription}/resourceGroups/${name}`;
  return {
    groups: groups.map(({ name, owner, deleting = false, items = [] }) => {
      const contents = items.map((item) => resource(name, item));
      return { id: idOf(name), name, ours: owner === undefined, deleting, contents };
    }),
    assignments: groups.flatMap(({ name, roles = 0 }) =>
      Array.from({ length: roles }, (_, at) => {
        const facts = { component: "cpo" as const, principalId: "p-0", roleDefinitionId: "x" };
        return { id: `/${name}/role${String(at)}`, name: `${name}-role${String(at)}`, scope: idOf(name), ...facts };
      }),
    ),
    kept: [{ id: "/kept", why: "existing" }],
    otherClusters: [],
    networkUsers: [],
  };
}

const usual: RemovalOptions = { preserveGroups: false, deleteForeign: false };
const preserving: RemovalOptions = { ...usual, preserveGroups: true };

/** "/g/disk < a, b": the removal of the disk waits for a and b. */
function ordered(groups: readonly Group[], options: RemovalOptions): string[] {
  const short = (id: string) => id.replace(`${subscription.toLowerCase()}/resourcegroups/`, "group ").replace("role-assignment ", "");
  return removalsOf(unasked, inventoryOf(groups), options).map(({ id, after }) =>
    after.length === 0 ? short(id) : `${short(id)} < ${after.map(short).join(", ")}`,
  );
}

const orders: readonly (readonly [what: string, groups: readonly Group[], removals: readonly string[], options?: RemovalOptions])[] = [
  ["an empty group", [{ name: "g" }], ["group g"]],
  ["a group with a role", [{ name: "g", roles: 1 }], ["g-role0", "group g < g-role0"]],
  ["a role on a group of others", [{ name: "h", owner: "others", roles: 1 }, { name: "g" }], ["h-role0", "group g"]],
  ["a resource", [{ name: "g", items: ["disk"] }], ["/g/disk", "group g < /g/disk"]],
  [
    "a network and the resources that use it",
    [{ name: "g", items: ["virtualNetwork", "networkSecurityGroup", "loadBalancer"] }],
    [
      "/g/virtualnetwork < /g/loadbalancer",
      "/g/networksecuritygroup < /g/virtualnetwork",
      "/g/loadbalancer",
      "group g < /g/virtualnetwork, /g/networksecuritygroup, /g/loadbalancer",
    ],
  ],
  [
    "an address in another group than its load balancer",
    [
      { name: "g", items: ["publicIpAddress"] },
      { name: "h", items: ["loadBalancer"] },
    ],
    ["/g/publicipaddress < /h/loadbalancer", "/h/loadbalancer", "group g < /g/publicipaddress", "group h < /h/loadbalancer"],
  ],
  [
    "an endpoint of Kubernetes before its network",
    [{ name: "g", items: ["virtualNetwork", "Kubernetes privateEndpoint"] }],
    ["/g/virtualnetwork < /g/privateendpoint", "/g/privateendpoint", "group g < /g/virtualnetwork, /g/privateendpoint"],
  ],
  ["a group with a type that has no order", [{ name: "g", items: ["disk", "unknown"] }], ["group g"]],
  ["a group with a resource of others", [{ name: "g", items: ["disk", "foreign snapshot"] }], ["group g"]],
  [
    "a whole group before the network and the group of the network",
    [
      { name: "g", items: ["unknown"] },
      { name: "h", items: ["virtualNetwork"] },
    ],
    [`/h/virtualnetwork < group g`, "group g", "group h < /h/virtualnetwork, group g"],
  ],
  [
    "a disk, which no network waits for, next to a whole group",
    [
      { name: "g", items: ["unknown"] },
      { name: "h", items: ["disk"] },
    ],
    ["/h/disk", "group g", "group h < /h/disk, group g"],
  ],
  [
    "an interface elsewhere before a whole group, whose network it may use",
    [
      { name: "g", items: ["virtualNetwork", "unknown"] },
      { name: "h", items: ["Kubernetes networkInterface"] },
    ],
    ["/h/networkinterface", "group g < /h/networkinterface", "group h < /h/networkinterface, group g"],
  ],
  ["a group that is deleting", [{ name: "g", deleting: true, items: ["disk"] }], ["group g"]],
  [
    "our resources in a group of others",
    [{ name: "g", owner: "others", items: ["disk", "foreign snapshot", "Kubernetes publicIpAddress"] }],
    ["/g/disk", "/g/publicipaddress"],
  ],
  [
    "a group, with --preserve-resource-group",
    [{ name: "g", roles: 1, items: ["disk", "foreign disk", "unknown"] }],
    ["g-role0", "/g/disk", "/g/unknown"],
    preserving,
  ],
  ["a group that is deleting, with --preserve-resource-group", [{ name: "g", deleting: true, items: ["disk"] }], [], preserving],
];

test.each(orders.map((row) => [row[0], row] as const))("removes %s", (_what, [, groups, removals, options = usual]) => {
  expect(ordered(groups, options)).toEqual(removals);
});

const selections: readonly (readonly [
  what: string,
  group: Group,
  options: RemovalOptions,
  expected: { readonly gone: readonly string[]; readonly cascaded: readonly string[]; readonly kept: readonly string[] },
])[] = [
  ["a group of ours", { name: "g", items: ["disk"], roles: 1 }, usual, { gone: ["/g/disk", "/g/role0", "g"], cascaded: [], kept: [] }],
  [
    "a whole group",
    { name: "g", items: ["disk", "unknown"] },
    usual,
    { gone: ["/g/disk", "/g/unknown", "g"], cascaded: ["disk disk", "Example.Thing/things unknown"], kept: [] },
  ],
  [
    "a group with a resource of others",
    { name: "g", items: ["disk", "foreign snapshot"] },
    { ...usual, deleteForeign: true },
    { gone: ["/g/disk", "g"], cascaded: ["disk disk", "snapshot snapshot"], kept: [] },
  ],
  [
    "a group of others",
    { name: "g", owner: "others", items: ["disk", "foreign snapshot"] },
    usual,
    { gone: ["/g/disk"], cascaded: [], kept: [] },
  ],
  [
    "a group, with --preserve-resource-group",
    { name: "g", items: ["disk", "Kubernetes publicIpAddress", "foreign snapshot"] },
    preserving,
    {
      gone: ["/g/disk", "/g/publicIpAddress"],
      cascaded: [],
      kept: ["g: --preserve-resource-group keeps it", "/g/snapshot: created neither by aro-hcp nor by this cluster"],
    },
  ],
  ["a group of others, with --preserve-resource-group", { name: "g", owner: "others" }, preserving, { gone: [], cascaded: [], kept: [] }],
];

test.each(selections)("the removed, cascaded and kept resources of %s", (_what, group, options, { gone, cascaded, kept }) => {
  const inventory = inventoryOf([group]);
  const short = (id: string) => id.replace(`${subscription}/resourceGroups/`, "");
  expect(idsToRemove(inventory, options).map(short).toSorted()).toEqual([...gone].toSorted());
  expect(cascadedResources(inventory, options).map(({ title }) => title)).toEqual(cascaded);
  expect(retainedResources(inventory, options).map(({ id, why }) => `${short(id)}: ${why}`)).toEqual(["/kept: existing", ...kept]);
});

const refusals: readonly (readonly [what: string, groups: readonly Group[], options: RemovalOptions, because: string | undefined])[] = [
  ["only our resources", [{ name: "g", items: ["disk"] }], usual, undefined],
  ["a resource of Kubernetes", [{ name: "g", items: ["Kubernetes disk"] }], usual, undefined],
  ["a type that has no order", [{ name: "g", items: ["unknown"] }], usual, undefined],
  ["resources of others", [{ name: "g", items: ["foreign disk", "foreign snapshot"] }], usual, "/g/disk, /g/snapshot"],
  ["a resource of others, with --preserve-resource-group", [{ name: "g", items: ["foreign disk"] }], preserving, undefined],
  ["a resource of others, with --delete-foreign", [{ name: "g", items: ["foreign disk"] }], { ...usual, deleteForeign: true }, undefined],
  ["a resource of others in a group of others", [{ name: "g", owner: "others", items: ["foreign disk"] }], usual, undefined],
];

test.each(refusals)("whether a destroy refuses a group with %s", (_what, groups, options, because) => {
  const refusal = foreignRefusal(inventoryOf(groups), options);
  expect(refusal?.code).toBe(because === undefined ? undefined : "ARO-OWN-004");
  expect(refusal?.because).toBe(because);
});
