/** What all types of Microsoft.ContainerService share: versions, operations, and how a missing resource is refused. */
import { ApiError } from "../../../service.js";
import type { AzureState } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { keyOf, nameOf, segmentsOf } from "../../resource-id.js";
import type { LongRunning } from "../../resource-type.js";

export const aksVersions = versionsOf("Microsoft.ContainerService", { from: "2021-05-01" });

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

export function aksDelete(operation: string): LongRunning {
  return {
    operation,
    answers: "accepted",
    headers: ["azure-asyncoperation", "location"],
    pollRetryAfter: [],
    at,
    pollError: {
      code: "NotLatestOperation",
      message:
        "Expected goal state for managed cluster not saved yet. This means saving goal state to database was slow or failed. " +
        "This type of failed operations can usually be retried.",
    },
  };
}

/** AKS's own refusal, which has no `error` around it. A cluster that AKS never had is refused by Resource Manager. */
export function notFound(id: string, what: string): ApiError {
  const [, subscription = "", , group = ""] = segmentsOf(id);
  const message = `Could not find ${what}: ${nameOf(id)} in subscription: ${subscription}, resourceGroup: ${group}.`;
  const beside = { subcode: "NotFound" };
  return new ApiError(404, "NotFound", message, { details: [{ code: "Unspecified", message }], beside, bare: true });
}

/** Whether AKS itself deleted it, some minutes ago at most. */
export function wasDeleted(state: AzureState, id: string): boolean {
  return Object.values(state.operations).some(
    ({ kind, resource, status }) => kind === "delete" && resource === keyOf(id) && status === "Succeeded",
  );
}
