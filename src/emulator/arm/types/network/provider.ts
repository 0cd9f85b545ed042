/** What all types of Microsoft.Network share: API versions, long-running behavior, common members of a body. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { versionsOf } from "../../api-versions.js";
import { childNotFound } from "../../errors.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import type { LongRunning } from "../../long-running.js";
import type { StoredResource } from "../../../state/state.js";

/** As far back as the clients whose traffic is known go. */
export const networkVersions = versionsOf("Microsoft.Network", { from: "2018-01-01" });

/** The common part of all declarations of tracked types. */
export const trackedType = {
  apiVersions: networkVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  etag: "weak",
  missingParent: "as itself",
  conditionRefusal: etagMismatch,
  hasPutEnded: (_put: unknown, unchanged: boolean): boolean => unchanged,
  busyStates: { creating: "Updating", updating: "Updating" },
} as const;

/** The same for children with a PUT of their own. */
export const childType = { ...trackedType, verbs: ["read", "write", "delete"], kind: "proxy", missingRefusal: childNotFound } as const;

export const networkReadOnly = ["id", "name", "type", "etag"];

/** The members of every tracked body, apart from `properties`. */
export const trackedMembers = { location: z.string(), tags: z.record(z.string(), z.string()).optional() };

const at = { under: "location", status: "operations", result: "operationResults", runningStatus: 200, notification: true } as const;

/** The Retry-After of polls grows: a client that obeys it overshoots. `first` is where a type starts. */
function growing(first: number): number[] {
  return [...[1, 2, 2, 4, 4, 8, 16].map((factor) => factor * first), 100];
}

/** A network PUT answers the resource with `Azure-AsyncOperation`. */
export function networkPut(operation: string, retryAfter: number, firstPoll: number): LongRunning {
  return { operation, answers: "resource", headers: ["azure-asyncoperation"], retryAfter, pollRetryAfter: growing(firstPoll), at };
}

/** A network DELETE is 202 with both headers. */
export function networkDelete(operation: string, retryAfter: number): LongRunning {
  return {
    operation,
    answers: "accepted",
    headers: ["azure-asyncoperation", "location"],
    retryAfter,
    pollRetryAfter: growing(retryAfter),
    at,
  };
}

/** Azure writes every etag, even a malformed one, in the form of its own. */
function etagMismatch({ state, request }: ArmCall, id: string, condition: "If-Match" | "If-None-Match"): ApiError | undefined {
  const resource = state.resources[keyOf(id)];
  if (condition !== "If-Match" || resource === undefined) return undefined;
  const sent = `W/"${request.headers["if-match"]?.replace(/^(?:W\/)?"?|"$/g, "") ?? ""}"`;
  const message = `Etag provided in if-match header ${sent} does not match etag ${resource.etag ?? ""} of resource ${resource.id} in NRP data store.`;
  return new ApiError(412, "PreconditionFailed", "Precondition failed.", {
    details: [{ code: "PreconditionFailedEtagMismatch", message }],
  });
}

interface SkuPut {
  readonly id: string;
  readonly existing: StoredResource | undefined;
  readonly body: { readonly sku: { readonly name: string } };
}

export function isNewSku({ existing, body }: SkuPut): boolean {
  // Only a seeded resource has none.
  return existing?.sku !== undefined && existing.sku["name"] !== body.sku.name;
}

/** A body without a SKU asks for Basic. @throws ApiError 400 SkuCannotBeChangedOnUpdate */
export function requireSameSku(put: SkuPut): void {
  if (!isNewSku(put)) return;
  throw new ApiError(
    400,
    "SkuCannotBeChangedOnUpdate",
    `Sku property is set at creation time and cannot be changed from ${String(put.existing?.sku?.["name"])} to ${put.body.sku.name} on resource update for resource ${put.id}.`,
    { details: [] },
  );
}
