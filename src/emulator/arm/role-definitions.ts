/** Role definitions, built-in and custom, and the caller's permissions at a scope. */
import type { ArmCall } from "./resource-type.js";
import { z } from "zod";
import { ApiError, type Answer } from "../core/service.js";
import { callerOf, requireRight, rolesOf } from "./authorization-check.js";
import { findScope, findGroup, findSubscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { notEmulated, roleDefinitionDoesNotExist } from "./errors.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";
import { readContent, known, oneOf } from "./body-schema.js";
import { assignmentsByRole } from "./indexes.js";
import { isWithin, keyOf } from "./resource-id.js";
import { customRoleNamed, permission, rolesAt, roleType, roleWithId, type Role } from "./roles.js";
import { logOperation } from "../state/operation-log.js";

const versions = ["2022-05-01-preview", "2022-04-01", "2018-01-01-preview", "2015-07-01"];
const collection = `{scope}/providers/${roleType}`;
const single = `${collection}/{guid}`;

export const roleDefinitionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: single, versions, handle: get },
  { method: "PUT", path: single, versions, handle: put },
  { method: "DELETE", path: single, versions, handle: remove },
];

const dates = ["createdOn", "updatedOn", "createdBy", "updatedBy"];

const body = known(
  {
    properties: known(
      {
        roleName: z.string().min(1).max(512),
        description: z.string().optional(),
        type: oneOf("CustomRole").optional(),
        permissions: z.array(known(permission.shape)).length(1),
        assignableScopes: z.array(z.string().startsWith("/")).min(1),
      },
      dates,
    ),
  },
  ["id", "name", "type"],
);

/** `$filter`: `roleName eq`, `type eq`, `atScopeAndBelow()`. */
function list(call: ArmCall, { scope = "" }: Parameters): Answer {
  requireRight(call, `${roleType}/read`, scope);
  const { equals, calls } = readFilter(call.request.query.get("$filter"), ["rolename", "type", "atscopeandbelow"]);
  const found = rolesAt(call.state, scope, calls.has("atscopeandbelow")).filter((role) => {
    const name = equals.get("rolename");
    const wantedKind = equals.get("type");
    return (name === undefined || name.toLowerCase() === role.roleName.toLowerCase()) && (wantedKind ?? kindOf(role)) === kindOf(role);
  });
  return page(call, found, (role) => presentRole(scope, role));
}

function get(call: ArmCall, { scope = "", guid = "" }: Parameters): Answer {
  // Any caller with a token may read a definition by its tenant-wide ID.
  if (scope !== "/") requireRight(call, `${roleType}/read`, scope);
  return { status: 200, body: presentRole(scope, find(call, guid)), takes: call.sample("read") };
}

/** 201 for a change too. It requires the right at every scope where the role can be assigned. */
function put(call: ArmCall, { scope = "", guid = "" }: Parameters): Answer {
  const { properties } = readContent(body, call.request.body, roleType);
  findScope(call, scope);
  for (const one of [scope, ...properties.assignableScopes]) requireRight(call, `${roleType}/write`, one);
  const existing = roleWithId(call.state, guid);
  if (existing !== undefined && existing.stored === undefined) throw notEmulated("PUT", call.request.path);
  checkName(call, properties.roleName, guid);
  const { stored } = existing ?? {};
  const id = stored?.id ?? idIn(scope, guid);
  const now = new Date(call.now).toISOString();
  const by = callerOf(call).objectId;
  const createdBy = stored?.properties["createdBy"] ?? by;
  const createdOn = stored?.properties["createdOn"] ?? now;
  call.state.resources[keyOf(id)] = {
    id,
    name: guid,
    type: roleType,
    properties: { ...properties, createdOn, updatedOn: now, createdBy, updatedBy: by },
  };
  const seconds = call.sample("roleAssignment.put");
  logOperation(call.state, { resource: id, verb: "PUT", seconds });
  const answered = presentRole(scope, find(call, guid));
  // Azure names the creator of a role only when it is read.
  return { status: 201, body: { ...answered, properties: { ...answered.properties, createdBy: null } }, takes: seconds };
}

