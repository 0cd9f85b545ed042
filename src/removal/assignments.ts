/** The role assignments of a cluster, identified by their names. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { all } from "../azure/pages.js";
import { groupIn, idKey, isWithin, resourceGroupId, sameId, subscriptionScope } from "../domain/resource-id.js";
import { grantName, roleAssignmentName } from "../domain/role-assignment-name.js";
import { assignedComponents, type ComponentKey } from "../domain/components.js";
import { vaultRoles } from "../domain/roles.js";
import { distinct } from "../azure/distinct.js";
import { sameText } from "../text/same-text.js";

export interface FoundAssignment {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly component: ComponentKey;
  readonly principalId: string;
  readonly roleDefinitionId: string;
}

/** A role assignment of a principal on a resource of an identity set or issuer. */
export interface FoundGrant {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly principalId: string;
  /** The principal as text: the component's key if it belongs to this set. */
  readonly holder: string;
  readonly roleDefinitionId: string;
}

/** The assignments on the subscriptions and their resources. Azure also lists those of management groups, which are not touched. */
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

export function assignmentsTo(principals: readonly string[], assignments: readonly RoleAssignment[]): RoleAssignment[] {
  return assignments.filter(({ principalId }) => principals.some((principal) => sameText(principal, principalId)));
}

/** Those of one principal in one subscription, also if the principal does not exist any more. */
export async function assignmentsOfPrincipal(azure: Azure, subscriptionId: string, principalId: string): Promise<RoleAssignment[]> {
  const { roleAssignments } = await azure.authorization(subscriptionId);
  const listed = await all(roleAssignments.listForSubscription({ filter: `principalId eq '${principalId}'` }));
  return listed.filter(({ scope = "" }) => isWithin(scope, subscriptionScope(subscriptionId)));
}

/** The assignments of one principal, if it exists, with names of a create, except for a cluster's. */
export async function grantsOfPrincipal(
  azure: Azure,
  subscriptionId: string,
  { principalId, holder }: Pick<FoundGrant, "holder"> & { readonly principalId: string | undefined },
): Promise<FoundGrant[]> {
  if (principalId === undefined) return [];
  const listed = await assignmentsOfPrincipal(azure, subscriptionId, principalId);
  return listed
    .flatMap((live) => grantOf(live, holder))
    .filter(({ name, scope, roleDefinitionId }) => sameText(name, grantName(principalId, roleDefinitionId.split("/").at(-1) ?? "", scope)));
}

/** None if Azure does not return all of it. */
export function grantOf({ id, name, scope, principalId, roleDefinitionId = "" }: RoleAssignment, holder: string): FoundGrant[] {
  if (id === undefined || name === undefined || scope === undefined || principalId === undefined) return [];
  return [{ id, name, scope, principalId, holder, roleDefinitionId }];
}

/** Assignments have no tags. An assignment belongs to the cluster if its name is computed from the infra ID, a component and the scope. */
export function assignmentsOf(infraId: string, assignments: readonly RoleAssignment[]): FoundAssignment[] {
  return assignments.flatMap(({ id, name, scope, principalId = "", roleDefinitionId = "" }) => {
    if (id === undefined || name === undefined || scope === undefined) return [];
    const component = assignedComponents.find(({ assigned }) =>
      scopeSpellings(scope).some((text) => roleAssignmentName(infraId, assigned.hypershiftName, text) === name.toLowerCase()),
    )?.key;
    return component === undefined ? [] : [{ id, name, scope, component, principalId, roleDefinitionId }];
  });
}

/** Azure may return a scope with different casing; the name is computed from the canonical ID. */
function scopeSpellings(scope: string): string[] {
  const group = groupIn(scope);
  const canonical = group && resourceGroupId(group.subscriptionId, group.resourceGroup);
  return canonical !== undefined && sameId(canonical, scope) ? [scope, canonical] : [scope];
}

/** Whether it is of a user of a vault. Only aro-hcp computes such a name. Azure may return a scope with different casing, which does not affect the name. */
export function isVaultGrant({ name = "", principalId = "", scope = "" }: RoleAssignment): boolean {
  return vaultRoles.some((role) => grantName(principalId, role.id, idKey(scope)) === name.toLowerCase());
}
