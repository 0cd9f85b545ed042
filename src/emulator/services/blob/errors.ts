/** Refusals of the blob service in its own words. Those of what Azurite checks come from Azurite. */
import { ApiError, notImplemented } from "../../service.js";

export function notEmulated(what: string): ApiError {
  return notImplemented(`${what} of the blob service is not emulated.`);
}

/** The name of an account that is not there, or not yet ready, cannot be resolved: to a client behind a proxy that is a 502. */
export function notResolved(host: string): ApiError {
  return new ApiError(
    502,
    "HostNotResolved",
    `The host name '${host}' cannot be resolved: there is no such storage account, or it is not ready.`,
  );
}

export function publicAccessNotPermitted(): ApiError {
  return new ApiError(409, "PublicAccessNotPermitted", "Public access is not permitted on this storage account.");
}

/** What a stranger is told of a container that is not public: not even whether it is there. */
export function resourceNotFound(): ApiError {
  return new ApiError(404, "ResourceNotFound", "The specified resource does not exist.");
}

export function networkRefused(): ApiError {
  return new ApiError(403, "AuthorizationFailure", "This request is not authorized to perform this operation.");
}

export function keysRefused(): ApiError {
  return new ApiError(403, "KeyBasedAuthenticationNotPermitted", "Key based authentication is not permitted on this storage account.");
}

export function rightMissing(): ApiError {
  return new ApiError(
    403,
    "AuthorizationPermissionMismatch",
    "This request is not authorized to perform this operation using this permission.",
  );
}

/** `code` is NoAuthenticationInformation for none, InvalidAuthenticationInfo for one that is not taken. */
export function notAuthenticated(code: "NoAuthenticationInformation" | "InvalidAuthenticationInfo", tenantId: string): ApiError {
  const challenge = `Bearer authorization_uri=https://login.microsoftonline.com/${tenantId}/oauth2/authorize resource_id=https://storage.azure.com`;
  return new ApiError(
    401,
    code,
    "Server failed to authenticate the request. Please refer to the information in the www-authenticate header.",
    { headers: { "www-authenticate": challenge } },
  );
}
