/** Reads public URLs without credentials, over the transport that all other requests use. */
import {
  createDefaultHttpClient,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  proxyPolicy,
} from "@azure/core-rest-pipeline";
import type { Connection } from "./connection.js";
import { publicPolicies } from "./pipeline.js";

export interface PublicResponse {
  readonly status: number;
  readonly body: string;
  /** Undefined if the response has no such header. */
  header(name: string): string | undefined;
}

export interface PublicReading {
  /** Fewer retries, for diagnostics that report a failure instead of waiting for it to clear. */
  readonly brief?: boolean;
}

/**
 * Resolves for any status.
 * @throws RestError if no response arrived, ARO-NET-003 if a storage account did not send it
 */
export type PublicRead = (url: string, userAgent: string) => Promise<PublicResponse>;

export function anonymousReader(connection: Connection, { brief = false }: PublicReading): PublicRead {
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(proxyPolicy());
  for (const { policy } of publicPolicies(connection, { brief })) pipeline.addPolicy(policy);
  const httpClient = createDefaultHttpClient();
  return async (url, userAgent) => {
    // A cache between this machine and Azure could return an outdated document.
    const headers = createHttpHeaders({ "cache-control": "no-cache", "user-agent": userAgent });
    const response = await pipeline.sendRequest(httpClient, createPipelineRequest({ url, headers }));
    return { status: response.status, body: response.bodyAsText ?? "", header: (name) => response.headers.get(name) };
  };
}
