/** What a destroy of an identity set decides about vaults, their contents and role assignments, and the removal order. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { expect, test } from "vitest";
import { inspectedTags } from "../../../src/domain/inspected-vault.js";
import { grantName } from "../../../src/domain/role-assignment-name.js";
import { secretsOfficer, secretsUser } from "../../../src/domain/roles.js";
import { decideIdentities, type IdentityInventory } from "../../../src/identities/removal/identities.js";
import { identitiesFound } from "../../../src/identities/removal/identity-removals.js";
import { leftOf } from "../../../src/removal/owned.js";
import { canPurge, contentsOf, keptFor, setVault, type FoundVault, type VaultItems } from "../../../src/removal/vaults.js";
import { unasked } from "../../steps/every-graph.js";

const ours = { "aro-hcp-identities": "demo" };
const theirs = { "aro-hcp-identities": "other" };
const none: VaultItems = { certificates: [], secrets: [] };
const inWords = ({ secrets, certificates, foreign, closed }: ReturnType<typeof contentsOf>) =>
  [
    `secrets: ${secrets.join()}`,
    `certificates: ${certificates.join()}`,
    `foreign: ${foreign.join()}`,
    ...(closed ? ["closed"] : []),
  ].filter((line) => !line.endsWith(": "));

const contents: readonly (readonly [what: string, items: VaultItems | undefined, keys: readonly string[], decided: readonly string[]])[] = [
  ["nothing", none, [], []],
  ["a secret of the set", { ...none, secrets: [{ name: "demo-cpo", tags: ours }] }, [], ["secrets: demo-cpo"]],
  ["a secret with the tag alone", { ...none, secrets: [{ name: "a", tags: ours }] }, [], ["foreign: secret a"]],
  ["a secret without tags", { ...none, secrets: [{ name: "a" }] }, [], ["foreign: secret a"]],
  ["a secret of another set", { ...none, secrets: [{ name: "a", tags: theirs }] }, [], ["foreign: secret a"]],
  [
    "a certificate of the set with its key",
    { ...none, certificates: [{ name: "demo-cpo-cert", tags: ours }] },
    ["demo-cpo-cert"],
    ["certificates: demo-cpo-cert"],
  ],
  ["a certificate with the tag alone", { ...none, certificates: [{ name: "a", tags: ours }] }, ["a"], ["foreign: certificate a"]],
  [
    "a certificate of another set with its key",
    { ...none, certificates: [{ name: "a", tags: theirs }] },
    ["a"],
    ["foreign: certificate a"],
  ],
  ["a key without a certificate", none, ["a"], ["foreign: key a"]],
  ["the key that encrypts etcd", none, ["demo-etcd-encryption"], []],
  ["a key with the tag alone", none, ["demo-etcd-other"], ["foreign: key demo-etcd-other"]],
  ["the key of a deleted certificate of the set", none, ["demo-cpo-cert"], []],
  ["contents that the caller cannot read", undefined, [], ["closed"]],
  ["contents that the caller cannot read, and the key of a certificate of the set", undefined, ["demo-cpo-cert"], ["closed"]],
  ["contents that the caller cannot read, and a key of others", undefined, ["a"], ["foreign: key a", "closed"]],
];

test.each(contents)("a vault with %s", (_what, items, keys, decided) => {
  const tagged = keys.map((name) => ({ name, ...(name.startsWith("demo-etcd") && { tags: ours }) }));
  expect(inWords(contentsOf(setVault({ name: "demo", groupName: "common" }), items, tagged))).toEqual(decided);
});

const vaultId = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv";
const vault: FoundVault = {
  ...{ id: vaultId, name: "kv", location: "eastus", secrets: ["a"], certificates: ["b"], foreign: [], ofOwners: [], foreignDeleted: [] },
  ...{ closed: false, purgeProtected: false, keptDays: 90, again: () => Promise.resolve(undefined), isOwn: () => true },
};

const retained: readonly (readonly [what: string, change: Partial<FoundVault>, purge: boolean, why: RegExp | undefined])[] = [
  ["an open vault", {}, false, undefined],
  ["an open vault, with --purge", {}, true, undefined],
  ["a vault with contents of others", { foreign: ["c", "key d"] }, false, /^it also contains c, key d, not created by aro-hcp$/],
  [
    "a vault with contents of others and the key of etcd",
    { foreign: ["c"], keys: ["demo-etcd-encryption", "k"] },
    false,
    /^it also contains c, not created by aro-hcp; key demo-etcd-encryption, k stays in it: destroy encryption-key deletes it$/,
  ],
  ["a vault with contents of others, with --purge", { foreign: ["c"] }, true, /^it also contains c, not created by aro-hcp$/],
  ["a vault with deleted contents of others", { foreignDeleted: ["deleted key d"] }, false, undefined],
  [
    "a vault with deleted contents of others, with --purge",
    { foreignDeleted: ["deleted key d", "deleted secret e"] },
    true,
    /^it also contains deleted key d, deleted secret e, not created by aro-hcp, which a purge would destroy; .* rerun without --purge$/,
  ],
  ["a closed vault", { closed: true }, false, /^its contents cannot be read; ask an owner for "Key Vault Reader" on it/],
  ["a closed vault, with --purge", { closed: true }, true, /^its contents cannot be read; /],
  ["a closed vault with purge protection, with --purge", { closed: true, purgeProtected: true }, true, /^its contents cannot be read; /],
  ["a closed vault that the run can open, with --purge", { closed: true, canOpen: true }, true, undefined],
];

test.each(retained)("whether a destroy keeps %s", (_what, change, purge, why) => {
  const kept = keptFor({ ...vault, ...change }, { purge });
  if (why === undefined) expect(kept).toBeUndefined();
  else expect(kept).toEqual({ id: vaultId, why: expect.stringMatching(why) as string });
});

const deletedOn = new Date("2026-01-01T12:00:00Z");
const marked = (minutes: number) => inspectedTags(new Date(deletedOn.getTime() - minutes * 60_000));

test.each([
  ["the mark of a destroy", { tags: marked(1) }, true],
  ["no mark", {}, false],
  ["a mark that is no date", { tags: { "aro-hcp-inspected": "x" } }, false],
  ["the mark of an earlier destroy, after which it was recovered", { tags: marked(60) }, false],
  ["purge protection", { tags: marked(1), purgeProtectionEnabled: true }, false],
])("whether a destroy purges a deleted vault with %s", (_what, properties, purged) => {
  expect(canPurge({ properties: { deletionDate: deletedOn, ...properties } })).toBe(purged);
});

const application = { component: "cpo", id: "a-0", displayName: "demo-cpo", principalId: "p-0" } as const;
const identity = { component: "azure-disk-MI", id: vaultId.replace("vaults/kv", "ids/disk"), name: "disk", principalId: "p-1" } as const;
const elsewhere = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/h";
const assignedElsewhere = (principalId: string): RoleAssignment => ({
  id: principalId,
  name: "x",
  scope: elsewhere,
  principalId,
  roleDefinitionId: "r",
});
/** As create assigns it on the vault. */
const given = (principalId: string, role = secretsOfficer): RoleAssignment => ({
  ...assignedElsewhere(principalId),
  ...{ id: `${principalId} on vault`, name: grantName(principalId, role.id, vaultId), scope: vaultId },
});
const read = { applications: [application], identities: [identity], vaults: [vault], deletedVaults: [], deletedApplications: [] };
const caller = { objectId: "me", tenantId: "t", principalType: "User" } as const;

