/** Role definitions: read only, and only the built-in ones. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../service.js";
import type { AzureState } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import { builtInRoles, type BuiltInRole } from "./built-in-roles.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { roleDefinitionDoesNotExist } from "./errors.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";

const type = "Microsoft.Authorization/roleDefinitions";
const versions = ["2022-04-01", "2022-05-01-preview", "2018-01-01-preview", "2015-07-01"];
const collection = "{scope}/providers/Microsoft.Authorization/roleDefinitions";

export const roleDefinitionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: `${collection}/{guid}`, versions, handle: get },
];

interface Role extends BuiltInRole {
  readonly guid: string;
}

const kind = "BuiltInRole";

export function roleExists({ knobs }: AzureState, guid: string): boolean {
  return guid.toLowerCase() in builtInRoles && !knobs?.missingRoles?.includes(guid.toLowerCase());
}

const builtIn: readonly Role[] = Object.entries(builtInRoles).map(([guid, role]) => ({ ...role, guid }));

function rolesIn(state: AzureState): Role[] {
  return builtIn.filter(({ guid }) => roleExists(state, guid));
}

/** `$filter`: `roleName eq`, `type eq`, `atScopeAndBelow()`. */
function list(call: ArmCall, { scope = "" }: Parameters): Answer {
  requireRight(call, `${type}/read`, scope);
  const { equals } = readFilter(call.request.query.get("$filter"), ["rolename", "type", "atscopeandbelow"]);
  const found = rolesIn(call.state).filter(({ roleName }) => {
    const name = equals.get("rolename");
    const wantedKind = equals.get("type");
    return (name === undefined || name.toLowerCase() === roleName.toLowerCase()) && (wantedKind === undefined || wantedKind === kind);
  });
  return page(
    call,
    found.map((role) => present(scope, role)),
  );
}

function get(call: ArmCall, { scope = "", guid = "" }: Parameters): Answer {
  // Any caller with a token may read a definition by its tenant-wide ID.
  if (scope !== "/") requireRight(call, `${type}/read`, scope);
  const role = rolesIn(call.state).find((one) => one.guid === guid.toLowerCase());
  if (role === undefined) throw roleDefinitionDoesNotExist(guid);
  return { status: 200, body: present(scope, role), takes: call.sample("read") };
}

/** The ID of a built-in role depends on the subscription in the request. */
function present(scope: string, { guid, roleName, description, actions, notActions, dataActions }: Role) {
  const subscription = /^\/subscriptions\/[^/]+/i.exec(scope)?.[0] ?? "";
  return {
    id: `${subscription}/providers/${type}/${guid}`,
    name: guid,
    type,
    properties: {
      roleName,
      type: kind,
      description,
      assignableScopes: ["/"],
      permissions: [{ actions, notActions, dataActions, notDataActions: [] }],
    },
  };
}
