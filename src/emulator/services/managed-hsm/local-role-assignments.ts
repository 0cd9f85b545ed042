/** The local role assignments of a managed HSM, and the data actions that they allow. */
import { z } from "zod";
import { ApiError, type Answer, type Call, type Caller } from "../../core/service.js";
import type { StoredResource } from "../../state/state.js";
import type { LocalAssignment, ManagedHsm } from "../../state/managed-hsm.js";
import { schemaProblems } from "../../common/schema-problems.js";
import { logOperation } from "../../state/operation-log.js";

export interface AssignmentRoute {
  /** "/", "/keys" or "/keys/NAME". */
  readonly scope: string;
  /** Undefined for the list. */
  readonly name: string | undefined;
}

/** Undefined if the path is of something else. */
export function assignmentRoute(path: readonly string[]): AssignmentRoute | undefined {
  const at = path.findIndex((segment) => segment.toLowerCase() === "providers");
  const [, provider, type, name, ...more] = at === -1 ? [] : path.slice(at);
  if (provider?.toLowerCase() !== "microsoft.authorization" || type?.toLowerCase() !== "roleassignments" || more.length > 0)
    return undefined;
  return { scope: `/${path.slice(0, at).join("/")}`, name };
}

const body = z.strictObject({ properties: z.strictObject({ roleDefinitionId: z.string(), principalId: z.guid() }) });

/** @throws ApiError 403 without a role of the HSM, 409 for another assignment of the same role */
export function answerAssignments(call: Call, route: AssignmentRoute, hsm: StoredResource, held: ManagedHsm, caller: Caller): Answer {
  const { method } = call.request;
  const all = assignmentsIn(hsm, held.roleAssignments);
  const verb = method === "GET" ? "read" : method === "DELETE" ? "delete" : "write";
  authorize(all, caller, `roleAssignments/${verb}/action`, route.scope);
  const takes = call.sample(method === "GET" ? "read" : "secret.put");
  if (route.name === undefined) {
    const [, principal] = /principalId eq '([^']+)'/.exec(call.request.query.get("$filter") ?? "") ?? [];
    const listed = all.filter(({ scope, principalId }) => scope === route.scope && (principal === undefined || principalId === principal));
    return { status: 200, body: { value: listed.map(present) }, takes };
  }
  const existing = all.find(({ name, scope }) => name === route.name && scope === route.scope);
  if (method === "PUT") return { status: 201, body: present(create(call, route, route.name, all, held)), takes };
  if (existing === undefined) throw new ApiError(404, "RoleAssignmentNotFound", `Role assignment ${route.name} not found.`);
  if (method === "DELETE") held.roleAssignments = held.roleAssignments.filter((one) => one !== existing);
  return { status: 200, body: present(existing), takes };
}

function create(call: Call, { scope }: AssignmentRoute, name: string, all: readonly LocalAssignment[], held: ManagedHsm): LocalAssignment {
  const read = body.safeParse(call.request.body);
  if (!read.success) throw new ApiError(400, "BadParameter", schemaProblems(read.error));
  const { roleDefinitionId, principalId } = read.data.properties;
  if (!isLocalRole(roleDefinitionId)) throw new ApiError(400, "RoleDefinitionNotFound", `Role definition ${roleDefinitionId} not found.`);
  const role = roleDefinitionId.split("/").at(-1);
  const same = all.find((one) => one.scope === scope && one.principalId === principalId && one.roleDefinitionId.split("/").at(-1) === role);
  if (same !== undefined || all.some((one) => one.name === name)) {
    throw new ApiError(409, "RoleAssignmentExists", "Role assignment already exists.");
  }
  const made = { name, scope, roleDefinitionId, principalId };
  held.roleAssignments.push(made);
  const resource = `https://${call.request.host}/${call.request.path.join("/")}`;
  logOperation(call.state, { resource, verb: "PUT", seconds: call.sample("secret.put") });
  return made;
}

