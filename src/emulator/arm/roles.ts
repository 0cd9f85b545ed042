/** The existing roles: Azure's built-in ones, and the custom ones of a subscription. */
import { z } from "zod";
import type { AzureState, StoredResource } from "../state/state.js";
import { builtInRoles } from "./built-in-roles.js";
import { resourcesByType } from "./indexes.js";
import { isWithin, nameOf } from "./resource-id.js";
import { rulesOf, type RoleRules } from "./role-rules.js";
import { namedIn } from "../common/named.js";

export const roleType = "Microsoft.Authorization/roleDefinitions";

export interface Role extends RoleRules {
  readonly guid: string;
  /** Where it can be assigned; "/" for built-in roles. */
  readonly assignableScopes: readonly string[];
  readonly stored?: StoredResource;
}

const builtIn: readonly Role[] = Object.entries(builtInRoles).map(([guid, role]) => ({ ...role, guid, assignableScopes: ["/"] }));

const listed = z.array(z.string()).default([]);

export const permission = z.object({ actions: listed, notActions: listed, dataActions: listed, notDataActions: listed });

/** The properties of a created or seeded custom role. A role has one permission. */
const customRole = z.object({
  roleName: z.string().default(""),
  description: z.string().nullable().default(null),
  assignableScopes: z.array(z.string()).optional(),
  permissions: z.array(permission).default([]),
});

function customRoles({ resources }: AzureState): Role[] {
  return resourcesByType.find(resources, roleType.toLowerCase()).map((stored) => {
    const { permissions, assignableScopes, ...named } = customRole.parse(stored.properties);
    return {
      ...named,
      ...rulesOf(permissions[0] ?? permission.parse({})),
      guid: stored.name.toLowerCase(),
      assignableScopes: assignableScopes ?? [stored.id.slice(0, stored.id.indexOf("/providers/"))],
      stored,
    };
  });
}

/** Those that this cloud has and that can be assigned at the scope or, if asked for, below it. */
export function rolesAt(state: AzureState, scope: string, below: boolean): Role[] {
  const custom = customRoles(state).filter(({ assignableScopes }) =>
    assignableScopes.some((one) => isWithin(scope, one) || (below && isWithin(one, scope))),
  );
  return [...builtIn.filter(({ guid }) => isOffered(state, guid)), ...custom];
}

/** `id` is the role's ID in any form: it ends in the GUID. Undefined for a role that does not exist. */
export function roleWithId(state: AzureState, id: string): Role | undefined {
  const wanted = nameOf(id).toLowerCase();
  if (namedIn(builtInRoles, wanted) === undefined) return customRoles(state).find(({ guid }) => guid === wanted);
  return isOffered(state, wanted) ? builtIn.find(({ guid }) => guid === wanted) : undefined;
}

function isOffered({ knobs }: AzureState, guid: string): boolean {
  return !knobs?.missingRoles?.includes(guid);
}

export function customRoleNamed(state: AzureState, roleName: string): Role | undefined {
  return customRoles(state).find((one) => one.roleName.toLowerCase() === roleName.toLowerCase());
}
