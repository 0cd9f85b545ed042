import { beforeEach, expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/state/well-known.js";
import { ArmState, subscription } from "./arm-state.js";

const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const principal = "22222222-2222-4222-8222-222222222222";
const name = "11111111-1111-4111-8111-111111111111";
const otherName = "11111111-1111-4111-8111-111111111112";

let arm: ArmState;
let scope: string;

beforeEach(() => {
  arm = new ArmState();
  scope = arm.group("demo");
});

const idOf = (at: string, assignment = name): string => `${at}/providers/Microsoft.Authorization/roleAssignments/${assignment}`;

function grant(changes: Readonly<Record<string, unknown>> = {}): unknown {
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${reader}`;
  return { properties: { principalId: principal, principalType: "ServicePrincipal", roleDefinitionId, ...changes } };
}

function codeOf({ status, body }: { status: number; body: unknown }): string {
  return `${String(status)} ${(body as { error: { code: string } }).error.code}`;
}

function listed(target: string): string[] {
  return (arm.get(target).body as { value: { id: string }[] }).value.map(({ id }) => id);
}

test("an assignment is 201, and 201 again when repeated, and is read back", () => {
  expect(arm.put(idOf(scope), grant()).status).toBe(201);
  expect(arm.put(idOf(scope), grant()).status).toBe(201);
  expect(arm.get(idOf(scope))).toMatchObject({
    status: 200,
    body: { id: idOf(scope), name, properties: { principalId: principal, scope, principalType: "ServicePrincipal" } },
  });
});

test("the operation log says when a new assignment applies to data, but not for a repetition, and not for a role without data actions", () => {
  arm.seconds = { "roleAssignment.put": 3, "rbac.propagation": 60 };
  arm.state.operationLog = {};
  const secretsUser = {
    roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`,
  };
  arm.put(idOf(scope), grant(secretsUser));
  arm.put(idOf(scope), grant(secretsUser));
  arm.put(idOf(scope, otherName), grant());
  expect(Object.values(arm.state.operationLog)).toEqual([
    { resource: idOf(scope), verb: "PUT", seconds: 3, effectiveAfter: 60 },
    { resource: idOf(scope), verb: "PUT", seconds: 3 },
    { resource: idOf(scope, otherName), verb: "PUT", seconds: 3 },
  ]);
});

test("the same name for another principal or role is refused, and so is the same grant under another name", () => {
  arm.put(idOf(scope), grant());
  expect(codeOf(arm.put(idOf(scope), grant({ principalId: otherName })))).toBe("400 RoleAssignmentUpdateNotPermitted");
  const roleDefinitionId = `/providers/Microsoft.Authorization/roleDefinitions/${contributor}`;
  expect(codeOf(arm.put(idOf(scope), grant({ roleDefinitionId })))).toBe("400 RoleAssignmentUpdateNotPermitted");
  expect(codeOf(arm.put(idOf(scope, otherName), grant()))).toBe("409 RoleAssignmentExists");
  expect(arm.put(idOf(arm.group("other"), otherName), grant()).status).toBe(201);
});

test("an assignment of nobody names its creator as null", () => {
  const [seeded] = Object.values(arm.state.roleAssignments);
  expect(arm.get(seeded?.id ?? "")).toMatchObject({ status: 200, body: { properties: { createdBy: null, updatedBy: null } } });
});

test("a condition is stored, answered and changed, with its version, by versions that have conditions", () => {
  const condition = "@Resource[Microsoft.Storage/storageAccounts/blobServices/containers:name] StringEquals 'one'";
  const sent = grant({ condition, conditionVersion: "2.0", description: "one container" });
  expect(arm.put(idOf(scope), sent)).toMatchObject({ status: 201, body: { properties: { condition, conditionVersion: "2.0" } } });
  expect(arm.get(idOf(scope))).toMatchObject({ body: { properties: { condition, description: "one container" } } });
  expect(arm.get(idOf(scope), { apiVersion: "2015-07-01" }).body).not.toHaveProperty("properties.condition");
  expect(arm.put(idOf(scope), grant())).toMatchObject({ status: 201, body: { properties: { condition: null, description: null } } });
  expect(codeOf(arm.put(idOf(scope), sent, { apiVersion: "2015-07-01" }))).toBe("400 InvalidRequestContent");
  expect(codeOf(arm.put(idOf(scope), grant({ condition }), { unrecorded: true }))).toBe("400 InvalidRequestContent");
});

