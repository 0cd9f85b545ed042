/** Writes that Azure finishes later: begun with the SDK, polled at our own interval, their failures kept whole. */
import { isRestError } from "@azure/core-rest-pipeline";
import { Stale } from "../errors/stale.js";
import type { Azure } from "./azure.js";
import { detailOfBody } from "./azure-error.js";
import { OperationError } from "./to-failure.js";

/** Azure's milliseconds between polls. Network operations end within seconds, so a coarser interval would cost more than they do. */
export const pollInterval = {
  network: 1_000,
  /** Private DNS admits 500 reads in 5 minutes and takes half a minute at least. */
  privateDns: 2_000,
  resourceGroup: 2_000,
} as const;

interface Poller<T> {
  pollUntilDone(options?: { abortSignal?: AbortSignal }): Promise<T>;
}

/** What every `begin...` of the SDK takes. */
export interface BeginOptions {
  readonly updateIntervalInMs: number;
  readonly onResponse: (response: { parsedBody?: unknown; bodyAsText?: string | null; status: number }) => void;
}

/**
 * Begins an operation and waits for its end. The SDK says of a failed operation only a sentence and of a superseded one not even that, so the
 * last answer is kept and read here.
 * @throws Stale where somebody else wrote meanwhile (412, or superseded by a later write).
 * @throws OperationError with Azure's own error where the operation failed.
 */
export async function finish<T>(azure: Azure, intervalMs: number, begin: (options: BeginOptions) => Promise<Poller<T>>): Promise<T> {
  const { pace, current } = azure.connection;
  const signal = current()?.signal;
  let last: string | null | undefined;
  try {
    const poller = await begin({
      updateIntervalInMs: pace.scaled(intervalMs),
      onResponse: ({ bodyAsText }) => {
        last = bodyAsText;
      },
    });
    return await poller.pollUntilDone(signal && { abortSignal: signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (isRestError(error)) {
      // 412: the If-Match etag no longer holds.
      if (error.statusCode === 412) throw new Stale(error.message, { cause: error });
      throw error;
    }
    const detail = detailOfBody(last);
    // Network: a second write on the same resource cancels the first. Private DNS: etag failures come through the operation.
    if (detail.code?.startsWith("Canceled") || detail.code === "PreconditionFailed") throw new Stale(detail.message, { cause: error });
    if (detail.code !== undefined) throw new OperationError(detail, { cause: error });
    throw error;
  }
}

/** What a read found; undefined where Azure answers 404, of the thing or of what contains it. */
export async function found<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRestError(error) && error.statusCode === 404) return undefined;
    throw error;
  }
}
