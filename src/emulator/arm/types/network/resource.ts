/** What all types of Microsoft.Network share: API versions, long-running behavior, common members of a body. */
import { z } from "zod";
import { versionsOf } from "../../api-versions.js";
import { childNotFound } from "../../errors.js";
import type { LongRunning } from "../../resource-type.js";

/** As far back as the clients whose traffic is known go. */
export const networkVersions = versionsOf("Microsoft.Network", { from: "2018-01-01" });

/** The common part of all declarations of tracked types. */
export const trackedType = {
  apiVersions: networkVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  etag: "weak",
  busy: { creating: "Updating", updating: "Updating" },
} as const;

/** The same for children with a PUT of their own. */
export const childType = { ...trackedType, verbs: ["read", "write", "delete"], kind: "proxy", missing: childNotFound } as const;

export const networkReadOnly = ["id", "name", "type", "etag"];

/** The members of every tracked body, apart from `properties`. */
export const trackedMembers = { location: z.string(), tags: z.record(z.string(), z.string()).optional() };

const at = { under: "location", status: "operations", result: "operationResults", runningStatus: 200, notification: true } as const;

/** A poll's Retry-After doubles every second time: a client that obeys it overshoots. `first` is where a type starts. */
function growing(first: number): number[] {
  return [first, first, 2 * first, 2 * first, 4 * first, 4 * first, 8 * first, 16 * first].map((seconds) => Math.min(seconds, 100));
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
