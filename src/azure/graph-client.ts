/** Microsoft Graph's client, on the pipeline of all other clients. */
import { Client, type Context, type Middleware } from "@microsoft/microsoft-graph-client";
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";
import { parseJson } from "../text/json.js";

/**
 * Sends one Graph request: `ask((client) => client.api("/applications").get())`.
 * @throws the pipeline's own error, unchanged
 */
export type AskGraph = <T>(ask: (client: Client) => Promise<unknown>) => Promise<T>;

/** `endpoint`: "https://graph.microsoft.com". */
export function graphClient(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): AskGraph {
  return async <T>(ask: (client: Client) => Promise<unknown>) => {
    // Graph's client replaces every error with its own, without response and cause, so the original error is recorded here.
    const thrown: unknown[] = [];
    const middleware = throughPipeline(async (request) => {
      try {
        return throwIfRejected(request, await send(request));
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    });
    try {
      return (await ask(Client.initWithMiddleware({ middleware, baseUrl: `${endpoint}/` }))) as T;
    } catch (error) {
      throw thrown[0] ?? error;
    }
  };
}

function throwIfRejected(request: PipelineRequest, response: PipelineResponse): PipelineResponse {
  if (response.status < 300) return response;
  throw new RestError(`Microsoft Graph returned status ${String(response.status)}`, { request, response, statusCode: response.status });
}

function throughPipeline(send: (request: PipelineRequest) => Promise<PipelineResponse>): Middleware {
  return {
    async execute(context: Context) {
      // The types are a browser's; Graph's client passes the whole URL as a string, and headers as an object.
      const url = context.request as unknown as string;
      const headers = context.options?.headers as Record<string, string> | undefined;
      const body: unknown = context.options?.body;
      const request = createPipelineRequest({
        url,
        method: (context.options?.method ?? "GET") as PipelineRequest["method"],
        headers: createHttpHeaders({ ...headers, accept: "application/json" }),
        ...(typeof body === "string" && { body }),
      });
      context.response = responseOf(await send(request));
    },
  };
}

/**
 * What Graph's client reads of a success. The body is validated already, so its content type does not matter. The first use of the global
 * `Response` would load all of fetch, which takes 13 ms.
 */
function responseOf({ status, bodyAsText }: PipelineResponse): Response {
  const read = {
    status,
    ok: true,
    headers: { get: () => "application/json" },
    json: () => Promise.resolve(parseJson(bodyAsText ?? "")),
  };
  return read as unknown as Response;
}
