/** Refusals of the blob service in its own words. */
import { ApiError, notImplemented } from "../../core/service.js";

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

const refusal =
  (status: number, code: string, message: string) =>
  (beside?: Record<string, unknown>): ApiError =>
    new ApiError(status, code, message, beside && { beside });

export const publicAccessNotPermitted = refusal(409, "PublicAccessNotPermitted", "Public access is not permitted on this storage account.");
/** The answer to an anonymous request for a container that is not public, whether it exists or not. */
export const resourceNotFound = refusal(404, "ResourceNotFound", "The specified resource does not exist.");
export const networkRefused = refusal(403, "AuthorizationFailure", "This request is not authorized to perform this operation.");
/** The signature allows to create blobs, not to write them. */
export const overwriteRefused = refusal(403, "UnauthorizedBlobOverwrite", "This request is not authorized to perform blob overwrites.");
export const keysRefused = refusal(
  403,
  "KeyBasedAuthenticationNotPermitted",
  "Key based authentication is not permitted on this storage account.",
);
export const rightMissing = refusal(
  403,
  "AuthorizationPermissionMismatch",
  "This request is not authorized to perform this operation using this permission.",
);
export const wrongService = refusal(
  403,
  "AuthorizationServiceMismatch",
  "This request is not authorized to perform this operation using this service.",
);
export const wrongResourceType = refusal(
  403,
  "AuthorizationResourceTypeMismatch",
  "This request is not authorized to perform this operation using this resource type.",
);
const authenticationFailed = refusal(
  403,
  "AuthenticationFailed",
  "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.",
);
export const signatureRefused = (AuthenticationErrorDetail: string): ApiError => authenticationFailed({ AuthenticationErrorDetail });

export const containerNotFound = refusal(404, "ContainerNotFound", "The specified container does not exist.");
export const containerAlreadyExists = refusal(409, "ContainerAlreadyExists", "The specified container already exists.");
export const blobNotFound = refusal(404, "BlobNotFound", "The specified blob does not exist.");
export const blobAlreadyExists = refusal(409, "BlobAlreadyExists", "The specified blob already exists.");
export const blobArchived = refusal(409, "BlobArchived", "This operation is not permitted on an archived blob.");
export const conditionNotMet = refusal(412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");
export const unsatisfiableCondition = refusal(
  400,
  "UnsatisfiableCondition",
  "The request includes an unsatisfiable condition for this operation.",
);
export const multipleConditions = refusal(400, "MultipleConditionHeadersNotSupported", "Multiple condition headers are not supported.");
export const invalidResourceName = refusal(400, "InvalidResourceName", "The specified resource name contains invalid characters.");
export const nameOutOfRange = refusal(400, "OutOfRangeInput", "The specified resource name length is not within the permissible limits.");
/** `size` of the blob. */
export function invalidRange(size: number): ApiError {
  const headers = { "content-range": `bytes */${size}` };
  return new ApiError(416, "InvalidRange", "The range specified is invalid for the current size of the resource.", { headers });
}
export const invalidBlockList = refusal(400, "InvalidBlockList", "The specified block list is invalid.");
export const invalidBlock = refusal(400, "InvalidBlobOrBlock", "The specified blob or block content is invalid.");
export const tooManyBlocks = refusal(
  409,
  "BlockCountExceedsLimit",
  "The uncommitted block count cannot exceed the maximum limit of 100,000 blocks.",
);
export const invalidMetadata = refusal(
  400,
  "InvalidMetadata",
  "The metadata specified is invalid. It has characters that are not permitted.",
);
export const invalidTags = refusal(400, "InvalidTag", "The tags specified are invalid. It contains characters that are not permitted.");
export const tagsTooLarge = refusal(400, "TagsTooLarge", "The tags specified exceed the maximum permissible limit.");
export const invalidXmlDocument = refusal(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
export const md5Mismatch = refusal(
  400,
  "Md5Mismatch",
  "The MD5 value specified in the request did not match with the MD5 value calculated by the server.",
);
export const invalidMd5 = refusal(
  400,
  "InvalidMd5",
  "The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64 encoded.",
);
const invalidHeader = refusal(400, "InvalidHeaderValue", "The value for one of the HTTP headers is not in the correct format.");
export const invalidHeaderValue = (HeaderName: string, HeaderValue: string): ApiError => invalidHeader({ HeaderName, HeaderValue });
const missingHeader = refusal(400, "MissingRequiredHeader", "An HTTP header that's mandatory for this request is not specified.");
export const missingRequiredHeader = (HeaderName: string): ApiError => missingHeader({ HeaderName });
const invalidQuery = refusal(
  400,
  "InvalidQueryParameterValue",
  "Value for one of the query parameters specified in the request URI is invalid.",
);
export const invalidQueryValue = (QueryParameterName: string, QueryParameterValue: string, Reason: string): ApiError =>
  invalidQuery({ QueryParameterName, QueryParameterValue, Reason });
export const queryOutOfRange = refusal(
  400,
  "OutOfRangeQueryParameterValue",
  "One of the query parameters specified in the request URI is outside the permissible range.",
);
const invalidNode = refusal(400, "InvalidXmlNodeValue", "The value for one of the XML nodes is not in the correct format.");
export const invalidXmlNodeValue = (XmlNodeName: string, XmlNodeValue: string): ApiError => invalidNode({ XmlNodeName, XmlNodeValue });

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
