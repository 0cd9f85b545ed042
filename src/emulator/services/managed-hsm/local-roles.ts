/** The access control of a managed HSM: its built-in roles, and whether one of them allows a data action on a key. */
import { ApiError, type Caller } from "../../core/service.js";
import type { LocalAssignment, StoredResource } from "../../state/state.js";

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

export function isLocalRole(roleDefinitionId: string): boolean {
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
