/** The title of a role assignment in plans, results and failures: role, principal and scope. */
import { labelled, titleOf } from "./resource-catalogue.js";
import { parseResourceId } from "./resource-id.js";
import { resourceTypes } from "./resource-types.js";
import { roleNameIn } from "./roles.js";
import { sameText } from "../text/same-text.js";

export interface TitledAssignment {
  /** The role's name, or its GUID if the name is unknown. */
  readonly role: string;
  /** A component's key, or a description of another principal. */
  readonly holder: string;
  /** The scope's title: "resource group demo-x7k2-vnet". */
  readonly scope: string;
}

/** "role assignment Contributor for cpo on resource group demo-x7k2". */
export function roleAssignmentTitle({ role, holder, scope }: TitledAssignment): string {
  return titleOf(resourceTypes.roleAssignment, `${role} for ${holder} on ${scope}`);
}

/** The title of an assignment that was read from Azure. */
export function liveAssignmentTitle(live: { readonly roleDefinitionId: string; readonly scope: string }, holder: string): string {
  return roleAssignmentTitle({ role: roleNameIn(live.roleDefinitionId), holder, scope: scopeTitle(live.scope) });
}

/** A principal that is not a component. */
export function principalTitle(objectId: string, caller?: { readonly objectId: string }): string {
  return sameText(objectId, caller?.objectId) ? "the signed-in principal" : `principal ${objectId}`;
}

/** "/subscriptions/…/resourceGroups/demo-x7k2" as "resource group demo-x7k2". */
export function scopeTitle(id: string): string {
  const { type, name, scope } = parseResourceId(id);
  return scope === "" ? `subscription ${name}` : titleOf(labelled(type), name);
}
