/** Refusals of the DNS providers in their own words, which their answers hold without `error` around them. */
import { ApiError } from "../../../core/service.js";
import { versionOf } from "../../api-versions.js";
import { groupOf, nameOf, segmentsOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import type { ZoneKind } from "./record-types.js";

/**
 * Azure's published descriptions of these versions have an `error` around every refusal, and no body in a 202, which private DNS answers
 * with `{}`. The emulator keeps to the descriptions; in the versions without one, it answers as Azure does.
 */
const described = ["2018-05-01", "2020-06-01", "2024-06-01"];

export function acceptedBody(apiVersion: string): Record<string, never> | undefined {
  return described.includes(apiVersion) ? undefined : {};
}

function refusal(call: ArmCall, status: number, code: string, message: string, detail?: string): ApiError {
  const bare = !described.includes(versionOf(call.request));
  return new ApiError(status, code, message, { bare, ...(detail !== undefined && { details: [{ code: detail, message }] }) });
}

export function badRequest(call: ArmCall, message = "The request was invalid."): ApiError {
  return refusal(call, 400, "BadRequest", message);
}

/** The code that says what it is about is in the details. */
export function conflict(call: ArmCall, detail: string, message: string): ApiError {
  return refusal(call, 409, "Conflict", message, detail);
}

/** `what` is "The zone 'a.example.com'". */
export function doesNotExist(call: ArmCall, kind: ZoneKind, id: string, what: string): ApiError {
  const [, subscription = ""] = segmentsOf(id);
  const group = nameOf(groupOf(id) ?? "");
  const place = `resource group '${kind === "private" ? group.toLowerCase() : group}' of subscription '${subscription}'`;
  return refusal(call, 404, "NotFound", `${what} does not exist in ${place}.`);
}

/** `what` is "Record set www". */
export function unmetCondition(call: ArmCall, what: string, condition: "If-Match" | "If-None-Match"): ApiError {
  const problem = condition === "If-Match" ? "has been modified (etag mismatch)" : "exists already and hence cannot be created again";
  return refusal(call, 412, "PreconditionFailed", `The ${what} ${problem}.`);
}
