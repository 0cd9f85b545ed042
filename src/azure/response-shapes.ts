/** Recognizes the success responses of each service, so that no other page or empty body passes for one. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { z } from "zod";
import { isJsonObject, parseJson, type JsonObject } from "../text/json.js";
import { sameText } from "../text/same-text.js";
import { directorySchema, issuedCertificate, resourceSchema, vaultItem, vaultOperation } from "./required-members.js";
import { schemaFault } from "./schema-fault.js";

/** The SDKs would read a portal's page, an empty body or `{}` as a resource without an owner, an empty list or a finished operation. */
type FaultOf = (request: PipelineRequest, response: PipelineResponse) => string | undefined;
/** A portal may redirect to its page; Azure redirects to no other host. */
const redirectOr =
  (faultOf: FaultOf): FaultOf =>
  (request, response) => {
    if (response.status < 300) return faultOf(request, response);
    const to = response.headers.get("location") ?? "";
    const isSameHost = URL.canParse(to, request.url) && new URL(to, request.url).origin === new URL(request.url).origin;
    if (response.status === 304) return "has status 304";
    return isSameHost ? undefined : "is a redirect to another host";
  };

const notJson = "is not a JSON object";

/** Resource Manager's paths are pairs of type and name: a path that ends with a type is a list. */
export const resourceManagerFault = redirectOr(({ method, url }, response) => {
  if (!hasOneOf(response, "x-ms-request-id", "x-ms-correlation-request-id")) return "has no request ID";
  const { status } = response;
  const text = textOf(response);
  const path = pathOf(url);
  const isOperation = isOperationAt(path);
  const hasStatus = isOperation && operationStatus.test(path) && !url.includes("monitor=true");
  if (status === 202 || method === "DELETE") return text === "" || parseJson(text) !== undefined ? undefined : "is not JSON";
  if (method === "HEAD") return undefined;
  if (method === "GET" && !isOperation && status > 200) return `has status ${String(status)}`;
  if (status > 202) return undefined;
  if (text === "" && (isOperation ? !hasStatus : isStarted(response))) return undefined;
  const body = membersIn(response);
  if (body === undefined) return notJson;
  if (method === "POST" || isOperation || singleObject.test(path)) {
    if (hasStatus && typeof body["status"] !== "string") return "has no status";
    if (/\/checkNameAvailability$/i.test(path) && typeof body["nameAvailable"] !== "boolean")
      return "does not say whether the name is available";
    if (isEmpty(body)) return "is an empty object";
    if (!isOperation) return resourceFault(path, body);
    // The result of an operation is the resource itself.
    return isId(body["id"]) ? resourceFault(body["id"], body) : undefined;
  }
  if (method === "GET" && segmentsOf(path).length % 2 === 1) return listFault(body, isListed, resourceSchema(typeOf(path)));
  const { id } = body;
  if (!isId(id)) return "has no resource ID";
  if (!isNamed(id, path)) return "describes a different resource";
  return isResource(body) ? resourceFault(path, body) : "is not a resource";
});

/** "Microsoft.Network/virtualNetworks/subnets" of a path or an ID, which may end with the type or with the name. */
function typeOf(path: string): string {
  const segments = segmentsOf(path);
  const [namespace, ...rest] = segments.slice(segments.findLastIndex((segment) => sameText(segment, "providers")) + 1);
  const isScope = rest.length === 0 || sameText(namespace, "subscriptions");
  const types = (isScope ? segments : rest).filter((_, index) => index % 2 === 0);
  return isScope ? (types.at(-1) ?? "") : [namespace, ...types].join("/");
}

/** `of`: the path or the ID. */
function resourceFault(of: string, body: JsonObject): string | undefined {
  const schema = resourceSchema(typeOf(of));
  return schema && schemaFault(schema, body);
}

