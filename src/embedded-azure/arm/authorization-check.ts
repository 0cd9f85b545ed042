/** Role-based access control: whether a caller's role assignments allow an action at a scope. */
import { ApiError, type Call, type Caller } from "../service.js";
import type { RoleAssignment, World } from "../world/world.js";
import { builtInRoles, type BuiltInRole } from "./built-in-roles.js";
import { authorizationFailed, linkedAuthorizationFailed } from "./errors.js";
import { isWithin, nameOf } from "./resource-id.js";

/** Undefined for a role that does not exist. `roleDefinitionId` ends in the role's GUID. */
function roleOf(roleDefinitionId: string): BuiltInRole | undefined {
  return builtInRoles[nameOf(roleDefinitionId).toLowerCase()];
}

/** An assignment counts at its scope and below, from the moment on that it has spread. */
export function may({ world, now }: Pick<Call, "world" | "now">, objectId: string, action: string, scope: string): boolean {
  return assignmentsTo(world, objectId, scope).some(
    ({ roleDefinitionId, actionsFrom = 0 }) => actionsFrom <= now && roleOf(roleDefinitionId)?.allows(action) === true,
  );
}

/** The same for an action on data (a secret, a blob), which an assignment reaches only some time after it was made. */
export function mayOnData({ world, now }: Call, objectId: string, dataAction: string, scope: string): boolean {
  return assignmentsTo(world, objectId, scope).some(
    ({ roleDefinitionId, dataFrom = 0 }) => dataFrom <= now && roleOf(roleDefinitionId)?.allowsOnData(dataAction) === true,
  );
}

function assignmentsTo(world: World, objectId: string, scope: string): RoleAssignment[] {
  return Object.values(world.roleAssignments).filter(
    ({ principalId, scope: held }) => principalId.toLowerCase() === objectId.toLowerCase() && isWithin(scope, held),
  );
}

export function callerOf(call: Call): Caller {
  if (call.caller !== undefined) return call.caller;
  throw new ApiError(401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.");
}

/** Throws 403 AuthorizationFailed. */
export function requireRight(call: Call, action: string, scope: string): void {
  const caller = callerOf(call);
  if (!may(call, caller.objectId, action, scope)) throw authorizationFailed(caller.appId, caller.objectId, action, scope);
}

/** Throws 403 LinkedAuthorizationFailed where the caller may write `scope` but not use what its body refers to. */
export function requireLinkedRight(call: Call, action: string, scope: string, linked: { action: string; id: string }): void {
  const caller = callerOf(call);
  if (may(call, caller.objectId, linked.action, linked.id)) return;
  throw linkedAuthorizationFailed(caller, action, scope, linked.action, linked.id);
}

/** Whether the caller has any role at or below the scope: what decides which subscriptions are listed. */
export function hasAnyRole(call: Call, scope: string): boolean {
  const { objectId } = callerOf(call);
  return Object.values(call.world.roleAssignments).some(
    (assignment) => assignment.principalId === objectId && (isWithin(assignment.scope, scope) || isWithin(scope, assignment.scope)),
  );
}
