/** The empty lists of template deployments, because templates are not evaluated. */
import { ApiError, type Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { findGroup, findSubscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { page } from "./paging.js";
import { resourcesVersions } from "./resource-groups.js";
import type { ArmCall } from "./resource-type.js";

const type = "Microsoft.Resources/deployments";
const subscription = "/subscriptions/{subscriptionId}";
const versions = resourcesVersions;

export const deploymentEndpoints: readonly Endpoint[] = [subscription, `${subscription}/resourceGroups/{group}`].flatMap((scope) => {
  const collection = `${scope}/providers/${type}`;
  return [
    { method: "GET", path: collection, versions, handle: list },
    { method: "GET", path: `${collection}/{name}`, versions, handle: get },
    { method: "HEAD", path: `${collection}/{name}`, versions, handle: head },
    { method: "DELETE", path: `${collection}/{name}`, versions, handle: remove },
  ] satisfies Endpoint[];
});

/** @throws ApiError 403, and 404 for a missing group */
function requireScope(call: ArmCall, { subscriptionId = "", group }: Parameters, verb: "read" | "delete"): void {
  const { subscriptionId: id } = findSubscription(call, subscriptionId);
  requireRight(call, `${type}/${verb}`, group === undefined ? `/subscriptions/${id}` : `/subscriptions/${id}/resourceGroups/${group}`);
  if (group !== undefined) findGroup(call, id, group);
}

function list(call: ArmCall, parameters: Parameters): Answer {
  requireScope(call, parameters, "read");
  return page(call, []);
}

function get(call: ArmCall, parameters: Parameters): Answer {
  requireScope(call, parameters, "read");
  throw new ApiError(404, "DeploymentNotFound", `Deployment '${parameters["name"] ?? ""}' could not be found.`);
}

function head(call: ArmCall, parameters: Parameters): Answer {
  requireScope(call, parameters, "read");
  return { status: 404, takes: call.sample("read") };
}

function remove(call: ArmCall, parameters: Parameters): Answer {
  requireScope(call, parameters, "delete");
  return { status: 204, takes: call.sample("read") };
}
