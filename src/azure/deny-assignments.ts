/** Deny assignments, which override every role. */
import { sameText } from "../text/same-text.js";
import { denyAssignmentResponse, type DenyAssignmentResponse } from "./arm-responses.js";
import type { Azure } from "./azure.js";
import { isWithin, sameId, subscriptionScope } from "../domain/resource-id.js";

const everyone = "00000000-0000-0000-0000-000000000000";

/** All deny assignments of a subscription, on whatever scope. */
export async function listDenyAssignments(azure: Pick<Azure, "manager">, subscriptionId: string): Promise<DenyAssignmentResponse[]> {
  const manager = await azure.manager();
  const path = `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/denyAssignments`;
  return manager.list(path, "2022-04-01", denyAssignmentResponse);
}

/** Whether it names the principal or everyone. Resource Manager does not show whether the principal is in a denied group. */
export function deniesPrincipal({ properties: { principals, excludePrincipals } }: DenyAssignmentResponse, objectId: string): boolean {
  const names = (listed: readonly { readonly id: string }[]) => listed.some(({ id }) => sameText(id, objectId));
  return (names(principals) || principals.some(({ id }) => id === everyone)) && !names(excludePrincipals);
}

/** Whether it applies to a resource. Azure also lists those of the management groups above a subscription. */
export function deniesOn({ properties: { scope, doNotApplyToChildScopes } }: DenyAssignmentResponse, id: string): boolean {
  if (doNotApplyToChildScopes) return sameId(id, scope);
  return isWithin(id, scope) || !scope.toLowerCase().startsWith("/subscriptions/");
}
