/** Writes that Azure finishes later: begun with the SDK, polled at our own interval, their failures kept whole. */
import { isRestError, type PipelineResponse } from "@azure/core-rest-pipeline";
import { Stale } from "../errors/stale.js";
import { azureCodeOf, detailOf } from "./azure-error.js";
import { OperationError } from "./operation-error.js";
import type { Transport } from "./transport.js";

/**
 * Azure's milliseconds between polls: half of it is lost at the end of each operation. ARM admits 250 reads at once and 25 more a second, which
 * these leave most of.
 */
export const pollInterval = {
  network: 500,
  /** Private DNS admits 500 reads in 5 minutes, and takes half a minute at least. */
  privateDns: 1_000,
  resourceGroup: 1_000,
  /** Storage admits 800 reads in 5 minutes; an account takes 17 s. */
  storage: 1_000,
  /** A vault takes 30 s, a certificate 6 s; a vault admits 4,000 reads in 10 s. */
  keyVault: 1_000,
  /** What somebody else began: read again by its step until it has ended. */
  inFlight: 2_000,
} as const;

/** Azure's milliseconds for which the first poll need not be followed by another: no creation was ever seen to take less. */
export const leastDuration = {
  /** An account takes 14 s. */
  storage: 12_000,
  /** A vault waits for its name to be known to DNS: 28 s. */
  keyVault: 25_000,
} as const;

interface Poller<T> {
  pollUntilDone(options?: { abortSignal?: AbortSignal }): Promise<T>;
}

/** A poller of the newer SDKs: it has begun by itself, and tells how far it is. */
interface BegunPoller<T> extends Poller<T> {
  readonly isDone: boolean;
  poll(options?: { abortSignal?: AbortSignal }): Promise<unknown>;
}

/** Azure, as far as waiting is concerned. */
interface Waiting {
  readonly connection: Pick<Transport, "clock" | "current">;
}

/** What every `begin...` of the SDK takes. */
export interface BeginOptions {
  readonly updateIntervalInMs: number;
  readonly onResponse: (response: PipelineResponse) => void;
}

/**
 * Begins an operation and waits for its end. The SDK says of a failed operation only a sentence and of a superseded one not even that, so the
 * last answer is kept and read here.
 * @throws Stale where what was read, or what is polled, is no longer there: look again.
 * @throws OperationError with Azure's own error where the operation failed.
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
    throw signal?.aborted ? error : whatEnded(error, answers);
  }
}

function whatEnded(error: unknown, { first, last }: { readonly first?: PipelineResponse; readonly last?: PipelineResponse }): unknown {
  if (isRestError(error)) {
    // 412: the If-Match etag no longer holds.
    if (error.statusCode === 412) return new Stale("it was changed meanwhile", { cause: error });
    // Azure has forgotten the operation, or somebody removed what it made: only what is there tells how it ended.
    if (error.statusCode === 404 && error.request?.method === "GET") return new Stale("its operation is gone", { cause: error });
    return error;
  }
  if (!first || !last) return error;
  const { status, ...detail } = detailOf(last);
  // Network: a second write on the same resource cancels the first. Private DNS: etag failures come through the operation.
  if (detail.code?.startsWith("Canceled") || detail.code === "PreconditionFailed") return new Stale(detail.message, { cause: error });
  return detail.code === undefined ? error : new OperationError(detail, first.request, { cause: error });
}

/**
 * The poller of the newer SDKs (storage, Key Vault), in the form that `finish` takes. It is a promise, too: passed on as it is, it would be waited
 * for before it is there to be polled. `pause` is waited between the first poll and the second, where there is a second.
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

/** The 404s that say that a thing, or what contains it, is not there. A subscription that cannot be seen, or a proxy's page, is none of them. */
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

/** What a read found, or a delete removed; undefined where Azure answers that there is no such thing. */
export async function found<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRestError(error) && error.statusCode === 404 && absent.has(azureCodeOf(error))) return undefined;
    throw error;
  }
}
