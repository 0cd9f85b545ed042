/** Endpoints that are not resources of a declared type: a method, a path template, and a handler. */
import type { ArmCall } from "./resource-type.js";
import { matchTemplate, type Parameters } from "../core/route-template.js";
import type { Answer, ApiError, ApiRequest } from "../core/service.js";
import { invalidApiVersion, noRegisteredProvider } from "./errors.js";

export type { Parameters };

export interface Endpoint {
  readonly method: ApiRequest["method"];
  /** "/subscriptions/{subscriptionId}/providers"; a leading "{scope}" matches any number of segments, including none. */
  readonly path: string;
  /** Its api-versions, newest first: see api-versions.ts. */
  readonly versions: readonly string[];
  readonly handle: (call: ArmCall, parameters: Parameters) => Answer;
}

/**
 * The answer of the first endpoint that matches; undefined if none does.
 * @throws ApiError NoRegisteredProviderFound for an unknown api-version of a provider, InvalidApiVersionParameter for one of Resource Manager itself
 */
export function answerEndpoint(call: ArmCall, endpoints: readonly Endpoint[]): Answer | undefined {
  for (const endpoint of endpoints) {
    if (endpoint.method !== call.request.method) continue;
    const parameters = matchTemplate(endpoint.path, call.request.path);
    if (parameters === undefined) continue;
    const version = call.request.query.get("api-version") ?? "";
    if (!endpoint.versions.includes(version)) throw unknownVersion(endpoint, version);
    return endpoint.handle(call, parameters);
  }
  return undefined;
}

function unknownVersion({ path, versions }: Endpoint, version: string): ApiError {
  const [, inProvider = ""] = path.split("/providers/");
  const type = inProvider
    .split("/")
    .filter((segment) => !segment.startsWith("{"))
    .join("/");
  return type === ""
    ? invalidApiVersion(version, versions)
    : noRegisteredProvider({ name: type, apiVersions: versions }, version, undefined, []);
}
