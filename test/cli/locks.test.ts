/** Locks and deny assignments: a destroy that they would stop half-way deletes nothing, and a create writes nothing. */
import { expect, test } from "vitest";
import { recorded } from "../faults/recorded-answers.js";
import { deleteResources } from "../harness/state-changes.js";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, groups, ids, subscription } from "./demo-cluster.js";
import { create, destroy, exits, refuses } from "./expectations.js";
import { roleFlags } from "../identities/cli/identities.js";
import { demoAccount } from "../harness/demo-issuer.js";

const lockOn = (scope: string) => `${scope}/providers/Microsoft.Authorization/locks/keep`;
const lock = (scope: string, level: string) => ({ resources: { [lockOn(scope)]: { properties: { level } } } });

const everyone = { id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" };
const signedIn = { id: "c11e0000-0000-4000-8000-000000000003", type: "ServicePrincipal" };
const denial = (scope: string, actions: readonly string[], more: object = {}) => ({
  resources: {
    [`${scope}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000001`]: {
      properties: { denyAssignmentName: "stack", permissions: [{ actions }], principals: [everyone], excludePrincipals: [], ...more },
    },
  },
});

const locks: readonly (readonly [what: string, scope: string, level: string])[] = [
  ["against deletion on the managed group", groupId(groups.managed), "CanNotDelete"],
  ["that makes the network's group read-only", groupId(groups.vnet), "ReadOnly"],
  ["on one resource", ids.publicIp, "CanNotDelete"],
  ["on a part of a resource", ids.subnet, "CanNotDelete"],
  ["on the subscription", subscription, "CanNotDelete"],
  ["on the zone's group, where a role is assigned", groupId("dns"), "CanNotDelete"],
];

test.each(locks)("a lock %s blocks destroy infra, which deletes nothing and prints how to delete the lock", async (_what, scope, level) => {
  const azure = await testEmulator();
  exits(await create(azure, await roleFlags(azure)), 0);
  await azure.seed(lock(scope, level));
  const before = await azure.snapshot();
  await refuses(azure, destroy(azure), 5, "ARO-SUB-004", `"keep" (${level}) on ${scope}`, `az lock delete --ids ${lockOn(scope)}`);
  await refuses(azure, destroy(azure, ["--dry-run"]), 5, "ARO-SUB-004");
  expect(await azure.snapshot()).toEqual(before);
  await deleteResources(azure, lockOn(scope));
  exits(await destroy(azure), 0);
});

const denials: readonly (readonly [what: string, document: object, words: string])[] = [
  ["a network deletion in a group", denial(groupId(groups.nsg), ["Microsoft.Network/*/delete"]), ids.nsg],
  ["the deletion of groups", denial(subscription, ["Microsoft.Resources/subscriptions/resourceGroups/delete"]), groupId(groups.managed)],
  ["the deletion of one resource", denial(ids.vnet, ["*/delete"], { doNotApplyToChildScopes: true }), ids.vnet],
  ["the deletion of role assignments", denial(groupId("dns"), ["Microsoft.Authorization/*/delete"]), "roleAssignments"],
];

test.each(denials)("a deny assignment for %s blocks destroy infra, which deletes nothing", async (_what, document, words) => {
  const azure = await testEmulator();
  exits(await create(azure, await roleFlags(azure)), 0);
  await azure.seed(document);
  await refuses(azure, destroy(azure), 5, "ARO-AUTHZ-001", '"stack" on', words);
});

const harmless: readonly (readonly [what: string, document: object])[] = [
  ["a lock on the zone's group, where nothing is deleted", lock(groupId("dns"), "ReadOnly")],
  ["a deny assignment that excludes the signed-in principal", denial(subscription, ["*/delete"], { excludePrincipals: [signedIn] })],
  [
    "a deny assignment for a group of principals",
    denial(subscription, ["*/delete"], { principals: [{ ...signedIn, id: everyone.id.replace("0", "9") }] }),
  ],
  ["a deny assignment for writes", denial(subscription, ["Microsoft.Network/*/write"])],
  ["a deny assignment on another group", denial(groupId("dns"), ["*/delete"])],
];

test.each(harmless)("%s does not block destroy infra", async (_what, document) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed(document);
  exits(await destroy(azure), 0);
});

test("without the permission to read locks and deny assignments, destroy infra continues", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const faults = [{ method: "GET", path: "/(?:locks|denyAssignments)$", times: 100, answer: recorded.authorizationFailed }];
  exits(await destroy(azure, [], { faults }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a list of locks that fails ends a destroy before its first write, and does not matter where nothing is deleted", async () => {
  const azure = await testEmulator();
  const faults = [
    { method: "GET", path: "/locks$", times: 100, answer: { status: 400, body: { error: { code: "BadRequest", message: "No." } } } },
  ];
  exits(await destroy(azure, [], { faults }), 0);
  exits(await create(azure), 0);
  const before = await azure.snapshot();
  exits(await destroy(azure, [], { faults }), 1);
  expect(await azure.snapshot()).toEqual(before);
});

const identity = `${groupId("demo-common")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/azure-disk-MI-demo`;
const account = `${groupId("demo-oidc")}/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;

/** One resource of the set, and one of its issuer. */
async function seedSet(azure: TestEmulator): Promise<void> {
  const tags = { "aro-hcp-identities": "demo" };
  await azure.seed({
    resources: {
      [groupId("demo-common")]: { location: "eastus", tags },
      [identity]: { location: "eastus", tags },
      [groupId("demo-oidc")]: { location: "eastus", tags },
      [account]: { location: "eastus", tags, kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} },
    },
  });
}

const identities = ["destroy", "identities", "--cloud", "local", "--name", "demo", "--resource-group-name", "demo-common", "--yes"];
const others: readonly (readonly [what: string, command: readonly string[], scope: string])[] = [
  ["destroy identities, on an identity", identities, identity],
  ["destroy identities, on the group", identities, groupId("demo-common")],
  ["destroy oidc-issuer, on the account", ["destroy", "oidc-issuer", "--cloud", "local", "--name", "demo", "--yes"], account],
  ["destroy all, on an identity", ["destroy", "all", ...demo, "--yes"], identity],
  ["destroy all, on the issuer's group", ["destroy", "all", ...demo, "--yes"], groupId("demo-oidc")],
];

test.each(others)("a lock blocks %s, and nothing is deleted", async (_what, command, scope) => {
  const azure = await testEmulator();
  await seedSet(azure);
  await azure.seed(lock(scope, "CanNotDelete"));
  await refuses(azure, azure.cli(command), 5, "ARO-SUB-004", `az lock delete --ids ${lockOn(scope)}`);
  await deleteResources(azure, lockOn(scope));
  exits(await azure.cli(command), 0);
});

test("a lock that makes a group read-only stops a create before its first write; a lock against deletion does not", async () => {
  const azure = await testEmulator();
  const managed = groupId(groups.managed);
  exits(await create(azure), 0);
  await deleteResources(azure, ids.loadBalancer, groupId(groups.nsg));
  await azure.seed(lock(managed, "ReadOnly"));
  await refuses(azure, create(azure), 5, "ARO-SUB-004", `az lock delete --ids ${lockOn(managed)}`);
  expect(exits(await create(azure, ["--dry-run"]), 0).stderr).toContain('"keep" (ReadOnly)');
  await deleteResources(azure, lockOn(managed));
  await azure.seed(lock(managed, "CanNotDelete"));
  exits(await create(azure), 0);
});
