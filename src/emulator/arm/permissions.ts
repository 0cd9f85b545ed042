/** The caller's permissions at a scope. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../core/service.js";
import { callerOf, rolesOf } from "./authorization-check.js";
import { findGroup, findSubscription } from "./containers.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { page } from "./paging.js";

const path = "{scope}/providers/Microsoft.Authorization/permissions";
const versions = ["2022-04-01", "2018-07-01", "2015-07-01"];

export const permissionEndpoints: readonly Endpoint[] = [{ method: "GET", path, versions, handle: permissions }];

/** A resource that does not exist has what it would inherit. No recording covers that. */
function checkScope(call: ArmCall, scope: string): void {
  const [, , subscriptionId = "", , group] = scope.split("/");
  if (group === undefined) findSubscription(call, subscriptionId);
  else findGroup(call, subscriptionId, group);
}

/** One entry for each role of the caller at the scope; a caller without one gets an empty list. */
function permissions(call: ArmCall, { scope = "" }: Parameters): Answer {
  checkScope(call, scope);
  const roles = rolesOf(call, callerOf(call).objectId, scope);
  return page(
    call,
    roles.map(({ actions, notActions, dataActions, notDataActions }) => ({ actions, notActions, dataActions, notDataActions })),
  );
}
