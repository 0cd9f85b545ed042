/** Resource Manager by path: for requests that no SDK client in use supports. */
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";

export interface ArmResponse<T> {
  readonly body: T;
  /** The time of the response by Azure's clock, in whole seconds; undefined if Azure sent none. */
  readonly date: Date | undefined;
}

/**
 * Returns the response body, typed.
 * @throws an error that describes what is wrong with it
 */
export type Shape<T> = (body: unknown) => T;

export interface ResourceManager {
  /**
   * `path`: "/subscriptions/...".
   * @throws RestError if Azure rejects the request, or if the response has the wrong format
   */
  get<T>(path: string, apiVersion: string, shape: Shape<T>): Promise<ArmResponse<T>>;
  /** For a query that is too long for a URL. */
  ask<T>(path: string, apiVersion: string, question: object, shape: Shape<T>): Promise<T>;
  /** All entries of all pages. */
  list<T>(path: string, apiVersion: string, entry: Shape<T>): Promise<T[]>;
}

/** `send` is the pipeline of every other client. `endpoint`: "https://management.azure.com". */
export function resourceManager(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): ResourceManager {
  const ask = async <T>(url: string, shape: Shape<T>, question?: object): Promise<ArmResponse<T>> => {
    const headers = createHttpHeaders({ accept: "application/json", ...(question && { "content-type": "application/json" }) });
    const request = createPipelineRequest({ url, headers, ...(question && { method: "POST", body: JSON.stringify(question) }) });
    const response = await send(request);
    const refusal = (why: string, cause?: unknown) =>
      Object.assign(new RestError(why, { request, response, statusCode: response.status }), { cause });
    if (response.status !== 200) throw refusal(`Resource Manager returned status ${String(response.status)}`);
    const at = Date.parse(response.headers.get("date") ?? "");
    try {
      return { body: shape(JSON.parse(response.bodyAsText ?? "")), date: Number.isNaN(at) ? undefined : new Date(at) };
    } catch (error) {
      throw refusal("Resource Manager returned a response in an unexpected format", error);
    }
  };
  const urlOf = (path: string, apiVersion: string) => `${endpoint}${path}${path.includes("?") ? "&" : "?"}api-version=${apiVersion}`;
  return {
    get: (path, apiVersion, shape) => ask(urlOf(path, apiVersion), shape),
    ask: async (path, apiVersion, question, shape) => (await ask(urlOf(path, apiVersion), shape, question)).body,
    async list(path, apiVersion, entry) {
      const entries = [];
      for (let next: string | undefined = urlOf(path, apiVersion); next !== undefined;) {
        const { body }: ArmResponse<Page> = await ask(next, page);
        entries.push(...body.value.map(entry));
        next = body.nextLink;
      }
      return entries;
    },
  };
}

interface Page {
  readonly value: readonly unknown[];
  readonly nextLink: string | undefined;
}

function page(body: unknown): Page {
  if (typeof body !== "object" || body === null || !("value" in body) || !Array.isArray(body.value)) {
    throw new TypeError('the list has no member "value"');
  }
  const nextLink = "nextLink" in body && typeof body.nextLink === "string" ? body.nextLink : "";
  return { value: body.value, nextLink: nextLink === "" ? undefined : nextLink };
}
