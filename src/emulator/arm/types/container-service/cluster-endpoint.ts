/** What the actions and reads of an AKS cluster share: the path, the right they require, and the cluster they are about. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findGroup, findSubscription } from "../../containers.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { resourceNotFound } from "../../errors.js";
import { wasDeleted } from "../../operations.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { aksVersions, notFound } from "./provider.js";

export const clusterType = "Microsoft.ContainerService/managedClusters";
const clusterPath = `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${clusterType}/{cluster}`;

/** `action` is what follows the type in the name of the right: "stop/action". */
export function clusterEndpoint(
  method: Endpoint["method"],
  path: string,
  action: string,
  handle: (call: ArmCall, cluster: StoredResource, parameters: Parameters) => Answer,
): Endpoint {
  return {
    method,
    path: `${clusterPath}/${path}`,
    versions: aksVersions,
    handle: (call, parameters) => handle(call, clusterFor(call, parameters, action), parameters),
  };
}

/** @throws ApiError 403 without the right, 404 without the group or the cluster */
function clusterFor(call: ArmCall, { subscriptionId = "", group = "", cluster = "" }: Parameters, action: string): StoredResource {
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${clusterType}/${cluster}`;
  findSubscription(call, subscriptionId);
  requireRight(call, `${clusterType}/${action}`, id);
  const { name } = findGroup(call, subscriptionId, group);
  const found = call.state.resources[keyOf(id)];
  if (found !== undefined) return found;
  throw wasDeleted(call.state, id) ? notFound(id, "managed cluster") : resourceNotFound(`${clusterType}/${cluster}`, name);
}
