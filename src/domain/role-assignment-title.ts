/** What a role assignment is called in every plan, result and failure: by its role's name, who holds it, and its scope's name. */
import { labelled, titleOf } from "./resource-catalogue.js";
import { parseResourceId } from "./resource-id.js";
import { resourceTypes } from "./resource-types.js";
import { roleNameIn } from "./roles.js";

export interface TitledAssignment {
  /** The role's name, or its GUID where its name is not known. */
  readonly role: string;
  /** A component's key, or another principal in words. */
  readonly holder: string;
  /** As it is called: "resource group demo-x7k2-vnet". */
  readonly scope: string;
}

/** "role assignment Contributor for cpo on resource group demo-x7k2". */
export function roleAssignmentTitle({ role, holder, scope }: TitledAssignment): string {
  return titleOf(resourceTypes.roleAssignment, `${role} for ${holder} on ${scope}`);
}

/** The same of one that Azure tells of. */
export function liveAssignmentTitle(live: { readonly roleDefinitionId: string; readonly scope: string }, holder: string): string {
  return roleAssignmentTitle({ role: roleNameIn(live.roleDefinitionId), holder, scope: scopeTitle(live.scope) });
}

/** A holder that is no component. */
export function principalTitle(objectId: string, caller?: { readonly objectId: string }): string {
  return objectId.toLowerCase() === caller?.objectId.toLowerCase() ? "the signed-in principal" : `principal ${objectId}`;
}

/** "/subscriptions/…/resourceGroups/demo-x7k2" as "resource group demo-x7k2". */
export function scopeTitle(id: string): string {
  const { type, name, scope } = parseResourceId(id);
  return scope === "" ? `subscription ${name}` : titleOf(labelled(type), name);
}
