/** Who may do what with blobs: everybody, where account and container say so; principals, by their roles; who knows a key, where keys are taken. */
import { may, mayOnData } from "../../arm/authorization-check.js";
import { keyOf } from "../../arm/resource-id.js";
import type { Asking, Caller } from "../../core/service.js";
import type { StoredResource } from "../../state/state.js";
import { tokenAudiences, verifyAccessToken } from "../../core/access-token.js";
import { containerId } from "./blob-call.js";
import {
  keysRefused,
  networkRefused,
  notAuthenticated,
  publicAccessNotPermitted,
  resourceNotFound,
  rightMissing,
  signatureRefused,
} from "./errors.js";
import type { BlobRequest } from "./operation.js";
import { checkSignature, isDelegated } from "./shared-access-signature.js";
import { checkSharedKey } from "./shared-key.js";

const blobServices = "Microsoft.Storage/storageAccounts/blobServices";
/** The first that takes tokens: https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory. */
const firstVersionWithTokens = "2017-11-09";
const storageAudiences = tokenAudiences["https://storage.azure.com"] ?? [];

/** The sender of a token; undefined for other requests. @throws ApiError with the code of what is missing. */
export function authorize(call: Asking, account: StoredResource, asked: BlobRequest): Caller | undefined {
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
