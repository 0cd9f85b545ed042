/** What all types of Microsoft.ContainerService share: versions, operations, and how AKS refuses a request. */
import { ApiError } from "../../../core/service.js";
import { versionsOf } from "../../api-versions.js";
import { keyOf, nameOf, parentOf, segmentsOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import type { LongRunning } from "../../long-running.js";

export const aksVersions = versionsOf("Microsoft.ContainerService", {
  from: "2020-01-01",
  preview: ["2023-02-02-preview", "2023-10-02-preview", "2024-04-02-preview", "2025-10-02-preview", "2026-04-02-preview"],
});

const at = {
  under: "location",
  status: "operations",
  result: "operationresults",
  runningStatus: 200,
  apiVersion: "2025-03-01",
  timed: true,
} as const;

export function aksPut(operation: string): LongRunning {
  return { operation, answers: "resource", headers: ["azure-asyncoperation"], pollRetryAfter: [], at };
}

/** A start, a stop, or the deletion of a pool: 202 without a body. */
export function aksAction(operation: string): LongRunning {
  return { operation, answers: "accepted", headers: ["azure-asyncoperation", "location"], pollRetryAfter: [], at };
}

export function aksDelete(operation: string): LongRunning {
  return {
    ...aksAction(operation),
    pollError: {
      code: "NotLatestOperation",
      message:
        "Expected goal state for managed cluster not saved yet. This means saving goal state to database was slow or failed. " +
        "This type of failed operations can usually be retried.",
    },
  };
}

/** AKS's own refusal, which has no `error` around it. */
export function refusal(status: number, code: string, message: string, target?: string): ApiError {
  const beside = { details: null, subcode: "", ...(target !== undefined && { target }) };
  return new ApiError(status, code, message, { beside, bare: true });
}

/** What is fixed when a cluster or a pool is created. `target` is the path of the member, as AKS writes it. */
export function changeNotAllowed(target: string): ApiError {
  return refusal(400, "PropertyChangeNotAllowed", `Changing property '${target}' is not allowed.`, target);
}

export function invalidParameter(target: string, problem: string): ApiError {
  return refusal(400, "InvalidParameter", `The value of parameter ${target} is invalid. Error details: ${problem}.`, target);
}

/** A write while the cluster, or what belongs to it, is still being written. */
export function inProgress(operation: string): ApiError {
  return refusal(
    409,
    "OperationNotAllowed",
    `Operation is not allowed because there's an in progress ${operation} operation on the managed cluster. ` +
      "Please wait until it has finished. See https://aka.ms/aks-pending-operation for more information.",
  );
}

/** Only a start and a deletion are allowed then. */
export function stopped(clusterId: string): ApiError {
  const [, subscription = "", , group = ""] = segmentsOf(clusterId);
  return refusal(
    400,
    "OperationNotAllowed",
    `An error has occurred in subscription ${subscription}, resourceGroup: ${group} request: ` +
      "Managed Cluster is in stopped state, no operations except for start are allowed.",
  );
}

/** A part of a cluster that is missing: `what` is as AKS names it. A cluster that is missing is refused by Resource Manager. */
export function notFound(id: string, what: "agentpool" | "maintenance configuration"): ApiError {
  const [, subscription = "", , group = ""] = segmentsOf(id);
  const message = `Could not find the ${what}: ${nameOf(id)} in subscription: ${subscription}, resourceGroup: ${group}, resourceName: ${nameOf(parentOf(id) ?? "")}.`;
  const [kind, words] = what === "agentpool" ? ["AgentPool", "Agent Pool"] : ["MaintenanceConfiguration", "Maintenance Configuration"];
  const detail = { code: "Unspecified", message: `rpc error: code = NotFound desc = ${words} not found` };
  return new ApiError(404, "NotFound", message, { details: [detail], beside: { subcode: `Get${kind}_NotFound` }, bare: true });
}

/** The etag is that of the last write, or of the end of its operation. */
export function etagMismatch({ state, request }: ArmCall, id: string, condition: "If-Match" | "If-None-Match"): ApiError {
  const resource = state.resources[keyOf(id)];
  const message =
    condition === "If-None-Match"
      ? `The resource ${id} exists already, which the If-None-Match header of the request rules out.`
      : `The etag ${request.headers["if-match"] ?? ""} in the If-Match header of the request does not match the etag ${resource?.etag ?? ""} ` +
        `of resource ${id}. Get the resource again, and send its current etag.`;
  return refusal(412, "PreconditionFailed", message);
}
