/** Deny assignments: read at their scope, below and above it, and in effect for actions and for data. */
import { AuthorizationManagementClient } from "@azure/arm-authorization";
import { beforeEach, expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer, recording } from "../local-server.js";
import { all, sdkAccess } from "../sdk-access.js";
import { refusal, VaultState } from "../key-vault/vault-state.js";
import { ArmState, subscription } from "./arm-state.js";

const everyone = { id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" };
const other = { id: "0123abcd-0000-4000-8000-000000000001", type: "ServicePrincipal" };
const name = "d0000000-0000-4000-8000-000000000001";
const group = `${subscription}/resourceGroups/demo`;
const idIn = (scope: string) => `${scope}/providers/Microsoft.Authorization/denyAssignments/${name}`;
const properties = {
  denyAssignmentName: "Nodes",
  description: "Of AKS",
  permissions: [{ actions: ["*"], notActions: ["*/read"], dataActions: ["*"], notDataActions: [] }],
  doNotApplyToChildScopes: false,
  principals: [everyone],
  excludePrincipals: [other],
  isSystemProtected: true,
};
let arm: ArmState;

beforeEach(() => {
  arm = new ArmState();
  arm.group("demo");
  arm.group("beside");
});

function deny(scope: string, more: object = {}): void {
  const id = idIn(scope);
  const type = "Microsoft.Authorization/denyAssignments";
  arm.state.resources[id.toLowerCase()] = { id, name, type, properties: { ...properties, ...more } };
}

function listed(scope: string, filter = ""): unknown[] {
  const query = filter === "" ? "" : `?$filter=${filter}`;
  return (arm.get(`${scope}/providers/Microsoft.Authorization/denyAssignments${query}`).body as { value: unknown[] }).value;
}

test("a list has those of the scope, of the scopes above and of those below", () => {
  const nsg = `${group}/providers/Microsoft.Network/networkSecurityGroups/nsg`;
  arm.put(nsg, { location: "eastus", properties: {} });
  deny(group);
  const shown = { id: idIn(group), name, type: "Microsoft.Authorization/denyAssignments", properties: { ...properties, scope: group } };
  expect([subscription, group, nsg].map((scope) => listed(scope))).toEqual([[shown], [shown], [shown]]);
  expect([subscription, group].map((scope) => listed(scope, "atScope()"))).toEqual([[], [shown]]);
  expect(listed(`${subscription}/resourceGroups/beside`)).toEqual([]);
  expect(arm.get(idIn(group)).body).toEqual(shown);
  expect(arm.get(idIn(subscription))).toMatchObject({ status: 404, body: { error: { code: "DenyAssignmentNotFound" } } });
});

test("a filter selects by name and by principal", () => {
  deny(group, { principals: [everyone, other], excludePrincipals: [] });
  const found = (filter: string) => listed(group, filter).length;
  expect([found("denyAssignmentName eq 'nodes'"), found("denyAssignmentName eq 'x'")]).toEqual([1, 0]);
  expect([found(`principalId eq '${other.id.toUpperCase()}'`), found("principalId eq 'x'")]).toEqual([1, 0]);
  expect(arm.get(`${group}/providers/Microsoft.Authorization/denyAssignments?$filter=x eq 'y'`, { unrecorded: true }).status).toBe(400);
});

test("nobody writes one, and a missing scope is missing", () => {
  expect(arm.put(idIn(group), { properties }, { unrecorded: true }).status).toBe(501);
  const missing = `${subscription}/resourceGroups/none/providers/Microsoft.Authorization/denyAssignments`;
  expect(arm.get(missing)).toMatchObject({ status: 404, body: { error: { code: "ResourceGroupNotFound" } } });
});

test("it denies actions on data too, whatever the roles", async () => {
  const vault = await VaultState.open();
  expect((await vault.get("/secrets")).status).toBe(200);
  const id = idIn(vault.vault.slice(0, vault.vault.indexOf("/providers/")));
  const type = "Microsoft.Authorization/denyAssignments";
  vault.state.resources[id.toLowerCase()] = { id, name, type, properties };
  expect(await vault.get("/secrets")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
});

test("Azure's own SDK lists and reads that of a group", async () => {
  const server = await openLocalServer({ environment: recording() });
  await seedState(server.directory, { resources: { [group]: { location: "eastus" }, [idIn(group)]: { properties } } });
  const { credential, options } = sdkAccess(server);
  const { denyAssignments } = new AuthorizationManagementClient(credential, wellKnown.subscriptionId, options);
  const shown = { denyAssignmentName: "Nodes", scope: group, isSystemProtected: true };
  expect(await all(denyAssignments.listForResourceGroup("demo"))).toMatchObject([shown]);
  expect(await denyAssignments.get(group, name)).toMatchObject(shown);
});
