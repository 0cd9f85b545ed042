/** The role assignments that are on a scope, listed once however many steps ask. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { idKey, parseResourceId } from "../infra/resource-id.js";
import type { Role } from "../infra/role-table.js";

/** Whether an assignment gives that role to that principal; its scope is for the caller to know. */
export function gives(live: RoleAssignment, principalId: string, role: Role): boolean {
  return live.principalId?.toLowerCase() === principalId.toLowerCase() && idKey(live.roleDefinitionId ?? "").endsWith(`/${role.id}`);
}

export interface AssignmentLists {
  /** The assignments made on exactly this scope; listed once. */
  on(scope: string): Promise<RoleAssignment[]>;
  forget(scope: string): void;
}

export function listedAssignments(azure: Azure): AssignmentLists {
  const lists = new Map<string, Promise<RoleAssignment[]>>();
  const list = async (scope: string) => {
    const client = await azure.authorization(parseResourceId(scope).subscriptionId);
    const found: RoleAssignment[] = [];
    // atScope() leaves out what lies below; what is inherited from above is left out here.
    for await (const live of client.roleAssignments.listForScope(scope, { filter: "atScope()" })) {
      if (idKey(live.scope ?? "") === idKey(scope)) found.push(live);
    }
    return found;
  };
  return {
    on(scope) {
      const known = lists.get(idKey(scope)) ?? list(scope);
      lists.set(idKey(scope), known);
      return known;
    },
    forget: (scope) => {
      lists.delete(idKey(scope));
    },
  };
}
