/** What a role definition allows, by its own patterns: https://learn.microsoft.com/azure/role-based-access-control/role-definitions. */
import type { RoleDefinition } from "@azure/arm-authorization";
import { matchesAny } from "../../infra/action-pattern.js";

type Permissions = Pick<RoleDefinition, "permissions">;

/** Whether one of its permissions has the action and does not take it back. */
export function allows({ permissions = [] }: Permissions, action: string): boolean {
  return permissions.some(({ actions = [], notActions = [] }) => matchesAny(actions, action) && !matchesAny(notActions, action));
}

/** The same for what is done with the data that a resource holds. */
export function allowsOnData({ permissions = [] }: Permissions, action: string): boolean {
  return permissions.some(
    ({ dataActions = [], notDataActions = [] }) => matchesAny(dataActions, action) && !matchesAny(notDataActions, action),
  );
}
