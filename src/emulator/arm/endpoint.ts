/** Endpoints that are not resources of a declared type: a method, a path template, and a handler. */
import { acceptsVersion, versionOf } from "./api-versions.js";
import { requireRight } from "./authorization-check.js";
import type { ArmCall } from "./resource-type.js";
import { findGroup, findSubscription } from "./scopes.js";
import { keyOf } from "./resource-id.js";
import type { StoredResource } from "../state/state.js";
import { matchTemplate, type Parameters } from "../core/route-template.js";
import type { Answer, ApiError, ApiRequest } from "../core/service.js";
import { invalidApiVersion, noRegisteredProvider, resourceNotFound } from "./errors.js";

export type { Parameters };

export interface Endpoint {
  readonly method: ApiRequest["method"];
  /** "/subscriptions/{subscriptionId}/providers"; a leading "{scope}" matches any number of segments, including none. */
  readonly path: string;
  /** Newest first: see api-versions.ts. */
  readonly versions: readonly string[];
  readonly handle: (call: ArmCall, parameters: Parameters) => Answer;
}

interface InSubscription extends Pick<Endpoint, "versions"> {
  readonly method?: "POST";
  /** Below `/subscriptions/{subscriptionId}/providers/`. */
  readonly path: string;
  /** The right that it requires; by default, to read what the path names. */
  readonly action?: string;
  /** The body of the 200. `scope` is the ID of the subscription. */
  readonly body: (call: ArmCall, scope: string, parameters: Parameters) => unknown;
}

/** What a subscription answers to those who have a right there. */
export function inSubscription({ method, path, versions, body, action = `${withoutParameters(path)}/read` }: InSubscription): Endpoint {
  return {
    method: method ?? "GET",
    path: `/subscriptions/{subscriptionId}/providers/${path}`,
    versions,
    handle(call, parameters) {
      const scope = `/subscriptions/${findSubscription(call, parameters["subscriptionId"] ?? "").subscriptionId}`;
      requireRight(call, action, scope);
      return { status: 200, body: body(call, scope, parameters), takes: call.sample("read") };
    },
  };
}

export interface OfResource extends Pick<Endpoint, "method" | "versions"> {
  readonly type: string;
  /** What follows the name of the resource in the path. */
  readonly path: string;
  /** What follows the type in the name of the right that it requires. */
  readonly right: string;
  readonly missing?: (call: ArmCall, id: string) => ApiError | undefined;
  readonly handle: (call: ArmCall, resource: StoredResource, parameters: Parameters) => Answer;
}

/** What a resource answers besides the requests of its declaration. */
export function ofResource({ method, type, path, versions, right, missing, handle }: OfResource): Endpoint {
  return {
    method,
    path: `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${type}/{resource}/${path}`,
    versions,
    handle(call, parameters) {
      const { subscriptionId = "", group = "", resource: name = "" } = parameters;
      const id = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
      findSubscription(call, subscriptionId);
      requireRight(call, `${type}/${right}`, id);
      const { name: groupName } = findGroup(call, subscriptionId, group);
      const resource = call.state.resources[keyOf(id)];
      if (resource === undefined) throw missing?.(call, id) ?? resourceNotFound(`${type}/${name}`, groupName);
      return handle(call, resource, parameters);
    },
  };
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
    const type = typeOf(endpoint) || "Microsoft.Resources";
    if (!acceptsVersion(call, type, endpoint.versions)) throw unknownVersion(endpoint, versionOf(call.request));
    return endpoint.handle(call, parameters);
  }
  return undefined;
}

function unknownVersion(endpoint: Endpoint, version: string): ApiError {
  const name = typeOf(endpoint);
  return name === ""
    ? invalidApiVersion(version, endpoint.versions)
    : noRegisteredProvider({ name, apiVersions: endpoint.versions }, version, undefined, []);
}

/** Of a provider; empty for Resource Manager itself. */
function typeOf({ path }: Endpoint): string {
  const [, inProvider = ""] = path.split("/providers/");
  return withoutParameters(inProvider);
}

function withoutParameters(path: string): string {
  return path
    .split("/")
    .filter((segment) => !segment.startsWith("{"))
    .join("/");
}