function present({ name, scope, roleDefinitionId, principalId }: LocalAssignment): object {
  const within = scope === "/" ? "" : scope;
  return {
    id: `${within}/providers/Microsoft.Authorization/roleAssignments/${name}`,
    name,
    properties: { principalId, roleDefinitionId, scope },
    type: "Microsoft.Authorization/roleAssignments",
  };
}

/** The access control of a managed HSM: its built-in roles, and whether one of them allows a data action on a key. */
const roleManagement = ["roleAssignments/read/action", "roleAssignments/write/action", "roleAssignments/delete/action"];

/**
 * Data actions below "Microsoft.KeyVault/managedHsm", of the roles for keys
 * (https://learn.microsoft.com/azure/key-vault/managed-hsm/built-in-roles). Only the first and the second manage roles and deleted keys.
 */
const roles: Readonly<Record<string, readonly string[]>> = {
  /** Managed HSM Administrator. */
  "a290e904-7015-4bba-90c8-60543313cdb4": roleManagement,
  /** Managed HSM Crypto Officer. */
  "515eb02d-2335-4d2d-92f2-b1cbdf9c3778": [
    ...["keys/deletedKeys/read/action", "keys/deletedKeys/recover/action", "keys/deletedKeys/delete"],
    ...roleManagement,
  ],
  /** Managed HSM Crypto User. */
  "21dbd100-6940-42c2-9190-5d6cb909625b": [
    ...["read", "write", "rotate", "encrypt", "decrypt", "wrap", "unwrap", "sign", "verify"].map((verb) => `keys/${verb}/action`),
    ...["keys/create", "keys/delete", "roleAssignments/read/action"],
  ],
  /** Managed HSM Policy Administrator. */
  "4bd23610-cdcf-4971-bdee-bdc562cc28e4": roleManagement,
  /** Managed HSM Crypto Auditor. */
  "2c18b078-7c48-4d3a-af88-5a3a1b3f82b3": ["keys/read/action", "roleAssignments/read/action"],
  /** Managed HSM Crypto Service Encryption User. */
  "33413926-3206-4cdd-b39a-83574fe37a17": ["keys/read/action", "keys/wrap/action", "keys/unwrap/action"],
};

const administrator = "a290e904-7015-4bba-90c8-60543313cdb4";

function isLocalRole(roleDefinitionId: string): boolean {
  return Object.hasOwn(roles, idOf(roleDefinitionId));
}

/** The given ones, and those of the administrators that the HSM was created with. */
export function assignmentsIn(hsm: StoredResource, given: readonly LocalAssignment[]): readonly LocalAssignment[] {
  const { initialAdminObjectIds = [] } = hsm.properties as { readonly initialAdminObjectIds?: readonly string[] };
  const roleDefinitionId = `Microsoft.KeyVault/providers/Microsoft.Authorization/roleDefinitions/${administrator}`;
  return [...initialAdminObjectIds.map((principalId) => ({ name: principalId, scope: "/", roleDefinitionId, principalId })), ...given];
}

/** `scope` is "/", "/keys" or "/keys/NAME". @throws ApiError 403 AccessDenied */
export function authorize(assignments: readonly LocalAssignment[], { objectId }: Caller, action: string, scope: string): void {
  const isAllowed = assignments.some(
    (assignment) =>
      assignment.principalId === objectId &&
      isWithin(scope, assignment.scope) &&
      roles[idOf(assignment.roleDefinitionId)]?.includes(action),
  );
  if (isAllowed) return;
  throw new ApiError(403, "AccessDenied", `Not authorized to access Microsoft.KeyVault/managedHsm/${action} on ${scope}`);
}

function isWithin(scope: string, container: string): boolean {
  return container === "/" || scope === container || scope.startsWith(`${container}/`);
}

function idOf(roleDefinitionId: string): string {
  return roleDefinitionId.split("/").at(-1)?.toLowerCase() ?? "";
}
