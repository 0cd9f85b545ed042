/** Resource Manager by path: for requests that no SDK client in use supports. */
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";
import { z } from "zod";
import { parseJson } from "../text/json.js";
import { responseDate } from "./response-date.js";
import { readAnswer } from "./schema-fault.js";

export interface ArmResponse<T> {
  readonly body: T;
  /** The time of the response by Azure's clock, in whole seconds; undefined if Azure sent none. */
  readonly date: Date | undefined;
}

export interface ResourceManager {
  /**
   * `path` is "/subscriptions/...".
   * @throws RestError if Azure rejects the request; ARO-NET-003 if the response has the wrong format
   */
  get<T>(path: string, apiVersion: string, schema: z.ZodType<T>): Promise<ArmResponse<T>>;
  /** For a query that is too long for a URL. */
  ask<T>(path: string, apiVersion: string, question: object, schema: z.ZodType<T>): Promise<T>;
  list<T>(path: string, apiVersion: string, entry: z.ZodType<T>): Promise<T[]>;
}

/** `send` is the pipeline of every other client. `endpoint`: "https://management.azure.com". */
export function resourceManager(endpoint: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): ResourceManager {
  const ask = async <T>(url: string, schema: z.ZodType<T>, question?: object): Promise<ArmResponse<T>> => {
    const headers = createHttpHeaders({ accept: "application/json", ...(question && { "content-type": "application/json" }) });
    const request = createPipelineRequest({ url, headers, ...(question && { method: "POST", body: JSON.stringify(question) }) });
    const response = await send(request);
    const { status } = response;
    if (status !== 200)
      throw new RestError(`Resource Manager returned status ${String(status)}`, { request, response, statusCode: status });
    const body = readAnswer(request, schema, parseJson(response.bodyAsText ?? ""));
    return { body, date: responseDate(response) };
  };
  const urlOf = (path: string, apiVersion: string) => `${endpoint}${path}${path.includes("?") ? "&" : "?"}api-version=${apiVersion}`;
  return {
    get: (path, apiVersion, schema) => ask(urlOf(path, apiVersion), schema),
    ask: async (path, apiVersion, question, schema) => (await ask(urlOf(path, apiVersion), schema, question)).body,
    async list<T>(path: string, apiVersion: string, entry: z.ZodType<T>) {
      const entries: T[] = [];
      for (let next: string | undefined = urlOf(path, apiVersion); next !== undefined;) {
        const { value, nextLink }: Page<T> = (await ask(next, page(entry))).body;
        entries.push(...value);
        next = nextLink || undefined;
      }
      return entries;
    },
  };
}

type Page<T> = z.infer<ReturnType<typeof page<T>>>;

const page = <T>(entry: z.ZodType<T>) => z.object({ value: z.array(entry), nextLink: z.string().nullish() });
