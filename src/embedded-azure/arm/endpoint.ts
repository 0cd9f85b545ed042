/** Endpoints that are no resource of a declared type: a method, a path template, and what answers. */
import type { Answer, ApiRequest, Call } from "../service.js";
import { invalidApiVersion } from "./errors.js";

/** What the template's names stand for in a path. */
export type Parameters = Readonly<Record<string, string>>;

export interface Endpoint {
  readonly method: ApiRequest["method"];
  /** "/subscriptions/{subscriptionId}/providers"; a leading "{scope}" stands for any number of segments, none included. */
  readonly path: string;
  /** The api-versions it has. */
  readonly versions: readonly string[];
  readonly handle: (call: Call, parameters: Parameters) => Answer;
}

/** The answer of the first endpoint that fits; undefined where none does. Throws InvalidApiVersionParameter. */
export function answerEndpoint(call: Call, endpoints: readonly Endpoint[]): Answer | undefined {
  for (const endpoint of endpoints) {
    if (endpoint.method !== call.request.method) continue;
    const parameters = match(endpoint.path, call.request.path);
    if (parameters === undefined) continue;
    const version = call.request.query.get("api-version") ?? "";
    if (!endpoint.versions.includes(version)) throw invalidApiVersion(version, endpoint.versions);
    return endpoint.handle(call, parameters);
  }
  return undefined;
}

function match(template: string, path: readonly string[]): Record<string, string> | undefined {
  const wanted = template.split("/").filter((segment) => segment !== "");
  const scoped = wanted[0] === "{scope}";
  const rest = scoped ? wanted.slice(1) : wanted;
  const start = path.length - rest.length;
  if (start < 0 || (!scoped && start > 0)) return undefined;
  const parameters: Record<string, string> = scoped ? { scope: `/${path.slice(0, start).join("/")}` } : {};
  for (const [index, segment] of rest.entries()) {
    const sent = path[start + index] ?? "";
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (parameter !== undefined) parameters[parameter] = sent;
    else if (segment.toLowerCase() !== sent.toLowerCase()) return undefined;
  }
  return parameters;
}
