/** Who may do what with blobs: everybody, where account and container say so; principals, by their roles; who knows a key, where keys are taken. */
import { may, mayOnData } from "../../arm/authorization-check.js";
import { keyOf } from "../../arm/resource-id.js";
import type { Call } from "../../service.js";
import type { StoredResource } from "../../state/state.js";
import { tokenAudiences, verifyAccessToken } from "../entra/access-token.js";
import type { BlobRequest } from "./blob-request.js";
import { keysRefused, networkRefused, notAuthenticated, publicAccessNotPermitted, resourceNotFound, rightMissing } from "./errors.js";

/** How a request that may go on proved it: Azurite checks the signatures of keys itself. */
export type Grant = "public" | "role" | "key";

const containers = "Microsoft.Storage/storageAccounts/blobServices/containers";
const storageAudiences = tokenAudiences["https://storage.azure.com"] ?? [];

/** @throws ApiError with the code of what is missing. */
export async function authorize(call: Call, account: StoredResource, asked: BlobRequest): Promise<Grant> {
  const { headers, query } = call.request;
  const { publicNetworkAccess, networkAcls, allowSharedKeyAccess } = account.properties;
  // Who is on a list of networks is not emulated: a closed account is closed for all.
  const defaultAction = (networkAcls as { defaultAction?: string } | undefined)?.defaultAction;
  if (publicNetworkAccess === "Disabled" || defaultAction === "Deny") throw networkRefused();
  const [scheme = ""] = (headers["authorization"] ?? "").split(" ");
  if (scheme.toLowerCase() === "bearer") {
    await authorizeRole(call, account, asked, headers["authorization"]?.slice("Bearer ".length).trim() ?? "");
    return "role";
  }
  if (scheme !== "" || query.has("sig")) {
    if (allowSharedKeyAccess === false) throw keysRefused();
    return "key";
  }
  authorizePublic(call, account, asked);
  return "public";
}

function authorizePublic({ state }: Call, account: StoredResource, { container, blob, comp, reads }: BlobRequest): void {
  if (!reads || container === undefined) throw notAuthenticated("NoAuthenticationInformation", state.tenantId);
  if (account.properties["allowBlobPublicAccess"] !== true) throw publicAccessNotPermitted();
  const access = state.resources[keyOf(containerId(account, container))]?.properties["publicAccess"];
  const open = access === "Container" ? comp !== "acl" : access === "Blob" && blob !== undefined;
  if (!open) throw resourceNotFound();
}

async function authorizeRole(call: Call, account: StoredResource, asked: BlobRequest, token: string): Promise<void> {
  const verified = await verifyAccessToken(call.state, token, call.now);
  if (verified.is !== "valid" || !storageAudiences.includes(verified.audience)) {
    throw notAuthenticated("InvalidAuthenticationInfo", call.state.tenantId);
  }
  const { container, blob } = asked;
  const scope = container === undefined ? account.id : containerId(account, container);
  const verb = asked.reads ? "read" : call.request.method === "DELETE" && asked.comp === "" ? "delete" : "write";
  const { objectId } = verified;
  const allowed =
    blob === undefined && asked.comp !== "list"
      ? may(call, objectId, `${containers}/${verb}`, scope)
      : container === undefined
        ? may(call, objectId, `${containers}/read`, scope)
        : mayOnData(call, objectId, asked.comp === "tags" ? `${containers}/blobs/tags/${verb}` : `${containers}/blobs/${verb}`, scope);
  if (!allowed) throw rightMissing();
}

export function containerId(account: StoredResource, container: string): string {
  return `${account.id}/blobServices/default/containers/${container}`;
}
