/** Long-running operations: started and polled by the SDK, at our own times, with their error details preserved. */
import { isRestError, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import { Stale } from "../errors/stale.js";
import { parseJsonObject } from "../text/json.js";
import { azureCodeOf, detailOf } from "./azure-error.js";
import type { ExpectedDuration } from "./expected-durations.js";
import { OperationError } from "./operation-error.js";
import { pollWhenDue } from "./poll-timing.js";
import type { Transport } from "./transport.js";

/**
 * Azure's milliseconds between reads of a resource on which another client started an operation: the step reads it until the operation ends.
 */
export const inFlightIntervalMs = 2_000;

/** The interval that the SDKs get, because `pollTimingPolicy` decides when to poll. */
export const noInterval = 0;

interface Poller<T> {
  pollUntilDone(options?: { abortSignal?: AbortSignal }): Promise<T>;
}

/** The parts of Azure that waiting needs. */
interface Waiting {
  readonly connection: Pick<Transport, "current">;
}

/** The options of every `begin...` function of the SDK. */
export interface BeginOptions {
  readonly updateIntervalInMs: number;
  readonly onResponse: (response: PipelineResponse) => void;
}

/**
 * Starts an operation and waits for its end. For a failed operation the SDK reports only one sentence, and for a superseded one not even
 * that. So this function keeps and parses the last response.
 * @throws Stale if the resource or the operation no longer exists: read the state again
 * @throws OperationError with Azure's own error if the operation failed
 */
export async function finish<T>(
  azure: Waiting,
  expected: ExpectedDuration,
  begin: (options: BeginOptions) => Promise<Poller<T>>,
): Promise<T> {
  const signal = azure.connection.current()?.signal;
  const answers: { first?: PipelineResponse; last?: PipelineResponse } = {};
  const options: BeginOptions = {
    updateIntervalInMs: noInterval,
    onResponse: (response) => {
      answers.first ??= response;
      answers.last = response;
    },
  };
  try {
    return await pollWhenDue(expected, async () => (await begin(options)).pollUntilDone(signal && { abortSignal: signal }));
  } catch (error) {
    throw signal?.aborted ? error : endReason(error, answers);
  }
}

class Succeeded extends Error {}

/** {@link finish} without the read of the resource that the SDK adds to it: for a step whose output follows from names. */
export async function finishUnread(
  azure: Waiting,
  expected: ExpectedDuration,
  begin: (options: BeginOptions) => Promise<Poller<unknown>>,
): Promise<void> {
  try {
    await finish(azure, expected, (options) => {
      const onResponse = (response: PipelineResponse) => {
        options.onResponse(response);
        // The SDK would read the resource next, and has no option against it.
        if (statusIn(response) === "succeeded") throw new Succeeded();
      };
      return begin({ ...options, onResponse });
    });
  } catch (error) {
    if (!(error instanceof Succeeded)) throw error;
  }
}

function endReason(error: unknown, { first, last }: { readonly first?: PipelineResponse; readonly last?: PipelineResponse }): unknown {
  if (isRestError(error)) {
    // 412: the If-Match ETag is outdated.
    if (error.statusCode === 412) return new Stale("the resource was changed in the meantime", { cause: error });
    // Azure has forgotten the operation, or someone deleted what it created: only the resource itself shows how it ended.
    if (error.statusCode === 404 && error.request?.method === "GET") {
      const isOwn = pathOf(error.request) === pathOf(first?.request);
      return new Stale(isOwn ? "Azure accepted the write, but it does not exist" : "the operation no longer exists", { cause: error });
    }
    return error;
  }
  if (!first || !last) return error;
  // The SDK has found no resource in the response that ended the operation: only the resource itself shows whether it did.
  if (error instanceof TypeError && last.status < 300) return new Stale("the operation ended without its result", { cause: error });
  const { status, ...detail } = detailOf(last);
  const code = detail.code ?? codeFor(statusIn(last));
  if (code === undefined) return error;
  const failed = new OperationError(detail, first.request, { cause: error });
  // Network: a second write to the same resource cancels the first. Private DNS: ETag failures arrive through the operation.
  if (code.startsWith("Canceled")) return new Stale("Azure canceled the operation, usually for a later one", { cause: failed });
  if (code === "PreconditionFailed") return new Stale("the resource was changed in the meantime", { cause: failed });
  return failed;
}

/** Without a code, only the status says how the operation ended; undefined if it has not failed. */
function codeFor(status = ""): string | undefined {
  return /^cancell?ed$/.test(status) ? "Canceled" : status === "failed" ? "" : undefined;
}

function pathOf(request: PipelineRequest | undefined): string | undefined {
  return request && new URL(request.url).pathname.toLowerCase();
}

/** The status of an operation, in lower case. */
function statusIn({ bodyAsText }: PipelineResponse): string | undefined {
  const status = parseJsonObject(bodyAsText ?? "")?.["status"];
  return typeof status === "string" ? status.toLowerCase() : undefined;
}

/**
 * Wraps the poller of the newer SDKs (storage, Key Vault), which is also a promise. Returned unwrapped, it would be awaited before it can
 * be polled with a signal.
 */
export async function begun<T>(poller: Poller<T>): Promise<Poller<T>> {
  return { pollUntilDone: (options) => poller.pollUntilDone(options) };
}

type Codes = ReadonlySet<string | undefined>;

/** The 404 codes that mean that a resource or its parent does not exist. An invisible subscription or a proxy's page has other codes. */
const absent: Codes = new Set([
  "ResourceGroupNotFound",
  "ResourceNotFound",
  "NotFound",
  "ParentResourceNotFound",
  "RoleAssignmentNotFound",
  "RoleDefinitionDoesNotExist",
  "DeletedVaultNotFound",
  "SecretNotFound",
  "KeyNotFound",
  "CertificateNotFound",
  "PendingCertificateNotFound",
  "ContainerNotFound",
  "BlobNotFound",
]);

/** The result of a read or a delete; undefined if Azure responds that the resource does not exist. */
export async function found<T>(read: Promise<T>, codes: Codes = absent): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRestError(error) && error.statusCode === 404 && codes.has(azureCodeOf(error))) return undefined;
    throw error;
  }
}
