/** The role assignments on a scope, listed once for all steps. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { oncePerKey } from "../azure/concurrency.js";
import { all } from "../azure/pages.js";
import { idKey, isWithin, parseResourceId, sameId } from "../domain/resource-id.js";
import type { Role } from "../domain/roles.js";
import { sameText } from "../text/same-text.js";

/** Whether an assignment has that role and that principal. It does not compare the scope. */
export function assigns(live: RoleAssignment, principalId: string, role: Role): boolean {
  return sameText(live.principalId, principalId) && idKey(live.roleDefinitionId ?? "").endsWith(`/${role.id}`);
}

export interface AssignmentLists {
  /** The assignments on exactly this scope, listed once. */
  on(scope: string): Promise<RoleAssignment[]>;
  /** The assignments on this scope and the inherited ones. */
  reaching(scope: string): Promise<RoleAssignment[]>;
  forget(scope: string): void;
}

/** `group` is the ID of a resource group: the scopes in it are listed together. */
export function listedAssignments(azure: Azure, group?: string): AssignmentLists {
  const lists = oncePerKey<RoleAssignment[]>();
  const list = async (scope: string) => {
    const client = await azure.authorization(parseResourceId(scope).subscriptionId);
    // atScope() excludes child scopes.
    return all(client.roleAssignments.listForScope(scope, scope === group ? {} : { filter: "atScope()" }));
  };
  const listed = (scope: string) => (group !== undefined && isWithin(scope, group) ? group : scope);
  const reaching = async (scope: string) => {
    const at = listed(scope);
    const found = await lists.get(idKey(at), () => list(at));
    return found.filter(({ scope: held = "" }) => !isWithin(held, at) || isWithin(scope, held));
  };
  return {
    on: async (scope) => (await reaching(scope)).filter((assignment) => sameId(assignment.scope ?? "", scope)),
    reaching,
    forget: (scope) => lists.forget(idKey(listed(scope))),
  };
}
