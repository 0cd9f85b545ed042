/** Role definitions: read only. The built-in ones are code, custom ones come from a seed. */
import { ApiError, type Answer, type Call } from "../service.js";
import type { World } from "../world/world.js";
import { requireRight } from "./authorization-check.js";
import { builtInRoles } from "./built-in-roles.js";
import type { Endpoint } from "./endpoint.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";

const type = "Microsoft.Authorization/roleDefinitions";
const versions = ["2022-04-01", "2022-05-01-preview", "2018-01-01-preview", "2015-07-01"];
const collection = "{scope}/providers/Microsoft.Authorization/roleDefinitions";

export const roleDefinitionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: `${collection}/{guid}`, versions, handle: get },
];

interface Role {
  readonly guid: string;
  readonly kind: "BuiltInRole" | "CustomRole";
  readonly roleName: string;
  readonly description: string;
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  readonly dataActions: readonly string[];
  readonly assignableScopes: readonly string[];
}

export function roleExists(world: World, guid: string): boolean {
  const key = guid.toLowerCase();
  return key in builtInRoles || key in world.customRoles;
}

function allRoles(world: World): Role[] {
  const builtIn = Object.entries(builtInRoles).map(([guid, role]) => ({
    ...role,
    guid,
    kind: "BuiltInRole" as const,
    assignableScopes: ["/"],
  }));
  const custom = Object.entries(world.customRoles).map(([guid, role]) => ({ ...role, guid, kind: "CustomRole" as const, description: "" }));
  return [...builtIn, ...custom];
}

type Parameters = Readonly<Record<string, string>>;

/** `$filter`: `roleName eq`, `type eq`, `atScopeAndBelow()`. */
function list(call: Call, { scope = "" }: Parameters): Answer {
  requireRight(call, `${type}/read`, scope);
  const { equals } = readFilter(call.request.query.get("$filter"), ["rolename", "type", "atscopeandbelow"]);
  const found = allRoles(call.world).filter(({ roleName, kind }) => {
    const name = equals.get("rolename");
    const wantedKind = equals.get("type");
    return (name === undefined || name.toLowerCase() === roleName.toLowerCase()) && (wantedKind === undefined || wantedKind === kind);
  });
  return page(
    call,
    found.map((role) => present(scope, role)),
  );
}

function get(call: Call, { scope = "", guid = "" }: Parameters): Answer {
  // Anybody with a token may read a definition by its tenant-wide id.
  if (scope !== "/") requireRight(call, `${type}/read`, scope);
  const role = allRoles(call.world).find((one) => one.guid === guid.toLowerCase());
  if (role === undefined) {
    throw new ApiError(
      404,
      "RoleDefinitionDoesNotExist",
      `The specified role definition with ID '${guid.replaceAll("-", "")}' does not exist.`,
    );
  }
  return { status: 200, body: present(scope, role), takes: call.draw("read") };
}

/** The id of a built-in role hangs on the subscription it is asked under. */
function present(scope: string, { guid, kind, roleName, description, actions, notActions, dataActions, assignableScopes }: Role) {
  const subscription = /^\/subscriptions\/[^/]+/i.exec(scope)?.[0] ?? "";
  return {
    id: `${subscription}/providers/${type}/${guid}`,
    name: guid,
    type,
    properties: {
      roleName,
      type: kind,
      description,
      assignableScopes,
      permissions: [{ actions, notActions, dataActions, notDataActions: [] }],
    },
  };
}
