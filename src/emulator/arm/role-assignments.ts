/** Role assignments: at any scope, created once and never changed, listed up and down the scopes. */
import type { ArmCall } from "./resource-type.js";
import { z } from "zod";
import { ApiError, type Answer } from "../core/service.js";
import type { RoleAssignment, AzureState } from "../state/state.js";
import { versionOf } from "./api-versions.js";
import { callerOf, requireRight } from "./authorization-check.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { groupScopesAbove } from "./groups-above.js";
import { invalidRequestContent, resourceGroupNotFound, roleDefinitionDoesNotExist } from "./errors.js";
import { checkPolicies } from "./knob-policies.js";
import { checkLocks } from "./locks.js";
import { assignmentsAround, assignmentsByPrincipal, assignmentsByScope, applicationsByPrincipal, resourcesByPrincipal } from "./indexes.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";
import { readContent, known, oneOf, unknownMember } from "./body-schema.js";
import { groupOf, isWithin, keyOf, nameOf } from "./resource-id.js";
import { roleWithId } from "./roles.js";
import { logOperation } from "../state/operation-log.js";

export const roleAssignmentType = "Microsoft.Authorization/roleAssignments";
const type = roleAssignmentType;
const versions = [
  "2022-04-01",
  "2021-04-01-preview",
  "2020-10-01-preview",
  "2020-08-01-preview",
  "2020-04-01-preview",
  "2020-03-01-preview",
  "2018-09-01-preview",
  "2018-07-01",
  "2018-01-01-preview",
  "2017-10-01-preview",
  "2015-07-01",
];
const collection = "{scope}/providers/Microsoft.Authorization/roleAssignments";
const single = `${collection}/{name}`;

export const roleAssignmentEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: single, versions, handle: get },
  { method: "PUT", path: single, versions, handle: put },
  { method: "DELETE", path: single, versions, handle: remove },
];

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const body = known(
  {
    properties: known(
      {
        roleDefinitionId: z.string(),
        principalId: z.string(),
        principalType: oneOf("ServicePrincipal", "User", "Group", "ForeignGroup", "Device").optional(),
        description: z.string().optional(),
        condition: z.string().optional(),
        conditionVersion: z.literal("2.0").optional(),
        delegatedManagedIdentityResourceId: z.string().optional(),
      },
      // Clients that follow the oldest samples of the documentation repeat the scope, which is in the path.
      ["scope", "createdOn", "updatedOn", "createdBy", "updatedBy"],
    ),
  },
  ["id", "name", "type"],
);

/** If no principal type was sent, Azure looks it up. */
function typeOfPrincipal({ people }: AzureState, principalId: string): RoleAssignment["principalType"] {
  const kind = people?.[keyOf(principalId)]?.kind;
  return kind === undefined ? "ServicePrincipal" : kind === "user" ? "User" : "Group";
}

/** Azure's limit on the assignments of a subscription. */
const mostInSubscription = 4000;

