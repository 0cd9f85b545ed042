/** Microsoft Graph's own client, sending through the pipeline of all the others. */
import { Client, type Context, type Middleware } from "@microsoft/microsoft-graph-client";
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";

/** `endpoint`: "https://graph.microsoft.com". */
export function graphClient(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): Client {
  return Client.initWithMiddleware({ middleware: throughPipeline(send), baseUrl: `${endpoint}/` });
}

function throughPipeline(send: (request: PipelineRequest) => Promise<PipelineResponse>): Middleware {
  return {
    async execute(context: Context) {
      // Their types are a browser's; Graph's client gives the whole address as text.
      const url = context.request as unknown as string;
      const body: unknown = context.options?.body;
      const given = new Headers(context.options?.headers as Record<string, string> | undefined);
      const request = createPipelineRequest({
        url,
        method: (context.options?.method ?? "GET") as PipelineRequest["method"],
        headers: createHttpHeaders({ ...Object.fromEntries(given), accept: "application/json" }),
        ...(typeof body === "string" && { body }),
      });
      const response = await send(request);
      // Thrown here, with the answer whole: Graph's client would keep neither the request id's header nor our code for it.
      if (response.status >= 400)
        throw new RestError(`Microsoft Graph answered ${String(response.status)}`, { request, response, statusCode: response.status });
      // A Response of status 204 takes no body, not even an empty one.
      context.response = new Response(response.bodyAsText || null, { status: response.status, headers: response.headers.toJSON() });
    },
  };
}
