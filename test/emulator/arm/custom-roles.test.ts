/** Custom roles: written, listed, assigned and enforced. */
import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

const guid = "33333333-3333-4333-8333-333333333333";
const otherGuid = "33333333-3333-4333-8333-333333333334";
const definitions = `${subscription}/providers/Microsoft.Authorization/roleDefinitions`;
const role = `${definitions}/${guid}`;
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });

let arm: ArmState;
let group: string;

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
});

function custom(changes: Readonly<Record<string, unknown>> = {}) {
  const permissions = [{ actions: ["*/read"], notActions: ["Microsoft.Network/*"] }];
  return {
    properties: { roleName: "Networkless", description: "d", type: "CustomRole", permissions, assignableScopes: [group], ...changes },
  };
}

const namesIn = (target: string): string[] =>
  (arm.get(target).body as { value: { properties: { roleName: string } }[] }).value.map(({ properties }) => properties.roleName);

test("a custom role is created and changed with 201, and listed where it can be assigned", () => {
  const made = arm.put(role, custom());
  expect(made).toMatchObject({
    status: 201,
    body: { id: role, name: guid, properties: { roleName: "Networkless", type: "CustomRole", assignableScopes: [group] } },
  });
  expect(arm.put(role, custom({ description: "other" }))).toMatchObject({ status: 201, body: { properties: { description: "other" } } });
  expect(arm.get(`/providers/Microsoft.Authorization/roleDefinitions/${guid}`)).toMatchObject({ status: 200, body: { id: role } });
  const mine = "$filter=type eq 'CustomRole'";
  expect(namesIn(`${group}/providers/Microsoft.Authorization/roleDefinitions?${mine}`)).toEqual(["Networkless"]);
  expect(namesIn(`${definitions}?${mine}`)).toEqual([]);
  expect(namesIn(`${definitions}?$filter=atScopeAndBelow() and roleName eq 'networkless'`)).toEqual(["Networkless"]);
});

test("a custom role is answered without its creator when it is written, without a description if none was sent, and its absence by its ID", () => {
  const made = arm.put(role, custom({ description: undefined }));
  expect(made).toMatchObject({ body: { properties: { description: null, createdBy: null, updatedBy: expect.any(String) } } });
  expect(arm.get(role)).toMatchObject({ body: { properties: { description: null, createdBy: expect.any(String) } } });
  const absent = arm.get(`${definitions}/${otherGuid}`);
  expect(absent).toMatchObject(refusal("RoleDefinitionDoesNotExist", 404));
  expect(absent).toMatchObject({ body: { error: { message: expect.stringContaining(`'${otherGuid}'`) } } });
});

test("an assignment of a custom role allows what the role does, and keeps the role from being deleted", () => {
  arm.put(role, custom());
  const caller = arm.caller("somebody", []);
  const network = `${group}/providers/Microsoft.Network/virtualNetworks`;
  expect(arm.get(group, { caller })).toMatchObject(refusal("AuthorizationFailed", 403));
  const assignment = `${group}/providers/Microsoft.Authorization/roleAssignments/${otherGuid}`;
  const properties = { roleDefinitionId: role, principalId: caller.objectId, principalType: "ServicePrincipal" };
  expect(arm.put(assignment, { properties })).toMatchObject({ status: 201, body: { properties: { roleDefinitionId: role } } });
  expect(arm.get(group, { caller }).status).toBe(200);
  expect(arm.get(network, { caller })).toMatchObject(refusal("AuthorizationFailed", 403));
  expect(arm.delete(role)).toMatchObject(refusal("RoleDefinitionHasAssignments"));
  arm.delete(assignment);
  expect(arm.delete(role)).toMatchObject({ status: 200, body: { name: guid } });
  expect(arm.delete(role).status).toBe(204);
  expect(arm.put(assignment, { properties })).toMatchObject(refusal("RoleDefinitionDoesNotExist", 404));
});

test("the name of a custom role is unique, and its writer needs the right at each assignable scope", () => {
  arm.put(role, custom());
  expect(arm.put(`${definitions}/${otherGuid}`, custom())).toMatchObject(refusal("RoleDefinitionWithSameNameExists", 409));
  const administrator = { role: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9", scope: group };
  const caller = arm.caller("administrator of the group", [administrator, { role: reader, scope: subscription }]);
  const scoped = `${group}/providers/Microsoft.Authorization/roleDefinitions/${otherGuid}`;
  expect(arm.put(scoped, custom({ roleName: "x" }), { caller }).status).toBe(201);
  const wide = custom({ roleName: "y", assignableScopes: [group, subscription] });
  expect(arm.put(scoped, wide, { caller })).toMatchObject(refusal("AuthorizationFailed", 403));
  expect(arm.put(`${definitions}/${reader}`, custom({ roleName: "z" }), { unrecorded: true }).status).toBe(501);
});

test("az's body of an assignment, with its name and nulls, is accepted and answered with nulls", () => {
  const assignment = `${group}/providers/Microsoft.Authorization/roleAssignments/${otherGuid}`;
  const roleDefinitionId = `${definitions}/${reader}`;
  const properties = { roleDefinitionId, principalId: guid, principalType: "serviceprincipal", condition: null };
  const made = arm.put(assignment, { name: otherGuid, properties }, { unrecorded: true });
  const none = { condition: null, conditionVersion: null, delegatedManagedIdentityResourceId: null, description: null };
  expect(made).toMatchObject({ status: 201, body: { properties: { ...none, createdBy: null, principalType: "ServicePrincipal" } } });
  const createdBy = "c11e0000-0000-4000-8000-000000000003";
  expect(arm.get(assignment).body).toMatchObject({ properties: { ...none, createdBy, updatedBy: createdBy } });
  const old = arm.get(assignment, { apiVersion: "2015-07-01" }).body as { properties: object };
  expect(old.properties).not.toHaveProperty("condition");
  const unknown = arm.put(assignment, { properties: { ...properties, gold: true } }, { unrecorded: true });
  expect(unknown).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("Could not find member 'gold'") } } });
});