test("invalid roles, principals and names are refused with their own codes", () => {
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/Some Role`;
  expect(codeOf(arm.put(idOf(scope), grant({ roleDefinitionId })))).toBe("404 RoleDefinitionDoesNotExist");
  expect(codeOf(arm.put(idOf(scope), grant({ principalId: "somebody" })))).toBe("400 InvalidPrincipalId");
  expect(codeOf(arm.put(idOf(scope, "not-a-guid"), grant()))).toBe("400 InvalidRoleAssignmentId");
  expect(codeOf(arm.put(idOf(scope), grant({ surprise: 1 }), { unrecorded: true }))).toBe("400 InvalidRequestContent");
});

test("without principalType, an invisible principal is PrincipalNotFound; with it, no lookup happens", () => {
  const seen = { principalId: wellKnown.clientPrincipalId, principalType: undefined };
  arm.state.knobs = { replicationLagSeconds: 60 };
  const [application] = Object.values(arm.state.applications);
  if (application !== undefined) application.createdAt = arm.now;
  expect(codeOf(arm.put(idOf(scope), grant(seen)))).toBe("400 PrincipalNotFound");
  expect(codeOf(arm.put(idOf(scope), grant({ principalType: undefined })))).toBe("400 PrincipalNotFound");
  expect(arm.put(idOf(scope), grant()).status).toBe(201);
  arm.pass(61);
  expect(arm.put(idOf(scope, otherName), grant(seen)).status).toBe(201);
});

test("a subscription has no more assignments than its limit", () => {
  arm.state.knobs = { roleAssignmentLimit: 3 };
  expect(arm.put(idOf(scope), grant()).status).toBe(201);
  expect(codeOf(arm.put(idOf(arm.group("other")), grant()))).toBe("400 RoleAssignmentLimitExceeded");
  expect(arm.put(idOf(scope), grant()).status).toBe(201);
});

test("a delete is 200 with the assignment, then 204, and 404 once its group is deleted", () => {
  arm.put(idOf(scope), grant());
  expect(arm.delete(idOf(scope))).toMatchObject({ status: 200, body: { name } });
  expect(arm.delete(idOf(scope)).status).toBe(204);
  arm.put(idOf(scope), grant());
  arm.delete(scope);
  expect(codeOf(arm.delete(idOf(scope)))).toBe("404 ResourceGroupNotFound");
  expect(listed(`${subscription}/providers/Microsoft.Authorization/roleAssignments`)).not.toContain(idOf(scope));
});

test("lists contain assignments above and below, with atScope() those above; the principal filters both", () => {
  arm.put(idOf(scope), grant());
  const collection = "providers/Microsoft.Authorization/roleAssignments";
  expect(listed(`${subscription}/${collection}`)).toHaveLength(3);
  expect(listed(`${scope}/${collection}`)).toHaveLength(3);
  expect(listed(`${subscription}/${collection}?$filter=atScope()`)).toHaveLength(2);
  expect(listed(`${subscription}/${collection}?$filter=principalId eq '${principal}'`)).toEqual([idOf(scope)]);
  expect(listed(`${scope}/${collection}?$filter=atScope() and assignedTo('${principal}')`)).toEqual([idOf(scope)]);
  expect(codeOf(arm.get(`${scope}/${collection}?$filter=roleName eq 'x'`))).toBe("400 InvalidFilterInQueryString");
});

test("deleting an identity keeps its assignments", () => {
  const identity = `${scope}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/a`;
  arm.state.resources[identity.toLowerCase()] = {
    id: identity,
    name: "a",
    type: "Microsoft.ManagedIdentity/userAssignedIdentities",
    location: "eastus",
    properties: { principalId: principal },
  };
  arm.put(idOf(scope), grant({ principalType: undefined }));
  expect(arm.delete(identity).status).toBe(200);
  expect(arm.get(idOf(scope)).status).toBe(200);
});

test("role definitions are found by name and by GUID, under a subscription and without one", () => {
  const definitions = "providers/Microsoft.Authorization/roleDefinitions";
  const found = arm.get(`${subscription}/${definitions}?$filter=roleName eq 'Contributor'`).body as { value: { name: string }[] };
  expect(found.value.map((role) => role.name)).toEqual([contributor]);
  expect(arm.get(`${scope}/${definitions}/${reader}`)).toMatchObject({
    body: { id: `${subscription}/${definitions}/${reader}`, properties: { roleName: "Reader", type: "BuiltInRole" } },
  });
  expect(arm.get(`/${definitions}/${reader}`)).toMatchObject({ status: 200, body: { id: `/${definitions}/${reader}` } });
  expect(codeOf(arm.get(`/${definitions}/${name}`))).toBe("404 RoleDefinitionDoesNotExist");
});
