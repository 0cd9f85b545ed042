/** Lists of rights: the caller's permissions at a scope, and the deny assignments in a scope, which can be seeded. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../service.js";
import { callerOf, isDenial, requireRight, rolesOf } from "./authorization-check.js";
import { findGroup, findSubscription } from "./containers.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { page } from "./paging.js";
import { isWithin } from "./resource-id.js";

const home = "/subscriptions/{subscriptionId}";
const group = `${home}/resourcegroups/{group}`;
const authorization = "providers/Microsoft.Authorization";
const versions = ["2022-04-01", "2018-07-01", "2015-07-01"];
const denialVersions = ["2022-04-01", "2018-07-01-preview"];

export const rightsListEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `${home}/${authorization}/permissions`, versions, handle: permissions },
  { method: "GET", path: `${group}/${authorization}/permissions`, versions, handle: permissions },
  { method: "GET", path: `${home}/${authorization}/denyAssignments`, versions: denialVersions, handle: denials },
  { method: "GET", path: `${group}/${authorization}/denyAssignments`, versions: denialVersions, handle: denials },
];

function scopeOf(call: ArmCall, parameters: Parameters): string {
  const { subscriptionId = "", group: name } = parameters;
  const subscription = `/subscriptions/${findSubscription(call, subscriptionId).subscriptionId}`;
  return name === undefined ? subscription : findGroup(call, subscriptionId, name).id;
}

/** One entry for each role of the caller at the scope; a caller without one gets an empty list. */
function permissions(call: ArmCall, parameters: Parameters): Answer {
  const roles = rolesOf(call, callerOf(call).objectId, scopeOf(call, parameters));
  return page(
    call,
    roles.map(({ actions, notActions, dataActions, notDataActions }) => ({ actions, notActions, dataActions, notDataActions })),
  );
}

function denials(call: ArmCall, parameters: Parameters): Answer {
  const scope = scopeOf(call, parameters);
  requireRight(call, "Microsoft.Authorization/denyAssignments/read", scope);
  const found = Object.values(call.state.resources).filter((one) => isDenial(one.type) && isWithin(one.id, scope));
  return page(
    call,
    found.map(({ id, name, type: full, properties: { provisioningState: _none, ...properties } }) => {
      const held = id.slice(0, id.toLowerCase().lastIndexOf("/providers/"));
      return { id, name, type: full, properties: { ...properties, scope: held } };
    }),
  );
}