/**
 * The address of an operation. Its status says nothing about the resource; its result (which storage monitors) is the resource, or no body.
 * The operations of any provider are polled, because a destroy deletes resources of any type. A resource group may have such a name, too.
 */
function isOperationAt(path: string): boolean {
  return segmentsOf(path).some((type, index, all) => index % 2 === 0 && index + 1 < all.length && /operation/i.test(type));
}

const operationStatus = /\/(?:operations|\w*operationstatuses)\/[^/]+$/i;

/** Paths that end with a type, but return one object. */
const singleObject = /\/(?:roleAssignmentsUsageMetrics|kubernetesVersions)$/i;

/** Every entry has an ID or a name, which is an object in lists of quotas. The lists of permissions have neither. */
function isListed(entry: JsonObject): boolean {
  const { id, name, actions } = entry;
  if (id !== undefined) return isId(id) && isResource(entry);
  return typeof name === "string" || isJsonObject(name) || Array.isArray(actions);
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id.startsWith("/");
}

/** The members that ownership and location are read from have their type, or are absent. */
function isResource({ location, tags = {}, properties = {} }: JsonObject): boolean {
  const isText = (value: unknown) => typeof value === "string";
  return (
    (location === undefined || isText(location)) && isJsonObject(tags) && Object.values(tags).every(isText) && isJsonObject(properties)
  );
}

function isStarted(response: PipelineResponse): boolean {
  return hasOneOf(response, "azure-asyncoperation", "location");
}

/** Scopes, and the casing of types, differ between a path and the ID in its response; the last type and name do not. */
function isNamed(id: string, path: string): boolean {
  const end = (text: string) => segmentsOf(text).slice(-2).join("/");
  return sameText(end(id), end(path));
}

/** Graph's paths end with a type or a type cast if they return a list. What changes without a result has status 204. */
export const graphFault = redirectOr(({ method, url }, response) => {
  if (!hasOneOf(response, "request-id", "x-ms-ags-diagnostic")) return "has no request ID";
  if (response.status > 201) return method === "GET" ? `has status ${String(response.status)}` : undefined;
  const body = membersIn(response);
  if (body === undefined) return notJson;
  const path = pathOf(url);
  const [, type = "", ...others] = segmentsOf(path);
  const hasId = ({ id }: JsonObject) => typeof id === "string";
  const select = new URL(url).searchParams.get("$select")?.split(",") ?? (type.startsWith("applications") ? createdApplication : []);
  if ((others.length === 0 && !type.includes("(")) || path.includes("/microsoft.graph.")) {
    // A created object has the path of its list.
    if (response.status === 200) return listFault(body, hasId, directorySchema(select));
  }
  // The only question that is sent as a body.
  if (others.at(-1) === "getByIds") return listFault(body, hasId);
  if (method === "GET" && ["owners", "federatedIdentityCredentials"].includes(others.at(-1) ?? "")) {
    return listFault(body, hasId);
  }
  // A secret has an ID of its own, and is shown only here.
  if (others.at(-1) === "addPassword")
    return typeof body["keyId"] === "string" && typeof body["secretText"] === "string" ? undefined : "has no client secret";
  return hasId(body) ? schemaFault(directorySchema(select), body) : "has no object ID";
});

const createdApplication = ["appId", "displayName", "tags", "keyCredentials"];

/** The lists of a vault, by the first and the last segment of their paths. */
const vaultLists = /^\/(?:deleted)?(?:secrets|certificates|keys)(?:\/[^/]+\/versions)?\/?$/i;

