import { expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const accessAdministrator = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9";
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";

const body = { location: "eastus", properties: {} };

test("a caller without a role gets 403 with Azure's sentence, whether the resource exists or not", () => {
  const arm = new ArmState();
  const caller = arm.caller("stranger", []);
  const id = arm.group("demo");
  for (const target of [id, `${subscription}/resourceGroups/none`]) {
    expect(arm.get(target, { caller })).toEqual({
      status: 403,
      headers: {},
      body: {
        error: {
          code: "AuthorizationFailed",
          message:
            `The client 'stranger-app' with object id '${caller.objectId}' does not have authorization to perform action ` +
            `'Microsoft.Resources/subscriptions/resourceGroups/read' over scope '${target}' or the scope is invalid. ` +
            "If access was recently granted, please refresh your credentials.",
        },
      },
    });
  }
});

test("a role applies at its scope and below, case-insensitively, and not above", () => {
  const arm = new ArmState();
  const inside = arm.group("inside");
  const outside = arm.group("inside-not");
  const caller = arm.caller("worker", [{ role: contributor, scope: inside.toLowerCase() }]);
  const nsg = (group: string): string => `${group}/providers/Microsoft.Network/networkSecurityGroups/a`;
  expect(arm.put(nsg(inside), body, { caller }).status).toBe(201);
  expect(arm.put(nsg(outside), body, { caller }).status).toBe(403);
});

test("the permissions at a resource are those of the roles on it and above, and of no others", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const nsg = `${group}/providers/Microsoft.Network/networkSecurityGroups/a`;
  const caller = arm.caller("worker", [
    { role: reader, scope: group },
    { role: networkContributor, scope: nsg },
  ]);
  const actionsAt = (scope: string) => {
    const { status, body } = arm.get(`${scope}/providers/Microsoft.Authorization/permissions`, { caller });
    return [status, ...(body as { value: { actions: string[] }[] }).value.flatMap(({ actions }) => actions)];
  };
  expect(actionsAt(group)).toEqual([200, "*/read"]);
  expect(actionsAt(nsg)).toEqual(expect.arrayContaining([200, "*/read", "Microsoft.Network/*"]));
  expect(actionsAt(`${nsg}b`)).toEqual([200, "*/read"]);
});

test("a reader cannot write, a contributor cannot assign roles, and an access administrator can read and assign roles", () => {
  const arm = new ArmState();
  const scope = arm.group("demo");
  const assignment = `${scope}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111`;
  const grant = {
    properties: {
      principalId: "22222222-2222-4222-8222-222222222222",
      principalType: "ServicePrincipal",
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${reader}`,
    },
  };
  const as = (role: string) => ({ caller: arm.caller("x", [{ role, scope }]) });
  expect(arm.get(scope, as(reader)).status).toBe(200);
  expect(arm.send("PATCH", scope, { tags: {} }, as(reader)).status).toBe(403);
  expect(arm.put(assignment, grant, as(contributor)).status).toBe(403);
  expect(arm.put(assignment, grant, as(accessAdministrator)).status).toBe(201);
  expect(arm.put(scope, { location: "eastus" }, as(accessAdministrator)).status).toBe(403);
});

test("a network role writes networks but not groups", () => {
  const arm = new ArmState();
  const scope = arm.group("demo");
  const caller = arm.caller("x", [{ role: networkContributor, scope }]);
  expect(arm.put(`${scope}/providers/Microsoft.Network/networkSecurityGroups/a`, body, { caller }).status).toBe(201);
  expect(arm.send("DELETE", scope, undefined, { caller }).status).toBe(403);
});

test("joining a security group without the right is LinkedAuthorizationFailed", () => {
  const arm = new ArmState();
  const own = arm.group("own");
  const foreign = `${arm.group("foreign")}/providers/Microsoft.Network/networkSecurityGroups/a`;
  arm.put(foreign, body);
  const caller = arm.caller("x", [{ role: contributor, scope: own }]);
  const network = {
    location: "eastus",
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "default", properties: { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: foreign } } }],
    },
  };
  const id = `${own}/providers/Microsoft.Network/virtualNetworks/net`;
  const refused = arm.put(id, network, { caller });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "LinkedAuthorizationFailed" } } });
  expect(JSON.stringify(refused.body)).toContain("Microsoft.Network/networkSecurityGroups/join/action");
  expect(arm.put(id, network).status).toBe(201);
});

test("lists in the subscription show what the caller may read; any role in a subscription makes it visible", () => {
  const arm = new ArmState();
  const scope = arm.group("mine");
  arm.group("theirs");
  const caller = arm.caller("x", [{ role: reader, scope }]);
  const names = (target: string) => (arm.get(target, { caller }).body as { value: { name?: string; subscriptionId?: string }[] }).value;
  expect(names(`${subscription}/resourceGroups`).map(({ name }) => name)).toEqual(["mine"]);
  expect(names("/subscriptions")).toHaveLength(1);
  const unowned = arm.caller("y", []);
  expect(arm.get("/subscriptions", { caller: unowned }).body).toEqual({ value: [], nextLink: "" });
  expect(arm.get(subscription, { caller: unowned }).status).toBe(403);
});

test("a Role Based Access Control Administrator can read, assign roles and delete assignments, and write nothing else", () => {
  const arm = new ArmState();
  const scope = arm.group("demo");
  const as = { caller: arm.caller("x", [{ role: "f58310d9-a9f6-439a-9e8d-f62e7b41a168", scope }]) };
  const assignment = `${scope}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111`;
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${reader}`;
  const properties = { principalId: "22222222-2222-4222-8222-222222222222", principalType: "ServicePrincipal", roleDefinitionId };
  expect(arm.put(assignment, { properties }, as).status).toBe(201);
  expect(arm.delete(assignment, as).status).toBe(200);
  expect(arm.get(scope, as).status).toBe(200);
  expect(arm.put(scope, { location: "eastus" }, as).status).toBe(403);
  const lock = { properties: { level: "CanNotDelete" } };
  expect(arm.put(`${scope}/providers/Microsoft.Authorization/locks/mine`, lock, { ...as, apiVersion: "2020-05-01" }).status).toBe(403);
});

test("a Tag Contributor can read and write tags, but not what has them", () => {
  const arm = new ArmState();
  const scope = arm.group("demo");
  const nsg = `${scope}/providers/Microsoft.Network/networkSecurityGroups/a`;
  arm.put(nsg, body);
  const caller = arm.caller("x", [{ role: "4a9ae827-6dc8-4573-8ac7-8239d42aa03f", scope }]);
  const tags = `${nsg}/providers/Microsoft.Resources/tags/default`;
  expect(arm.put(tags, { properties: { tags: { b: "2" } } }, { caller, apiVersion: "2025-04-01" }).status).toBe(200);
  expect(arm.get(tags, { caller, apiVersion: "2025-04-01" }).status).toBe(200);
  expect(arm.get(nsg, { caller }).status).toBe(403);
  expect(arm.put(nsg, { ...body, tags: { b: "3" } }, { caller }).status).toBe(403);
});
