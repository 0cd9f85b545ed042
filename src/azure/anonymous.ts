/** Reads what is published for everybody, as anybody would: over the same wire as all else, but without saying who asks. */
import { createDefaultHttpClient, createEmptyPipeline, createHttpHeaders, createPipelineRequest } from "@azure/core-rest-pipeline";
import { tokenPolicies } from "./pipeline.js";
import type { Transport } from "./transport.js";

export interface PublicAnswer {
  readonly status: number;
  readonly body: string;
  /** Undefined where there is no such header. */
  header(name: string): string | undefined;
}

export interface PublicReading {
  /** Few tries: for who tells of what is wrong, and waits for nothing to become right. */
  readonly brief?: boolean;
}

/** Any status is an answer; throws where no answer came. */
export type PublicRead = (url: string, userAgent: string) => Promise<PublicAnswer>;

export function anonymousReader(transport: Transport, { brief = false }: PublicReading): PublicRead {
  const pipeline = createEmptyPipeline();
  for (const { policy } of tokenPolicies(transport, { retry: brief ? "brief" : true })) pipeline.addPolicy(policy);
  const httpClient = createDefaultHttpClient();
  return async (url, userAgent) => {
    // A cache between us and Azure would tell of the past.
    const headers = createHttpHeaders({ "cache-control": "no-cache", "user-agent": userAgent });
    const response = await pipeline.sendRequest(httpClient, createPipelineRequest({ url, headers }));
    return { status: response.status, body: response.bodyAsText ?? "", header: (name) => response.headers.get(name) };
  };
}