const roles: readonly (readonly [
  what: string,
  assigned: readonly RoleAssignment[],
  roles: readonly string[],
  onVault: readonly string[],
])[] = [
  ["nobody", [], [], []],
  ["an application of the set", [assignedElsewhere("p-0")], ["p-0: cpo"], []],
  ["an application of the set, in capitals", [assignedElsewhere("P-0")], ["P-0: cpo"], []],
  ["an identity of the set", [assignedElsewhere("p-1")], ["p-1: azure-disk-MI"], []],
  ["another principal", [assignedElsewhere("p-9")], [], []],
  ["the caller, assigned by create, on the vault", [given("me")], [], ["me on vault: the signed-in principal"]],
  ["a reader, assigned by create, on the vault", [given("p-9")], [], ["p-9 on vault: principal p-9"]],
  [
    "a reader, assigned by create, on the vault in capitals",
    [{ ...given("p-9"), scope: vaultId.toUpperCase() }],
    [],
    ["p-9 on vault: principal p-9"],
  ],
  ["a reader, assigned by others, on the vault", [{ ...given("p-9"), name: "x" }], [], []],
  ["a reader, assigned by create, on another vault", [{ ...given("p-9"), scope: `${vaultId}2` }], [], []],
];

test.each(roles)("role assignments of %s", (_what, assigned, all, onVault) => {
  const decided = decideIdentities({ ...read, assigned, caller }, { purge: false });
  expect(decided.assignments.map(({ id, holder }) => `${id}: ${holder}`)).toEqual(all);
  expect(decided.vaultGrants.map(({ id, holder }) => `${id}: ${holder}`)).toEqual(onVault);
});