/** A role that is assigned stays. */
function remove(call: ArmCall, { scope = "", guid = "" }: Parameters): Answer {
  requireRight(call, `${roleType}/delete`, scope);
  findScope(call, scope);
  const role = roleWithId(call.state, guid);
  if (role === undefined) return { status: 204, takes: call.sample("read") };
  if (role.stored === undefined) throw notEmulated("DELETE", call.request.path);
  for (const one of role.assignableScopes) requireRight(call, `${roleType}/delete`, one);
  if (assignmentsByRole.namesOf(call.state.roleAssignments, keyOf(guid)).length > 0) {
    throw new ApiError(
      400,
      "RoleDefinitionHasAssignments",
      "There are existing role assignments referencing role (code: RoleDefinitionHasAssignments)",
    );
  }
  delete call.state.resources[keyOf(role.stored.id)];
  const seconds = call.sample("roleAssignment.put");
  logOperation(call.state, { resource: role.stored.id, verb: "DELETE", seconds });
  return { status: 200, body: presentRole(scope, role), takes: seconds };
}

function find({ state }: ArmCall, guid: string): Role {
  const role = roleWithId(state, guid);
  if (role === undefined) throw roleDefinitionDoesNotExist(guid);
  return role;
}

/** Names of custom roles are unique in the tenant. @throws ApiError RoleDefinitionWithSameNameExists */
function checkName({ state }: ArmCall, roleName: string, guid: string): void {
  const holder = customRoleNamed(state, roleName);
  if (holder === undefined || holder.guid === guid.toLowerCase()) return;
  throw new ApiError(
    409,
    "RoleDefinitionWithSameNameExists",
    "A custom role with the same name already exists in this directory. Use a different name",
  );
}

function kindOf({ stored }: Role): string {
  return stored === undefined ? "BuiltInRole" : "CustomRole";
}

function idIn(scope: string, guid: string): string {
  const subscription = /^\/subscriptions\/[^/]+/i.exec(scope)?.[0] ?? "";
  return `${subscription}/providers/${roleType}/${guid}`;
}

/** Azure's own roles have dates, but nobody's names; here all have the same. */
const builtInDates = {
  createdOn: "2015-02-02T21:55:09.8806423Z",
  updatedOn: "2021-11-11T20:13:07.8283838Z",
  createdBy: null,
  updatedBy: null,
};

/** The ID of a role depends on the subscription in the request. */
export function presentRole(scope: string, role: Role) {
  const { guid, roleName, description, assignableScopes, actions, notActions, dataActions, notDataActions, stored } = role;
  return {
    id: isWithin(scope, "/subscriptions") ? idIn(scope, guid) : (stored?.id ?? idIn(scope, guid)),
    name: guid,
    type: roleType,
    properties: {
      roleName,
      type: kindOf(role),
      description,
      assignableScopes,
      permissions: [{ actions, notActions, dataActions, notDataActions }],
      ...(stored === undefined ? builtInDates : Object.fromEntries(dates.map((name) => [name, stored.properties[name]]))),
    },
  };
}

export const permissionEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "{scope}/providers/Microsoft.Authorization/permissions",
    versions: ["2022-04-01", "2018-07-01", "2015-07-01"],
    handle: permissions,
  },
];

/** A resource that does not exist has what it would inherit. No recording covers that. */
function checkScope(call: ArmCall, scope: string): void {
  const [, , subscriptionId = "", , group] = scope.split("/");
  if (group === undefined) findSubscription(call, subscriptionId);
  else findGroup(call, subscriptionId, group);
}

/** One entry for each role of the caller at the scope; a caller without one gets an empty list. */
function permissions(call: ArmCall, { scope = "" }: Parameters): Answer {
  checkScope(call, scope);
  const roles = rolesOf(call, callerOf(call).objectId, scope);
  return page(
    call,
    roles.map(({ actions, notActions, dataActions, notDataActions }) => ({ actions, notActions, dataActions, notDataActions })),
  );
}
