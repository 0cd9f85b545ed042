/** Graph's refusals in its own words, one function for each code. */
import { ApiError, notImplemented } from "../../core/service.js";

export function badRequest(message: string, code = "Request_BadRequest"): ApiError {
  return new ApiError(400, code, message);
}

export function invalidValue(property: string, entity: string): ApiError {
  return badRequest(`Invalid value specified for property '${property}' of resource '${entity}'.`);
}

export function notFound(value: string): ApiError {
  return new ApiError(
    404,
    "Request_ResourceNotFound",
    `Resource '${value}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

export function denied(message = "Insufficient privileges to complete the operation."): ApiError {
  return new ApiError(403, "Authorization_RequestDenied", message);
}

/** Graph answers 400, not 409, even if a soft-deleted object has the value (msgraph-bicep-types#137). */
export function conflicting(property: string): ApiError {
  const message = `Another object with the same value for property ${property} already exists.`;
  return new ApiError(400, "Request_BadRequest", message, { details: [{ code: "ObjectConflict", message, target: property }] });
}

export function notEmulated(what: string): ApiError {
  return notImplemented(`${what} of Graph is not emulated.`);
}
