/** `<account>.blob.core.windows.net`: the blobs of a storage account that Azure Resource Manager knows. */
import { advance } from "../../arm/operations.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { endpointsOf } from "../../arm/types/storage/account-endpoints.js";
import { accountNamed } from "../../arm/types/storage/account-names.js";
import type { Answer, Asking, Call, Service, ApiRequest, Caller } from "../../core/service.js";
import type { ContentFiles } from "../../state/content-files.js";
import type { StoredResource } from "../../state/state.js";
import {
  notResolved,
  invalidHeaderValue,
  notEmulated,
  keysRefused,
  networkRefused,
  notAuthenticated,
  publicAccessNotPermitted,
  resourceNotFound,
  rightMissing,
  signatureRefused,
} from "./errors.js";
import { logOperation } from "../../state/operation-log.js";
import type { BlobRequest, Operation } from "./operation.js";
import { operations } from "./operation-table.js";
import { signatureParameters, checkSignature, isDelegated } from "./shared-access-signature.js";
import { may, mayOnData } from "../../arm/authorization-check.js";
import { keyOf } from "../../arm/resource-id.js";
import { tokenAudiences, verifyAccessToken } from "../../core/access-token.js";
import { containerId } from "./blob-call.js";
import { checkSharedKey } from "./shared-key.js";

const suffix = ".blob.core.windows.net";
/** What the service answers to who names no version, as everybody who reads a public blob. */
const oldestVersion = "2009-09-19";

export function blobService(files: ContentFiles): Service {
  return {
    hosts: (host) => host.endsWith(suffix),
    identify(asking) {
      advance({ ...asking, types: emulatedTypes });
      return authorize(asking, readyAccount(asking), parseBlobRequest(asking.request));
    },
    handle: (call) => handle(call, files),
  };
}

function handle(call: Call, files: ContentFiles): Answer {
  const { state, request } = call;
  const account = readyAccount(call);
  const { operation, container, blob } = parseBlobRequest(request);
  const { headers, query } = request;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const answer = operation.handle({ call, account, files, container, blob, headers, query, body, principal: call.caller?.objectId });
  const seconds = call.sample(operation.writes ? "blob.put" : "read");
  if (operation.writes)
    logOperation(state, { resource: `https://${request.host}/${request.path.join("/")}`, verb: request.method, seconds });
  return {
    ...answer,
    headers: {
      server: "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0",
      "x-ms-version": headers["x-ms-version"] ?? query.get("sv") ?? oldestVersion,
      ...answer.headers,
    },
    takes: seconds,
  };
}

function readyAccount({ state, request }: Asking): StoredResource {
  const account = accountNamed(state, request.host.slice(0, -suffix.length));
  if (account?.properties["provisioningState"] !== "Succeeded") throw notResolved(request.host);
  // Accounts of files only, and those of edge zones, have no endpoint here.
  const { primaryEndpoints } = endpointsOf(account) as { readonly primaryEndpoints: Readonly<Record<string, unknown>> };
  if (primaryEndpoints["blob"] !== `https://${request.host}/`) throw notResolved(request.host);
  return account;
}

/** Which operation a request asks for, on which container and blob; what is not emulated is refused by name. */
const commonHeaders = ["version", "date", "client-request-id", "return-client-request-id", "correlation-request-id", "useragent"];
const commonQuery = ["comp", "restype", "timeout", "api-version", ...signatureParameters];
/** They say which of several contents of a blob is meant. */
const versionQuery = ["snapshot", "versionid", "sharesnapshot"];

/** @throws ApiError 501 for what is not emulated. */
function parseBlobRequest(request: ApiRequest): BlobRequest {
  const { method, query } = request;
  const { container, blob } = resourceOf(request);
  const comp = (query.get("comp") ?? "").toLowerCase();
  const restype = query.get("restype")?.toLowerCase();
  if (container !== "" && blob === "" && restype !== "container") {
    throw notEmulated(`${method} /${container} without restype=container (a blob of the root container)`);
  }
  if (container.startsWith("$")) throw notEmulated(`The container ${container}`);
  const level = container === "" ? "service" : blob === "" ? "container" : "blob";
  const operation = operations.find(
    (one) => one.level === level && one.comp === comp && one.methods.includes(method) && (level !== "service" || one.restype === restype),
  );
  if (operation === undefined) {
    const wanted = [restype !== undefined && `restype=${restype}`, comp !== "" && `comp=${comp}`].filter(Boolean).join("&");
    throw notEmulated(`${method} of a ${level}${wanted === "" ? "" : ` with ${wanted}`}`);
  }
  refuseUnknown(request, operation);
  return { operation, container, blob };
}