export const vaultFault = redirectOr(({ method, url }, response) => {
  if (!hasOneOf(response, "x-ms-request-id", "x-ms-keyvault-service-version")) return "has no request ID";
  if (response.status > 202) return method === "GET" ? `has status ${String(response.status)}` : undefined;
  const body = membersIn(response);
  if (body === undefined) return notJson;
  const path = pathOf(url);
  if (vaultLists.test(path)) return listFault(body, ({ id, kid }) => nameIn(id ?? kid) !== undefined, vaultItem);
  const [type = "", name, action] = segmentsOf(path);
  const isOfKey = /^(?:deleted)?keys$/i.test(type);
  // The result of an operation with a key has its ID beside it, a key in it.
  const id = isOfKey ? (body["kid"] ?? (isJsonObject(body["key"]) ? body["key"]["kid"] : undefined)) : body["id"];
  if (typeof id !== "string") return "has no ID";
  if (!sameText(nameIn(id), name)) return "describes a different object";
  if (isOfKey && body["key"] === undefined) return typeof body["value"] === "string" ? undefined : "has no value";
  if (isOfKey) return schemaFault(vaultItem, body);
  if (action === "pending" || action === "create") return schemaFault(vaultOperation, body);
  const isIssued = method === "GET" && type === "certificates" && action === undefined && Boolean(body["cer"]);
  const hasValue = method !== "GET" || type !== "secrets" || typeof body["value"] === "string";
  if (!hasValue) return "has no value";
  return schemaFault(isIssued ? issuedCertificate : vaultItem, body);
});

/** The name in "https://demo.vault.azure.net/secrets/<name>/<version>". */
function nameIn(id: unknown): string | undefined {
  return typeof id === "string" && URL.canParse(id) ? segmentsOf(pathOf(id))[1] : undefined;
}

/** The documents of this program are never pages. */
export const blobFault = redirectOr(({ method, url }, response) => {
  if (!hasOneOf(response, "x-ms-request-id") || !hasOneOf(response, "x-ms-version")) return "has no headers of Azure Storage";
  if (method !== "GET") return undefined;
  if (new URL(url).searchParams.get("comp") === "list")
    return response.bodyAsText?.includes("</EnumerationResults>") ? undefined : "is not a list";
  if (!hasOneOf(response, "x-ms-blob-type")) return "has no type of a blob";
  return /^text\/html\b/i.test(response.headers.get("content-type") ?? "") ? "is an HTML page" : undefined;
});

export const signInFault = redirectOr(({ method, url }, response) => {
  const body = membersIn(response);
  if (body === undefined) return notJson;
  const path = pathOf(url);
  if (method === "POST" && /\/token$/.test(path)) return isToken(body["access_token"]) ? undefined : "has no access token";
  if (/\/openid-configuration$/.test(path)) return typeof body["token_endpoint"] === "string" ? undefined : "has no token endpoint";
  return undefined;
});

/** Whether it is a text that a header may contain. */
function isToken(value: unknown): boolean {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

function listFault(
  { value, ...body }: JsonObject,
  isEntry: (entry: JsonObject) => boolean,
  schema: z.ZodType = z.unknown(),
): string | undefined {
  if (!Array.isArray(value)) return "is not a list";
  const next = body["nextLink"] ?? body["@odata.nextLink"] ?? "";
  if (typeof next !== "string") return "has a nextLink that is not text";
  if (!value.every((entry) => isJsonObject(entry) && isEntry(entry))) return "has an entry without ID and name";
  return schemaFault(z.array(schema), value);
}

function isEmpty(body: JsonObject | undefined): boolean {
  return body === undefined || Object.keys(body).length === 0;
}

function hasOneOf({ headers }: PipelineResponse, ...names: readonly string[]): boolean {
  return names.some((name) => headers.has(name));
}

function textOf({ bodyAsText }: PipelineResponse): string {
  return bodyAsText ?? "";
}

/** Undefined if the body is not a JSON object, or if the SDKs would not read it as one because of its type. */
function membersIn(response: PipelineResponse): JsonObject | undefined {
  const type = response.headers.get("content-type") ?? "application/json";
  const body = /^(?:application|text)\/json(?:;|$)/i.test(type) ? parseJson(textOf(response)) : undefined;
  return isJsonObject(body) ? body : undefined;
}

/** The path of a URL without escapes, because an ID has none. */
function pathOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
