/** Resource Manager by path: for requests that no SDK client in use supports. */
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";
import { parseJson } from "../text/json.js";
import { notFromAzure } from "./not-from-azure.js";
import { responseDate } from "./response-date.js";

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
   * @throws RestError if Azure rejects the request; ARO-NET-003 if the response has the wrong format
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
    const { status } = response;
    if (status !== 200)
      throw new RestError(`Resource Manager returned status ${String(status)}`, { request, response, statusCode: status });
    const body = shaped(request, shape, parseJson(response.bodyAsText ?? ""));
    return { body, date: responseDate(response) };
  };
  const urlOf = (path: string, apiVersion: string) => `${endpoint}${path}${path.includes("?") ? "&" : "?"}api-version=${apiVersion}`;
  return {
    get: (path, apiVersion, shape) => ask(urlOf(path, apiVersion), shape),
    ask: async (path, apiVersion, question, shape) => (await ask(urlOf(path, apiVersion), shape, question)).body,
    async list<T>(path: string, apiVersion: string, entry: Shape<T>) {
      const entries: T[] = [];
      for (let next: string | undefined = urlOf(path, apiVersion); next !== undefined;) {
        const { body }: ArmResponse<Page<T>> = await ask(next, page(entry));
        entries.push(...body.value);
        next = body.nextLink;
      }
      return entries;
    },
  };
}

function shaped<T>(request: PipelineRequest, shape: Shape<T>, body: unknown): T {
  try {
    return shape(body);
  } catch (error) {
    throw notFromAzure(request, "does not have the expected members", error);
  }
}

interface Page<T> {
  readonly value: readonly T[];
  readonly nextLink: string | undefined;
}

const page =
  <T>(entry: Shape<T>): Shape<Page<T>> =>
  (body) => {
    if (typeof body !== "object" || body === null || !("value" in body) || !Array.isArray(body.value)) {
      throw new TypeError('the list has no member "value"');
    }
    const nextLink = "nextLink" in body && typeof body.nextLink === "string" ? body.nextLink : "";
    return { value: body.value.map((each) => entry(each)), nextLink: nextLink === "" ? undefined : nextLink };
  };
