/** Shows deny assignments at, above and below a scope, and one by its ID. */
import type { ArmCall } from "./resource-type.js";
import { ApiError, type Answer } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { denialOf, denialType, requireRight } from "./authorization-check.js";
import { findScope } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { extensionsAround } from "./indexes.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";
import { keyOf } from "./resource-id.js";

const collection = "{scope}/providers/Microsoft.Authorization/denyAssignments";
const versions = ["2022-04-01", "2018-07-01-preview"];

export const denyAssignmentEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: `${collection}/{name}`, versions, handle: get },
];

const read = "Microsoft.Authorization/denyAssignments/read";

/** `gdprExportPrincipalId` needs rights that no role here has. */
const filters = ["atscope", "denyassignmentname", "principalid", "assignedto"];

/** Like role assignments, those of the scopes above apply here, and so are in the list. */
function list(call: ArmCall, { scope = "" }: Parameters): Answer {
  findScope(call, scope);
  requireRight(call, read, scope);
  const { equals, calls } = readFilter(call.request.query.get("$filter"), filters);
  const [name, principal] = [equals.get("denyassignmentname"), equals.get("principalid") ?? calls.get("assignedto")];
  const found = extensionsAround(call.state, scope, denialType, calls.has("atscope")).filter(
    (one) => sameIfAsked(name, one.properties["denyAssignmentName"]) && (principal === undefined || concerns(one, principal)),
  );
  return page(call, found, present);
}

function get(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  findScope(call, scope);
  requireRight(call, read, scope);
  const found = call.state.resources[keyOf(`${scope}/providers/Microsoft.Authorization/denyAssignments/${name}`)];
  if (found === undefined) throw new ApiError(404, "DenyAssignmentNotFound", `The deny assignment '${name}' is not found.`);
  return { status: 200, body: present(found), takes: call.sample("read") };
}

function scopeOf({ id }: StoredResource): string {
  return id.slice(0, id.toLowerCase().lastIndexOf("/providers/"));
}

function sameIfAsked(wanted: string | undefined, held: unknown): boolean {
  return wanted === undefined || keyOf(wanted) === keyOf(String(held));
}

function concerns({ properties }: StoredResource, principal: string): boolean {
  const { principals, excludePrincipals } = denialOf(properties);
  const names = (all: readonly { readonly id: string }[]) => all.some(({ id }) => keyOf(id) === keyOf(principal));
  return names(principals) && !names(excludePrincipals);
}

function present(resource: StoredResource): Record<string, unknown> {
  const { id, name, type, properties } = resource;
  const { provisioningState: _none, ...shown } = properties;
  return { id, name, type, properties: { ...shown, scope: scopeOf(resource) } };
}
