/** The roles that an object holds where they reach a scope: its own, those of its groups, and those given above. */
import type { RoleDefinition } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { all } from "../../azure/pages.js";
import { isWithin, parseResourceId, sameId } from "../../domain/resource-id.js";

export async function heldRoles(azure: Azure, objectId: string, scope: string): Promise<RoleDefinition[]> {
  const { roleAssignments, roleDefinitions } = await azure.authorization(parseResourceId(scope).subscriptionId);
  // Azure lists those below the scope, too.
  const assigned = await all(roleAssignments.listForScope(scope, { filter: `assignedTo('${objectId}')` }));
  const reaching = assigned.filter(({ scope: given = "" }) => sameId(given, scope) || !isWithin(given, scope));
  const ids = [...new Set(reaching.map(({ roleDefinitionId = "" }) => roleDefinitionId))];
  return Promise.all(ids.map((id): Promise<RoleDefinition> => roleDefinitions.getById(id)));
}
