/** What `destroy all` decides: what blocks it, which groups it deletes, in what order, and what it keeps. */
import { expect, test } from "vitest";
import { resourceTypes } from "../../../src/domain/resource-types.js";
import { roleAssignmentName } from "../../../src/domain/role-assignment-name.js";
import { destroyAllFound, destroyAllRefusal, type DestroyAllInventory, type DestroyAllPlace } from "../../../src/all/removal.js";
import type { GroupReads } from "../../../src/removal/emptied-group.js";
import { clustersUsing } from "../../../src/removal/set-in-use.js";
import { unasked } from "../../steps/every-graph.js";

const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
const idOf = (group: string) => `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
const inGroup = (group: string, type: string, name: string) => `${idOf(group)}/providers/${type}/${name}`;

const place: DestroyAllPlace = {
  search: { cluster: { name: "demo", infraId: "demo-x7k2" }, existingGroup: undefined, otherSubscriptions: [] },
  key: { subscriptionId, name: "demo", groupName: "common", vaultName: "kv" },
  issuer: { groupName: "issuers", named: false, accountName: undefined },
};
const options = { preserveGroups: false, deleteForeign: false, purge: false };

const cluster = { id: idOf("demo"), name: "demo", ours: true, deleting: false, contents: [] };
const foreignDisk = {
  id: inGroup("demo", resourceTypes.disk.type, "d"),
  type: resourceTypes.disk.type,
  name: "d",
  group: "demo",
  origin: "foreign",
} as const;
const accountId = inGroup("issuers", resourceTypes.storageAccount.type, "one");
const account = {
  id: accountId,
  name: "one",
  group: "issuers",
  foreign: [],
  kids: [],
  grants: [],
  again: () => Promise.resolve(undefined),
};
const identityId = inGroup("common", resourceTypes.managedIdentity.type, "disk");
const identity = { component: "azure-disk-MI", id: identityId, name: "disk", principalId: "p-1" } as const;
const application = { component: "cpo", id: "a-0", displayName: "demo-cpo", principalId: "p-0" } as const;

/** A role assignment of an identity of the set, for the cluster with this infra ID. */
const roleFor = (infraId: string) => {
  const scope = idOf(`of-${infraId}`);
  const name = roleAssignmentName(infraId, "cpo", scope);
  return { id: `${scope}/${name}`, name, scope, principalId: "p-0", holder: "cpo", roleDefinitionId: "r" };
};

const clusterWith = (infraId: string, unassigned: readonly string[] = []) => ({ infraId, unassigned });

type Found = Omit<DestroyAllInventory, "reads" | "users" | "issuerUsers" | "kids">;
const nothing: Found = {
  infra: { groups: [], assignments: [], kept: [], otherClusters: [], networkUsers: [] },
  issuer: { accounts: [], identities: [], groups: [], kept: [] },
  identities: {
    ...{ applications: [], identities: [], vaults: [], keptVaults: [], assignments: [], uses: [], vaultGrants: [], keys: [] },
    ...{ deletedVaults: [], deletedApplications: [], group: undefined, kept: [] },
  },
};
const found = (changes: { readonly [K in keyof Found]?: Partial<Found[K]> }): Found => ({
  infra: { ...nothing.infra, ...changes.infra },
  issuer: { ...nothing.issuer, ...changes.issuer },
  identities: { ...nothing.identities, ...changes.identities },
});

const withUsers = (inventory: Found): Omit<DestroyAllInventory, "reads"> => ({
  ...inventory,
  issuerUsers: [],
  kids: [],
  users: clustersUsing(inventory.identities.assignments, inventory.infra.otherClusters).map(({ infraId }) => infraId),
});

const users: readonly (readonly [what: string, roles: readonly string[], others: readonly string[], using: readonly string[]])[] = [
  ["no role assignment", [], ["other-1"], []],
  ["role assignments of the destroyed cluster alone", ["demo-x7k2"], ["other-1"], []],
  ["role assignments of another cluster", ["demo-x7k2", "other-1"], ["other-1", "other-2"], ["other-1"]],
  ["role assignments of two other clusters", ["other-2", "other-1"], ["other-1", "other-2"], ["other-1", "other-2"]],
  ["role assignments of a cluster that no longer exists", ["gone-1"], ["other-1"], []],
];

test.each(users)("a set with %s is used by other clusters accordingly", (_what, roles, others, using) => {
  expect(
    clustersUsing(
      roles.map(roleFor),
      others.map((infraId) => clusterWith(infraId)),
    ).map(({ infraId }) => infraId),
  ).toEqual(using);
});

const shared = { infra: { otherClusters: [clusterWith("other-1")] }, identities: { assignments: [roleFor("other-1")] } } as const;
const foreign = { groups: [{ ...cluster, contents: [foreignDisk] }] } as const;
const containers = { accounts: [{ ...account, foreign: ["container one/backup"] }] } as const;

const refusals: readonly (readonly [what: string, inventory: Found, refusal: RegExp | undefined, deleteForeign: boolean])[] = [
  ["nothing", nothing, undefined, false],
  ["a cluster with its issuer and its set", found({ infra: { groups: [cluster] }, issuer: { accounts: [account] } }), undefined, false],
  ["a set that another cluster uses, without resources of this cluster", found(shared), undefined, false],
  [
    "a set whose assignments another cluster uses",
    found({
      infra: { otherClusters: [clusterWith("other-1", [idOf("of-demo-x7k2")])] },
      identities: { assignments: [roleFor("demo-x7k2")] },
    }),
    undefined,
    false,
  ],
  ["another cluster with its own set", found({ infra: { otherClusters: [clusterWith("other-1")] } }), undefined, false],
  ["resources of others in a group", found({ infra: foreign }), /^ARO-OWN-004.*disks\/d/, false],
  ["resources of others in a group, with --delete-foreign", found({ infra: foreign }), undefined, true],
  ["containers of others in the issuer's account", found({ issuer: containers }), /^ARO-OWN-004.*one\/backup/, false],
  ["a set that another cluster uses", found({ ...shared, infra: { ...shared.infra, groups: [cluster] } }), undefined, false],
  [
    "resources of others beside a shared set",
    found({ ...shared, infra: { ...shared.infra, ...foreign } }),
    /^ARO-OWN-004.*disks\/d/,
    false,
  ],
  ["resources of others before containers of others", found({ infra: foreign, issuer: containers }), /^ARO-OWN-004.*disks\/d/, false],
];

const noReads: GroupReads = { group: () => Promise.resolve(undefined), contents: () => Promise.resolve([]) };

test.each(refusals)("%s blocks the destroy, or not", (_what, inventory, expected, deleteForeign) => {
  const failure = destroyAllRefusal({ ...withUsers(inventory), reads: noReads }, { ...options, deleteForeign });
  const refusal = failure && `${failure.code}: ${failure.message}; ${failure.because ?? ""}`;
  if (expected === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toMatch(expected);
});

interface Live {
  readonly owner?: "others";
  /** IDs of everything in it. */
  readonly contents?: readonly string[];
}
type Groups = Readonly<Record<string, Live>>;

function readsOf(groups: Groups): GroupReads {
  return {
    group: (name) => {
      const live = groups[name];
      const tags: Record<string, string> = live?.owner === undefined ? { "aro-hcp-identities": "demo", "aro-hcp-created-as": name } : {};
      return Promise.resolve(live && { id: idOf(name), name, location: "eastus", tags });
    },
    contents: (name) => Promise.resolve((groups[name]?.contents ?? []).map((id) => ({ id }))),
  };
}

const inBoth = { issuer: { accounts: [account] }, identities: { identities: [identity] } } as const;
const oneGroup: DestroyAllPlace = { ...place, issuer: { groupName: "Common", named: true, accountName: undefined } };
const accountInCommon = { ...account, id: inGroup("common", resourceTypes.storageAccount.type, "one"), group: "common" };

/** The removals, "group < those that it waits for", then "keep group: why". */
const removals: readonly (readonly [
  what: string,
  where: DestroyAllPlace,
  inventory: Found,
  groups: Groups,
  expected: readonly string[],
])[] = [
  ["nothing", place, nothing, {}, []],
  [
    "two groups with their contents",
    place,
    found(inBoth),
    { issuers: { contents: [accountId] }, common: { contents: [identityId] } },
    ["one", "disk", "issuers < one", "common < disk"],
  ],
  ["two empty groups", place, nothing, { issuers: {}, common: {} }, ["issuers", "common"]],
  [
    "one group with both, named in two cases, once",
    oneGroup,
    found({ issuer: { accounts: [accountInCommon] }, identities: { identities: [identity] } }),
    { common: { contents: [accountInCommon.id, identityId] } },
    ["one", "disk", "common < one, disk"],
  ],
  [
    "a group with something else",
    place,
    found(inBoth),
    { issuers: { contents: [accountId] }, common: { contents: [identityId, "/x"] } },
    ["one", "disk", "issuers < one", "keep common: it still contains /x"],
  ],
  [
    "a group of others",
    place,
    found(inBoth),
    { issuers: { contents: [accountId], owner: "others" }, common: { contents: [identityId] } },
    ["one", "disk", "common < disk", "keep issuers: not created by aro-hcp"],
  ],
  [
    "an application before nothing: it is in no group",
    place,
    found({ identities: { applications: [application] } }),
    { common: {} },
    ["a-0", "common"],
  ],
  [
    "the group that was decided for the set alone, once",
    place,
    found({ ...inBoth, identities: { identities: [identity], group: { id: idOf("common"), name: "common" } } }),
    { common: { contents: [identityId] } },
    ["one", "disk", "common < disk"],
  ],
  [
    "a group that was kept for the set alone because the issuer is in it",
    oneGroup,
    found({
      issuer: { accounts: [accountInCommon] },
      identities: { identities: [identity], kept: [{ id: idOf("common"), why: "it still contains the account" }] },
    }),
    { common: { contents: [accountInCommon.id, identityId] } },
    ["one", "disk", "common < one, disk"],
  ],
  [
    "what the parts keep",
    place,
    found({ infra: { kept: [{ id: "/existing", why: "existing" }] }, identities: { kept: [{ id: "/kv", why: "of others" }] } }),
    {},
    ["keep existing: existing", "keep kv: of others"],
  ],
];

test.each(removals)("removes %s", async (_what, where, inventory, groups, expected) => {
  const short = (id: string) => id.split(/[/ ]/).at(-1) ?? "";
  const { removals: list, kept } = await destroyAllFound(unasked, where, { ...withUsers(inventory), reads: readsOf(groups) }, options);
  expect([
    ...list.map(({ id, after }) => (after.length === 0 ? short(id) : `${short(id)} < ${after.map(short).join(", ")}`)),
    ...kept.map(({ id, why }) => `keep ${short(id)}: ${why}`),
  ]).toEqual(expected);
});

test("the IDs to remove are those of the infrastructure, the issuer, the set and their groups", async () => {
  const inventory = found({
    infra: { groups: [cluster] },
    issuer: { accounts: [account] },
    identities: { identities: [identity] },
  });
  const reads = readsOf({ issuers: { contents: [accountId, "/x"] }, common: { contents: [identityId] } });
  const { left } = await destroyAllFound(unasked, place, { ...withUsers(inventory), reads }, options);
  expect(left).toEqual([idOf("demo"), accountId, identityId, idOf("common")]);
});
