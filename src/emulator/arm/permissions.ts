/** The caller's permissions at a scope. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../core/service.js";
import { callerOf, rolesOf } from "./authorization-check.js";
import { findGroup, findSubscription } from "./containers.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { page } from "./paging.js";

const home = "/subscriptions/{subscriptionId}";
const group = `${home}/resourcegroups/{group}`;
const authorization = "providers/Microsoft.Authorization";
const versions = ["2022-04-01", "2018-07-01", "2015-07-01"];

export const permissionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `${home}/${authorization}/permissions`, versions, handle: permissions },
  { method: "GET", path: `${group}/${authorization}/permissions`, versions, handle: permissions },
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
