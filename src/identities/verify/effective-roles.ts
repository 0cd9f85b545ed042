/** The effective roles of an object at a scope: direct, through groups, and inherited. */
import type { RoleDefinition } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { all } from "../../azure/pages.js";
import { isWithin, parseResourceId, sameId, subscriptionScope } from "../../domain/resource-id.js";

export interface RoleOnScope {
  readonly role: RoleDefinition;
  readonly scope: string;
}

/** The roles of an object anywhere in a subscription: on the subscription and below. */
export async function rolesInSubscription(azure: Azure, objectId: string): Promise<RoleOnScope[]> {
  const { roleAssignments, roleDefinitions } = await azure.authorization();
  const home = subscriptionScope(azure.connection.subscriptionId);
  const assigned = await all(roleAssignments.listForScope(home, { filter: `assignedTo('${objectId}')` }));
  const read = oncePerKey<RoleDefinition>();
  return Promise.all(
    assigned.map(async ({ roleDefinitionId = "", scope = "" }) => ({
      role: await read.get(roleDefinitionId, (): Promise<RoleDefinition> => roleDefinitions.getById(roleDefinitionId)),
      scope,
    })),
  );
}

export async function heldRoles(azure: Azure, objectId: string, scope: string): Promise<RoleDefinition[]> {
  const { roleAssignments, roleDefinitions } = await azure.authorization(parseResourceId(scope).subscriptionId);
  // Azure also lists assignments below the scope.
  const assigned = await all(roleAssignments.listForScope(scope, { filter: `assignedTo('${objectId}')` }));
  const reaching = assigned.filter(({ scope: given = "" }) => sameId(given, scope) || !isWithin(given, scope));
  const ids = [...new Set(reaching.map(({ roleDefinitionId = "" }) => roleDefinitionId))];
  return Promise.all(ids.map((id): Promise<RoleDefinition> => roleDefinitions.getById(id)));
}
