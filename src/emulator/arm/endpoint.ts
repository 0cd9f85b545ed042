/** Endpoints that are no resource of a declared type: a method, a path template, and what answers. */
import { matchTemplate, type Parameters } from "../route-template.js";
import type { Answer, ApiRequest, Call } from "../service.js";
import { invalidApiVersion } from "./errors.js";

export type { Parameters };

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
    const parameters = matchTemplate(endpoint.path, call.request.path);
    if (parameters === undefined) continue;
    const version = call.request.query.get("api-version") ?? "";
    if (!endpoint.versions.includes(version)) throw invalidApiVersion(version, endpoint.versions);
    return endpoint.handle(call, parameters);
  }
  return undefined;
}
