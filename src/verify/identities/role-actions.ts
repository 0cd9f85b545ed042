/** What a role definition allows, by its own patterns: https://learn.microsoft.com/azure/role-based-access-control/role-definitions. */
import type { RoleDefinition } from "@azure/arm-authorization";

/** Whether one of its permissions has the action and does not take it back. */
export function allows({ permissions = [] }: Pick<RoleDefinition, "permissions">, action: string): boolean {
  const among = (patterns: readonly string[] = []) => patterns.some((pattern) => expression(pattern).test(action));
  return permissions.some(({ actions, notActions }) => among(actions) && !among(notActions));
}

function expression(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.\\/]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i");
}
