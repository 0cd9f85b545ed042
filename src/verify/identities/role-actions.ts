/** What a role definition allows, by its own patterns: https://learn.microsoft.com/azure/role-based-access-control/role-definitions. */
import type { RoleDefinition } from "@azure/arm-authorization";

type Permissions = Pick<RoleDefinition, "permissions">;

/** Whether one of its permissions has the action and does not take it back. */
export function allows({ permissions = [] }: Permissions, action: string): boolean {
  return permissions.some(({ actions, notActions }) => isAmong(actions, action) && !isAmong(notActions, action));
}

/** The same for what is done with the data that a resource holds. */
export function allowsOnData({ permissions = [] }: Permissions, action: string): boolean {
  return permissions.some(({ dataActions, notDataActions }) => isAmong(dataActions, action) && !isAmong(notDataActions, action));
}

function isAmong(patterns: readonly string[] = [], action: string): boolean {
  return patterns.some((pattern) => expression(pattern).test(action));
}

function expression(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.\\/]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i");
}
