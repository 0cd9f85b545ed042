/** Deny assignments that take away what the roles of identities allow: Azure applies them before any role. */
import type { DenyAssignmentResponse } from "../azure/arm-responses.js";
import { deniesOn, deniesPrincipal } from "../azure/deny-assignments.js";
import { takenAway, type Actions } from "../domain/allowed-actions.js";
import { isWithin } from "../domain/resource-id.js";
import { failed, passed, type Finding } from "./check.js";

/** A role of an identity on a scope. */
export interface GivenRole {
  readonly component: string;
  /** The object ID of its service principal. */
  readonly objectId: string;
  readonly scope: string;
  readonly permissions: readonly Actions[] | undefined;
}

/** `resources`: IDs of what the identities manage; those within the scope of a role count for it. */
export function checkDenials(
  denials: readonly DenyAssignmentResponse[],
  roles: readonly GivenRole[],
  resources: readonly string[],
): Finding<undefined> {
  const found = denials.flatMap((denial) => {
    const { denyAssignmentName, scope, permissions } = denial.properties;
    const denied = roles
      .filter((role) => deniesPrincipal(denial, role.objectId))
      .filter((role) => [role.scope, ...resources.filter((id) => isWithin(id, role.scope))].some((id) => deniesOn(denial, id)))
      .flatMap((role) => takenAway(role.permissions, permissions).map((action) => ({ action, ...role })));
    const components = [...new Set(denied.map(({ component }) => component))];
    const actions = [...new Set(denied.map(({ action }) => action))];
    return actions.length === 0 ? [] : [`"${denyAssignmentName}" on ${scope} denies ${components.join(", ")}: ${some(actions)}`];
  });
  if (found.length === 0) return passed("none for its principals, or for everyone");
  return failed(
    found.join("; "),
    "ask its owner to exclude the identity's principal, or use other resource groups; a deployment stack or a managed application created it",
  );
}

/** A role for everything has hundreds of actions. */
const mostListed = 3;

function some(actions: readonly string[]): string {
  const more = actions.length > mostListed ? ` and ${String(actions.length - mostListed)} more` : "";
  return `${actions.slice(0, mostListed).join(", ")}${more}`;
}
