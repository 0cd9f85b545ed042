/** Microsoft Graph's own client, sending through the pipeline of all the others. */
import { Client, type Context, type Middleware } from "@microsoft/microsoft-graph-client";
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";

/** Asks one thing of Graph: `ask((client) => client.api("/applications").get())`. Throws what the pipeline threw, whole. */
export type AskGraph = <T>(ask: (client: Client) => Promise<unknown>) => Promise<T>;

/** `endpoint`: "https://graph.microsoft.com". */
export function graphClient(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): AskGraph {
  return async <T>(ask: (client: Client) => Promise<unknown>) => {
    // Graph's client makes of every error one of its own, without answer and cause: what was thrown is kept beside it.
    const thrown: unknown[] = [];
    const middleware = throughPipeline(async (request) => {
      try {
        return refusing(request, await send(request));
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

function refusing(request: PipelineRequest, response: PipelineResponse): PipelineResponse {
  if (response.status < 400) return response;
  throw new RestError(`Microsoft Graph answered ${String(response.status)}`, { request, response, statusCode: response.status });
}

function throughPipeline(send: (request: PipelineRequest) => Promise<PipelineResponse>): Middleware {
  return {
    async execute(context: Context) {
      // Their types are a browser's; Graph's client gives the whole address as text.
      const url = context.request as unknown as string;
      const body: unknown = context.options?.body;
      const given = new Headers(context.options?.headers);
      const request = createPipelineRequest({
        url,
        method: (context.options?.method ?? "GET") as PipelineRequest["method"],
        headers: createHttpHeaders({ ...Object.fromEntries(given), accept: "application/json" }),
        ...(typeof body === "string" && { body }),
      });
      const response = await send(request);
      // A Response of status 204 takes no body, not even an empty one.
      context.response = new Response(response.bodyAsText || null, { status: response.status, headers: response.headers.toJSON() });
    },
  };
}
