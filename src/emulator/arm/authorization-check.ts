/** Role-based access control: whether a caller's role assignments allow an action at a scope. */
import { z } from "zod";
import { ApiError, type Call, type Caller } from "../core/service.js";
import type { RoleAssignment, AzureState } from "../state/state.js";
import { builtInRoles } from "./built-in-roles.js";
import { authorizationFailed, linkedAuthorizationFailed } from "./errors.js";
import { groupScopesAbove } from "./groups-above.js";
import { assignmentsByPrincipal, extensionsFrom } from "./indexes.js";
import { isWithin, nameOf } from "./resource-id.js";
import { rulesOf, type RoleRules } from "./role-rules.js";
import { permission, roleWithId } from "./roles.js";
import { namedIn } from "../common/named.js";

/** Undefined for a role that does not exist. `roleDefinitionId` ends in the role's GUID. */
function roleOf(state: AzureState, roleDefinitionId: string): RoleRules | undefined {
  return namedIn(builtInRoles, nameOf(roleDefinitionId).toLowerCase()) ?? roleWithId(state, roleDefinitionId);
}

export const denialType = "Microsoft.Authorization/denyAssignments";

const everyone = "00000000-0000-0000-0000-000000000000";
const principals = z.array(z.object({ id: z.string() })).default([]);
const denial = z.object({
  permissions: z.array(permission),
  principals,
  excludePrincipals: principals,
  doNotApplyToChildScopes: z.boolean().default(false),
});

export function denialOf(properties: Readonly<Record<string, unknown>>): z.output<typeof denial> {
  return denial.parse(properties);
}

/** Deny assignments are seeded like locks, and override every role. `covers`: whether a permission of theirs has the action. */
function isDenied(state: AzureState, objectId: string, scope: string, covers: (denied: ReturnType<typeof rulesOf>) => boolean): boolean {
  return extensionsFrom(state, scope, denialType).some(({ id, properties }) => {
    const held = id.slice(0, id.toLowerCase().lastIndexOf("/providers/"));
    const { permissions: denied, principals: whom, excludePrincipals, doNotApplyToChildScopes } = denialOf(properties);
    if (doNotApplyToChildScopes && scope.toLowerCase() !== held.toLowerCase()) return false;
    const names = (list: readonly { readonly id: string }[]) => list.some((one) => one.id.toLowerCase() === objectId.toLowerCase());
    if (names(excludePrincipals) || !(names(whom) || whom.some((one) => one.id === everyone))) return false;
    return denied.some((one) => covers(rulesOf(one)));
  });
}

/** The roles that apply at a scope: its own and those inherited. */
export function rolesOf({ state, now }: Pick<Call, "state" | "now">, objectId: string, scope: string): RoleRules[] {
  return assignmentsTo(state, objectId, scope)
    .filter(({ actionsFrom = 0 }) => actionsFrom <= now)
    .flatMap(({ roleDefinitionId }) => roleOf(state, roleDefinitionId) ?? []);
}

/** An assignment applies at its scope and below, once it has propagated. */
export function may(call: Pick<Call, "state" | "now">, objectId: string, action: string, scope: string): boolean {
  const isAllowed = rolesOf(call, objectId, scope).some((role) => role.allows(action));
  return isAllowed && !isDenied(call.state, objectId, scope, (denied) => denied.allows(action));
}

/** The same for an action on data (a secret, a blob), which a new assignment allows only some time later. */
export function mayOnData({ state, now }: Pick<Call, "state" | "now">, objectId: string, dataAction: string, scope: string): boolean {
  const isAllowed = assignmentsTo(state, objectId, scope).some(
    ({ roleDefinitionId, dataFrom = 0 }) => dataFrom <= now && roleOf(state, roleDefinitionId)?.allowsOnData(dataAction) === true,
  );
  return isAllowed && !isDenied(state, objectId, scope, (denied) => denied.allowsOnData(dataAction));
}

function assignmentsTo(state: AzureState, objectId: string, scope: string): RoleAssignment[] {
  const above = groupScopesAbove(state, scope);
  return assignmentsByPrincipal
    .find(state.roleAssignments, objectId.toLowerCase())
    .filter(({ scope: held }) => isWithin(scope, held) || above.includes(held.toLowerCase()));
}

export function callerOf(call: Call): Caller {
  if (call.caller !== undefined) return call.caller;
  throw new ApiError(401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.");
}

/** @throws ApiError 403 AuthorizationFailed */
export function requireRight(call: Call, action: string, scope: string): void {
  const caller = callerOf(call);
  if (!may(call, caller.objectId, action, scope)) throw authorizationFailed(caller.appId, caller.objectId, action, scope);
}

/** @throws ApiError 403 LinkedAuthorizationFailed if the caller may write `scope` but not use what its body refers to */
export function requireLinkedRight(call: Call, action: string, scope: string, linked: { action: string; id: string }): void {
  const caller = callerOf(call);
  if (may(call, caller.objectId, linked.action, linked.id)) return;
  throw linkedAuthorizationFailed(caller, action, scope, linked.action, linked.id);
}

/** Whether the caller has any role at or below the scope: decides which subscriptions are listed. */
export function hasAnyRole(call: Call, scope: string): boolean {
  const { objectId } = callerOf(call);
  const above = groupScopesAbove(call.state, scope);
  return assignmentsByPrincipal
    .find(call.state.roleAssignments, objectId.toLowerCase())
    .some(({ scope: held }) => isWithin(held, scope) || isWithin(scope, held) || above.includes(held.toLowerCase()));
}
