/** Microsoft Graph: who is behind a client id. */
import { Client, GraphClientError, type Context, type GraphRequest, type Middleware } from "@microsoft/microsoft-graph-client";
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";

/** Microsoft Graph takes at most 15 values in an `in` filter. */
const valuesPerFilter = 15;

export interface Principal {
  readonly appId: string;
  /** Object id of the service principal: what a role is assigned to. */
  readonly id: string;
  readonly displayName: string;
}

interface Page {
  readonly value: readonly Principal[];
  readonly "@odata.nextLink"?: string;
}

export interface Directory {
  /** The service principals behind these client ids, of applications and managed identities alike, in as few requests as Graph admits. */
  servicePrincipals(clientIds: readonly string[]): Promise<Principal[]>;
}

/** `send` is the pipeline of every other client, so that Graph is retried, signed in to and paced alike. */
export function directory(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): Directory {
  const graph = Client.initWithMiddleware({ middleware: throughPipeline(send), baseUrl: `${endpoint}/` });
  return {
    async servicePrincipals(clientIds) {
      const found: Principal[] = [];
      for (let from = 0; from < clientIds.length; from += valuesPerFilter) {
        const some = clientIds.slice(from, from + valuesPerFilter);
        const filter = `appId in (${some.map((id) => `'${id}'`).join(",")})`;
        let page = await get(graph.api("/servicePrincipals").filter(filter).select("id,appId,displayName"));
        found.push(...page.value);
        while (page["@odata.nextLink"] !== undefined) {
          page = await get(graph.api(page["@odata.nextLink"]));
          found.push(...page.value);
        }
      }
      return found;
    },
  };
}

/**
 * Graph's client puts an error of its own, without the answer, in place of whatever its middleware throws, but for a GraphClientError:
 * the pipeline's errors travel in one.
 */
async function get(request: GraphRequest): Promise<Page> {
  try {
    return (await request.get()) as Page;
  } catch (error) {
    throw error instanceof GraphClientError && error.customError !== undefined ? error.customError : error;
  }
}

function carrying(error: unknown): GraphClientError {
  return Object.assign(new GraphClientError(), { customError: error });
}

function throughPipeline(send: (request: PipelineRequest) => Promise<PipelineResponse>): Middleware {
  return {
    async execute(context: Context) {
      // Their types are a browser's; Graph's client gives the whole address as text.
      const url = context.request as unknown as string;
      const body: unknown = context.options?.body;
      const request = createPipelineRequest({
        url,
        method: (context.options?.method ?? "GET") as PipelineRequest["method"],
        headers: createHttpHeaders({ accept: "application/json" }),
        ...(typeof body === "string" && { body }),
      });
      const response = await send(request).catch((error: unknown) => Promise.reject(carrying(error)));
      if (response.status >= 400) {
        const message = `Microsoft Graph answered ${String(response.status)}`;
        throw carrying(new RestError(message, { request, response, statusCode: response.status }));
      }
      context.response = new Response(response.bodyAsText ?? null, { status: response.status, headers: response.headers.toJSON() });
    },
  };
}
