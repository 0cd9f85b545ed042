/** Long-running operations: started by the SDK, polled at our own interval, with their error details preserved. */
import { isRestError, type PipelineResponse } from "@azure/core-rest-pipeline";
import { Stale } from "../errors/stale.js";
import { parseJsonObject } from "../text/json.js";
import { azureCodeOf, detailOf } from "./azure-error.js";
import { OperationError } from "./operation-error.js";
import type { Transport } from "./transport.js";

/**
 * Azure's milliseconds between polls: on average half of it is lost at the end of each operation. ARM allows 250 reads at once and 25 more a second,
 * and this interval uses only a small part of that.
 */
export const pollInterval = {
  network: 500,
  /** Private DNS allows 500 reads in 5 minutes; an operation takes at least 30 s. */
  privateDns: 1_000,
  resourceGroup: 1_000,
  /** Storage allows 800 reads in 5 minutes; creating an account takes 17 s. */
  storage: 1_000,
  /** Creating a vault takes 30 s, a certificate 6 s; a vault allows 4,000 reads in 10 s. */
  keyVault: 1_000,
  /** For an operation that another client started: the step reads the resource until the operation ends. */
  inFlight: 2_000,
} as const;

/** Azure's milliseconds after the first poll in which no second poll is needed: no creation was ever seen to take less. */
export const leastDuration = {
  /** Creating an account takes 14 s. */
  storage: 12_000,
  /** A vault waits 28 s until DNS resolves its name. */
  keyVault: 25_000,
} as const;

interface Poller<T> {
  pollUntilDone(options?: { abortSignal?: AbortSignal }): Promise<T>;
}

/** A poller of the newer SDKs: it has already started, and reports its progress. */
interface BegunPoller<T> extends Poller<T> {
  readonly isDone: boolean;
  poll(options?: { abortSignal?: AbortSignal }): Promise<unknown>;
}

/** The parts of Azure that waiting needs. */
interface Waiting {
  readonly connection: Pick<Transport, "clock" | "current">;
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
export async function finish<T>(azure: Waiting, intervalMs: number, begin: (options: BeginOptions) => Promise<Poller<T>>): Promise<T> {
  const { clock, current } = azure.connection;
  const signal = current()?.signal;
  const answers: { first?: PipelineResponse; last?: PipelineResponse } = {};
  try {
    const poller = await begin({
      updateIntervalInMs: clock.scaled(intervalMs),
      onResponse: (response) => {
        answers.first ??= response;
        answers.last = response;
      },
    });
    return await poller.pollUntilDone(signal && { abortSignal: signal });
  } catch (error) {
    throw signal?.aborted ? error : endReason(error, answers);
  }
}

function endReason(error: unknown, { first, last }: { readonly first?: PipelineResponse; readonly last?: PipelineResponse }): unknown {
  if (isRestError(error)) {
    // 412: the If-Match ETag is outdated.
    if (error.statusCode === 412) return new Stale("the resource was changed in the meantime", { cause: error });
    // Azure has forgotten the operation, or someone deleted what it created: only the resource itself shows how it ended.
    if (error.statusCode === 404 && error.request?.method === "GET") return new Stale("the operation no longer exists", { cause: error });
    return error;
  }
  if (!first || !last) return error;
  // The SDK has found no resource in the response that ended the operation: only the resource itself shows whether it did.
  if (error instanceof TypeError && last.status < 300) return new Stale("the operation ended without its result", { cause: error });
  const { status, ...detail } = detailOf(last);
  // Network: a second write to the same resource cancels the first. Private DNS: ETag failures arrive through the operation.
  if (detail.code?.startsWith("Canceled") || detail.code === "PreconditionFailed") return new Stale(detail.message, { cause: error });
  if (detail.code === undefined && !hasFailed(last)) return error;
  return new OperationError(detail, first.request, { cause: error });
}

/** Without a code, only the status says so. */
function hasFailed({ bodyAsText }: PipelineResponse): boolean {
  const status = parseJsonObject(bodyAsText ?? "")?.["status"];
  return typeof status === "string" && /^(?:failed|cancell?ed)$/i.test(status);
}

/**
 * Wraps the poller of the newer SDKs (storage, Key Vault) in the interface that `finish` takes. The poller is also a promise: returned unwrapped, it
 * would be awaited before it can be polled. `pause` is the wait between the first and the second poll.
 */
export async function begun<T>(poller: BegunPoller<T>, pause?: (signal?: AbortSignal) => Promise<void>): Promise<Poller<T>> {
  return {
    async pollUntilDone(options) {
      if (pause) await poller.poll(options);
      if (pause && !poller.isDone) await pause(options?.abortSignal);
      return poller.pollUntilDone(options);
    },
  };
}

/** The 404 codes that mean that a resource or its parent does not exist. An invisible subscription or a proxy's page has other codes. */
const absent: ReadonlySet<string | undefined> = new Set([
  "ResourceGroupNotFound",
  "ResourceNotFound",
  "NotFound",
  "ParentResourceNotFound",
  "RoleAssignmentNotFound",
  "RoleDefinitionDoesNotExist",
  "DeletedVaultNotFound",
  "SecretNotFound",
  "CertificateNotFound",
  "PendingCertificateNotFound",
  "Request_ResourceNotFound",
  "ContainerNotFound",
  "BlobNotFound",
]);

/** The result of a read or a delete; undefined if Azure responds that the resource does not exist. */
export async function found<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRestError(error) && error.statusCode === 404 && absent.has(azureCodeOf(error))) return undefined;
    throw error;
  }
}