const empty: IdentityInventory = {
  ...{ applications: [], identities: [], vaults: [], keptVaults: [], assignments: [], uses: [], vaultGrants: [], keys: [] },
  ...{ deletedVaults: [], deletedApplications: [], group: undefined, kept: [] },
};
const role = { id: "r-0", name: "r-0", scope: elsewhere, principalId: "P-0", holder: "cpo", roleDefinitionId: "r" };
const grant = { ...role, id: "r-1", name: "r-1", scope: vaultId, principalId: "me", holder: "the signed-in principal" };
const deletedVault = { name: "kv", properties: { location: "eastus", deletionDate: deletedOn, tags: marked(0) } };
const unseenVault = { name: "kv", properties: { location: "eastus", deletionDate: deletedOn } };
const protectedVault = { name: "kv", properties: { ...deletedVault.properties, purgeProtectionEnabled: true } };
const deletedApplication = { id: "a-9", appId: "x", displayName: "demo-file", uniqueName: null, deletedDateTime: "2026-07-11T12:00:00Z" };
const group = { id: elsewhere, name: "h" };

/** Each removal with those that it waits for, as "a < b, c"; then everything that is deleted. */
const removals: readonly (readonly [
  what: string,
  found: Partial<IdentityInventory>,
  purge: boolean,
  removals: readonly string[],
  gone: readonly string[],
])[] = [
  ["nothing", {}, true, [], []],
  ["an application", { applications: [application] }, false, ["application a-0"], ["application demo-cpo"]],
  [
    "an application, with --purge",
    { applications: [application] },
    true,
    ["application a-0", "purge application a-0 < application a-0"],
    ["application demo-cpo"],
  ],
  [
    "an application with a role",
    { applications: [application], assignments: [role] },
    false,
    ["role-assignment r-0", "application a-0 < role-assignment r-0"],
    ["r-0", "application demo-cpo"],
  ],
  [
    "an application with its ID in capitals, with a role",
    { applications: [{ ...application, principalId: "P-0" }], assignments: [role] },
    false,
    ["role-assignment r-0", "application a-0 < role-assignment r-0"],
    ["r-0", "application demo-cpo"],
  ],
  [
    "an identity next to a role of another",
    { identities: [identity], assignments: [role] },
    false,
    ["role-assignment r-0", "/g/disk"],
    ["r-0", "/g/disk"],
  ],
  ["a vault with a role", { vaults: [vault], vaultGrants: [grant] }, false, ["role-assignment r-1 < /g/kv", "/g/kv"], ["/g/kv"]],
  ["a vault, with --purge", { vaults: [vault] }, true, ["/g/kv", "purge key vault kv < /g/kv"], ["/g/kv"]],
  ["a vault with purge protection, with --purge", { vaults: [{ ...vault, purgeProtected: true }] }, true, ["/g/kv"], ["/g/kv"]],
  [
    "contents of the set in a vault that is kept",
    { keptVaults: [vault] },
    false,
    ["secret a", "certificate b"],
    ["secret a", "certificate b"],
  ],
  [
    "roles on a vault that is kept after the contents of the set there, first those of who only reads",
    { keptVaults: [vault], vaultGrants: [grant, { ...grant, id: "r-2", name: "r-2", roleDefinitionId: `/r/${secretsUser.id}` }] },
    false,
    [
      "role-assignment r-1 < secret a, certificate b, role-assignment r-2",
      "role-assignment r-2 < secret a, certificate b",
      ...["secret a", "certificate b"],
    ],
    ["secret a", "certificate b"],
  ],
  ["a deleted vault", { deletedVaults: [deletedVault] }, false, [], []],
  ["a deleted vault, with --purge", { deletedVaults: [deletedVault] }, true, ["purge key vault kv"], ["deleted Key Vault kv"]],
  ["a deleted vault whose contents no destroy has read, with --purge", { deletedVaults: [unseenVault] }, true, [], []],
  ["a deleted vault with purge protection, with --purge", { deletedVaults: [protectedVault] }, true, [], []],
  ["a deleted application", { deletedApplications: [deletedApplication] }, false, [], []],
  [
    "a deleted application, with --purge",
    { deletedApplications: [deletedApplication] },
    true,
    ["purge application a-9"],
    ["deleted application demo-file"],
  ],
  ["a group", { group }, false, ["/h"], ["/h"]],
  [
    "a group after everything in it",
    { identities: [identity], assignments: [role], group },
    false,
    ["role-assignment r-0", "/g/disk", "/h < role-assignment r-0, /g/disk"],
    ["r-0", "/g/disk", "/h"],
  ],
];

test.each(removals)("removes %s", (_what, found, purge, list, gone) => {
  const short = (id: string) =>
    id.replace(
      /^\/subscriptions\/[^/]+\/resourcegroups\/(\w+)(\/providers\/.*\/)?/i,
      (_id, name: string, path?: string) => `/${name}${path === undefined ? "" : "/"}`,
    );
  const table = identitiesFound(unasked, { ...empty, ...found }, { purge }, () => Promise.resolve(undefined));
  const inWords = table.removals.map(({ id, after }) => (after.length === 0 ? short(id) : `${short(id)} < ${after.map(short).join(", ")}`));
  expect(inWords.toSorted()).toEqual(list.toSorted());
  expect(leftOf(table).map(short)).toEqual(gone);
});