function refuseUnknown({ headers, query }: ApiRequest, operation: Operation): void {
  const known = [...commonHeaders, ...(operation.headers ?? [])];
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith("x-ms-")) continue;
    const name = header.slice("x-ms-".length);
    if (header === "x-ms-blob-type" && value !== "BlockBlob") throw notEmulated(`The blob type ${value}`);
    if (!known.some((one) => (one.endsWith("-") ? name.startsWith(one) : name === one))) throw notEmulated(`The header ${header}`);
  }
  const version = headers["x-ms-version"];
  if (version !== undefined && !/^20\d\d-\d\d-\d\d$/.test(version)) throw invalidHeaderValue("x-ms-version", version);
  for (const parameter of query.keys()) {
    const name = parameter.toLowerCase();
    if (versionQuery.includes(name)) throw notEmulated(`The query parameter ${parameter}`);
    // The service itself overlooks what it does not know: addresses of public blobs carry all sorts of things.
    if (operation.writes && ![...commonQuery, ...(operation.query ?? [])].includes(name)) {
      throw notEmulated(`The query parameter ${parameter}`);
    }
  }
}

/** From the raw path: names of blobs may hold empty segments, and end in a slash. */
function resourceOf({ target }: ApiRequest): { container: string; blob: string } {
  const [, container = "", blob = ""] = /^\/([^/?]*)(?:\/([^?]*))?/.exec(target) ?? [];
  return { container: decoded(container), blob: decoded(blob) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Who may do what with blobs: everybody, where account and container say so; principals, by their roles; who knows a key, where keys are taken. */
const blobServices = "Microsoft.Storage/storageAccounts/blobServices";
/** The first that takes tokens: https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory. */
const firstVersionWithTokens = "2017-11-09";
const storageAudiences = tokenAudiences["https://storage.azure.com"] ?? [];

/** The sender of a token; undefined for other requests. @throws ApiError with the code of what is missing. */
function authorize(call: Asking, account: StoredResource, asked: BlobRequest): Caller | undefined {
  const { headers, query } = call.request;
  const { publicNetworkAccess, networkAcls, allowSharedKeyAccess } = account.properties;
  // Who is on a list of networks is not emulated: a closed account is closed for all.
  const defaultAction = (networkAcls as { defaultAction?: string } | undefined)?.defaultAction;
  if (publicNetworkAccess === "Disabled" || defaultAction === "Deny") throw networkRefused();
  const credential = headers["authorization"] ?? "";
  if (/^bearer /i.test(credential)) return authorizeToken(call, account, asked, credential.slice("Bearer ".length).trim());
  if (credential === "" && !query.has("sig")) {
    authorizePublic(call, account, asked);
    return undefined;
  }
  const byKey = credential !== "" || !isDelegated(query);
  if (byKey && allowSharedKeyAccess === false) throw keysRefused();
  if (credential !== "") checkSharedKey(call, account, credential);
  else {
    const signer = checkSignature(call, account, asked);
    if (signer !== undefined) requireRole(call, account, asked, signer);
  }
  return undefined;
}

function authorizePublic({ state }: Asking, account: StoredResource, { operation, container }: BlobRequest): void {
  if (operation.writes || container === "") throw notAuthenticated("NoAuthenticationInformation", state.tenantId);
  if (account.properties["allowBlobPublicAccess"] !== true) throw publicAccessNotPermitted();
  const access = state.resources[keyOf(containerId(account, container))]?.properties["publicAccess"];
  const open = operation.publicIn !== undefined && (access === "Container" || access === operation.publicIn);
  if (!open) throw resourceNotFound();
}

function authorizeToken(call: Asking, account: StoredResource, asked: BlobRequest, token: string): Caller {
  if ((call.request.headers["x-ms-version"] ?? "") < firstVersionWithTokens) {
    throw signatureRefused("Authentication scheme Bearer is not supported in this version.");
  }
  const verified = verifyAccessToken(call.state, token, call.now);
  if (verified.is !== "valid" || !storageAudiences.includes(verified.audience)) {
    throw notAuthenticated("InvalidAuthenticationInfo", call.state.tenantId);
  }
  requireRole(call, account, asked, verified.objectId);
  return { objectId: verified.objectId, appId: verified.appId, audience: "https://storage.azure.com" };
}

/** @throws ApiError 403 AuthorizationPermissionMismatch */
function requireRole(call: Asking, account: StoredResource, { operation, container }: BlobRequest, objectId: string): void {
  const scope = container === "" ? account.id : containerId(account, container);
  const allowed = (operation.onData ? mayOnData : may)(call, objectId, `${blobServices}/${operation.right}`, scope);
  if (!allowed) throw rightMissing();
}