function put(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  const id = idAt(scope, name);
  requireRight(call, `${type}/write`, id);
  checkScope(call.state, scope);
  if (!guid.test(name))
    throw new ApiError(
      400,
      "InvalidRoleAssignmentId",
      `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
    );
  const { properties } = readContent(body, call.request.body, type);
  checkMembers(call, properties);
  checkLocks(call.state, scope, "write");
  checkRole(call.state, properties.roleDefinitionId, scope);
  checkPolicies(call.state, id, type, properties);
  checkPrincipal(call, properties.principalId, properties.principalType);
  const existing = call.state.roleAssignments[keyOf(id)];
  if (existing !== undefined) checkUnchanged(existing, properties);
  else checkNew(call.state, scope, properties);
  const lag = call.state.knobs?.dataRightsLagSeconds ?? call.sample("rbac.propagation");
  const actionsLag = call.state.knobs?.rightsLagSeconds ?? 0;
  const assignment: RoleAssignment = {
    id,
    name,
    scope,
    roleDefinitionId: properties.roleDefinitionId,
    principalId: properties.principalId,
    principalType: properties.principalType ?? typeOfPrincipal(call.state, properties.principalId),
    createdOn: existing?.createdOn ?? new Date(call.now).toISOString(),
    createdBy: existing?.createdBy ?? callerOf(call).objectId,
    ...(actionsLag > 0 && { actionsFrom: existing?.actionsFrom ?? call.now + call.milliseconds(actionsLag) }),
    dataFrom: existing?.dataFrom ?? call.now + call.milliseconds(lag),
    ...Object.fromEntries(memberNames.flatMap((member) => (properties[member] === undefined ? [] : [[member, properties[member]]]))),
  };
  call.state.roleAssignments[keyOf(id)] = assignment;
  const seconds = call.sample("roleAssignment.put");
  const isForData = (roleWithId(call.state, properties.roleDefinitionId)?.dataActions.length ?? 0) > 0;
  const effectiveAfter = existing === undefined && isForData ? { effectiveAfter: lag } : {};
  logOperation(call.state, { resource: id, verb: "PUT", seconds, ...effectiveAfter });
  // Azure answers 201 to a repetition too.
  const answered = present(call, assignment);
  // Azure names the creator of an assignment only when it is read.
  return { status: 201, body: { ...answered, properties: { ...answered.properties, createdBy: null } }, takes: seconds };
}

function get(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  const id = idAt(scope, name);
  requireRight(call, `${type}/read`, id);
  checkScope(call.state, scope);
  const assignment = call.state.roleAssignments[keyOf(id)];
  if (assignment === undefined) throw new ApiError(404, "RoleAssignmentNotFound", `The role assignment '${name}' is not found.`);
  return { status: 200, body: present(call, assignment), takes: call.sample("read") };
}

function remove(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  const id = idAt(scope, name);
  requireRight(call, `${type}/delete`, id);
  checkScope(call.state, scope);
  const assignment = call.state.roleAssignments[keyOf(id)];
  if (assignment === undefined) return { status: 204, takes: call.sample("read") };
  checkLocks(call.state, scope, "delete");
  delete call.state.roleAssignments[keyOf(id)];
  const seconds = call.sample("roleAssignment.put");
  logOperation(call.state, { resource: id, verb: "DELETE", seconds });
  return { status: 200, body: present(call, assignment), takes: seconds };
}

/**
 * Those at the scope and above it, and below it unless `atScope()` is set. `principalId eq` and `assignedTo()` are the same
 * here, because there are no groups of principals.
 */
function list(call: ArmCall, { scope = "" }: Parameters): Answer {
  requireRight(call, `${type}/read`, scope);
  checkScope(call.state, scope);
  const { equals, calls } = readFilter(call.request.query.get("$filter"), ["atscope", "principalid", "assignedto"]);
  const principal = equals.get("principalid") ?? calls.get("assignedto");
  const above = groupScopesAbove(call.state, scope);
  const isHere = (one: RoleAssignment) =>
    isWithin(scope, one.scope) || above.includes(keyOf(one.scope)) || (!calls.has("atscope") && isWithin(one.scope, scope));
  const found =
    principal === undefined
      ? assignmentsAround(call.state, scope, calls.has("atscope"))
      : assignmentsByPrincipal.find(call.state.roleAssignments, keyOf(principal)).filter(isHere);
  return page(call, found, (one) => present(call, one));
}

function idAt(scope: string, name: string): string {
  return `${scope === "/" ? "" : scope}/providers/${type}/${name}`;
}

/** A scope whose group is deleted is 404, also for a delete; Azure does not check whether other scopes exist. */
function checkScope(state: AzureState, scope: string): void {
  const group = groupOf(scope);
  if (group !== undefined && state.resources[keyOf(group)] === undefined) throw resourceGroupNotFound(nameOf(group));
}

/** A custom role does not exist outside its assignable scopes. */
function checkRole(state: AzureState, roleDefinitionId: string, scope: string): void {
  const { assignableScopes = [] } = roleWithId(state, roleDefinitionId) ?? {};
  if (assignableScopes.some((one) => isWithin(scope, one))) return;
  throw roleDefinitionDoesNotExist(nameOf(roleDefinitionId).replaceAll("-", ""));
}

/** Without `principalType`, the principal is looked up in a directory that lags; with it, no lookup happens. */
function checkPrincipal(call: ArmCall, principalId: string, principalType: string | undefined): void {
  if (!guid.test(principalId)) {
    throw new ApiError(400, "InvalidPrincipalId", `The Principal ID '${principalId}' is not valid. Principal ID must be a GUID.`);
  }
  if (principalType !== undefined || knownPrincipal(call, principalId)) return;
  throw new ApiError(
    400,
    "PrincipalNotFound",
    `Principal ${principalId.replaceAll("-", "")} does not exist in the directory ${call.state.tenantId}. ` +
      "Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, " +
      "this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, " +
      "such as ServicePrincipal, User, or Group.  See https://aka.ms/docs-principaltype",
  );
}

interface Wanted {
  readonly principalId: string;
  readonly roleDefinitionId: string;
}

function sameGrant(one: RoleAssignment, { principalId, roleDefinitionId }: Wanted): boolean {
  return keyOf(one.principalId) === keyOf(principalId) && keyOf(nameOf(one.roleDefinitionId)) === keyOf(nameOf(roleDefinitionId));
}

function checkUnchanged(existing: RoleAssignment, wanted: Wanted): void {
  if (sameGrant(existing, wanted)) return;
  throw new ApiError(
    400,
    "RoleAssignmentUpdateNotPermitted",
    "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
  );
}

/** The limit of a subscription. */
export function roleAssignmentLimitOf({ knobs }: AzureState): number {
  return knobs?.roleAssignmentLimit ?? mostInSubscription;
}

function checkNew(state: AzureState, scope: string, wanted: Wanted): void {
  const same = assignmentsByPrincipal
    .find(state.roleAssignments, keyOf(wanted.principalId))
    .find((one) => keyOf(one.scope) === keyOf(scope) && sameGrant(one, wanted));
  if (same !== undefined) {
    const id = same.name.replaceAll("-", "");
    throw new ApiError(
      409,
      "RoleAssignmentExists",
      `The role assignment already exists. The ID of the conflicting role assignment is ${id}.`,
    );
  }
  const limit = roleAssignmentLimitOf(state);
  const subscription = /^\/subscriptions\/[^/]+/i.exec(scope)?.[0];
  if (subscription !== undefined && assignmentsByScope.namesOf(state.roleAssignments, keyOf(subscription)).length >= limit) {
    throw new ApiError(400, "RoleAssignmentLimitExceeded", "No more role assignments can be created");
  }
}

/** Versions before 2020 do not have them. Conditions are stored and answered, and not evaluated: the role applies without them. */
const memberNames = ["condition", "conditionVersion", "delegatedManagedIdentityResourceId", "description"] as const;

type Members = { readonly [member in (typeof memberNames)[number]]?: string | undefined };

/** @throws ApiError 400 for a member that the version does not have, and for one half of a condition */
function checkMembers({ request }: ArmCall, sent: Members): void {
  const unknown = memberNames.find((member) => sent[member] !== undefined);
  if (unknown !== undefined && versionOf(request) < "2020") throw unknownMember(type, unknown, "Path 'properties'.");
  if ((sent.condition === undefined) !== (sent.conditionVersion === undefined)) {
    throw invalidRequestContent("A condition and its version require each other. Path 'properties.conditionVersion'.");
  }
}

const present = ({ request }: ArmCall, assignment: RoleAssignment) => presentAssignment(versionOf(request), assignment);

export function presentAssignment(version: string, assignment: RoleAssignment) {
  const { id, name, scope, roleDefinitionId, principalId, principalType, createdOn, updatedOn = createdOn, createdBy } = assignment;
  const subscription = /^\/subscriptions\/[^/]+/i.exec(scope)?.[0] ?? "";
  return {
    id,
    name,
    type,
    properties: {
      // Azure answers the definition under the assignment's subscription, however it was sent.
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${nameOf(roleDefinitionId)}`,
      principalId,
      principalType,
      scope,
      ...(version >= "2020" && Object.fromEntries(memberNames.map((member) => [member, assignment[member] ?? null]))),
      createdOn,
      updatedOn,
      createdBy: createdBy ?? null,
      updatedBy: createdBy ?? null,
    },
  };
}

/** Whether the principal is visible: a new one only when the directory's replicas have caught up. */
function knownPrincipal({ state, now, milliseconds }: ArmCall, principalId: string): boolean {
  const lag = milliseconds(state.knobs?.replicationLagSeconds ?? 0);
  const seen = (createdAt: number | undefined): boolean => now >= (createdAt ?? 0) + lag;
  const wanted = principalId.toLowerCase();
  return (
    applicationsByPrincipal
      .find(state.applications, wanted)
      .some(({ servicePrincipal, createdAt }) => seen(servicePrincipal?.createdAt ?? createdAt)) ||
    resourcesByPrincipal.find(state.resources, wanted).some((one) => seen(one.createdAt)) ||
    [state.people?.[wanted]].some((one) => one !== undefined && one.deletedAt === undefined && seen(one.createdAt))
  );
}
