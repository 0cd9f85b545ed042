/** The role assignments of a cluster: told by their names, and left where another cluster relies on them. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { all } from "../azure/pages.js";
import type { ClusterKey } from "../domain/names.js";
import { groupIn, isWithin, resourceGroupId, sameId, subscriptionScope } from "../domain/resource-id.js";
import { roleAssignmentName } from "../domain/role-assignment-name.js";
import { assignedComponents, type ComponentKey } from "../domain/components.js";
import { distinct } from "./distinct.js";

export interface FoundAssignment {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly component: ComponentKey;
  readonly principalId: string;
  readonly roleDefinitionId: string;
}

/** Those on the subscriptions and on what is in them: Azure lists those of the management groups above, too, which are nobody's here to take. */
export async function listAssignments(azure: Azure, subscriptions: readonly string[]): Promise<RoleAssignment[]> {
  const lists = await Promise.all(
    [...new Set(subscriptions.map((id) => id.toLowerCase()))].map(async (subscription) => {
      const { roleAssignments } = await azure.authorization(subscription);
      const listed = await all(roleAssignments.listForSubscription());
      return listed.filter(({ scope = "" }) => isWithin(scope, subscriptionScope(subscription)));
    }),
  );
  return distinct(lists.flat());
}

/** Assignments carry no tags: a cluster's are those whose name can only have been computed from its infra id, a component of ours, and their scope. */
export function assignmentsOf(infraId: string, assignments: readonly RoleAssignment[]): FoundAssignment[] {
  return assignments.flatMap(({ id, name, scope, principalId = "", roleDefinitionId = "" }) => {
    if (id === undefined || name === undefined || scope === undefined) return [];
    const component = assignedComponents.find(({ assigned }) =>
      scopeSpellings(scope).some((text) => roleAssignmentName(infraId, assigned.component, text) === name.toLowerCase()),
    )?.key;
    return component === undefined ? [] : [{ id, name, scope, component, principalId, roleDefinitionId }];
  });
}

/**
 * Ours by name, on a scope that stays, for an identity that another cluster uses too: Azure admits one assignment of a role to a principal on a
 * scope, so that cluster found ours and relies on it. By the assignment, the infra id of that cluster.
 */
export function sharedAssignments(
  { infraId }: ClusterKey,
  ours: readonly FoundAssignment[],
  every: readonly RoleAssignment[],
  infraIds: ReadonlySet<string>,
  goingGroups: readonly { readonly id?: string }[],
): Map<FoundAssignment, string> {
  const retained = ours.filter(({ scope }) => !goingGroups.some(({ id = "" }) => isWithin(scope, id)));
  const others = [...infraIds]
    .filter((other) => other !== infraId && retained.length > 0)
    .map((other) => [other, assignmentsOf(other, every)] as const);
  return new Map(
    retained.flatMap((assignment) => {
      const user = others.find(([, theirs]) =>
        theirs.some(({ principalId, component }) => principalId === assignment.principalId && component === assignment.component),
      );
      return user ? [[assignment, user[0]] as const] : [];
    }),
  );
}

/** Azure may answer a scope in other casing than it was given; the name was computed from the canonical one. */
function scopeSpellings(scope: string): string[] {
  const group = groupIn(scope);
  const canonical = group && resourceGroupId(group.subscriptionId, group.resourceGroup);
  return canonical !== undefined && sameId(canonical, scope) ? [scope, canonical] : [scope];
}
