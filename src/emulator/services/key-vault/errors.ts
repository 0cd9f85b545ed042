/** The refusals of a vault in Azure's words, with the inner codes that clients read. */
import { ApiError, notImplemented } from "../../core/service.js";

export type Noun = "Secret" | "Certificate" | "Key";

export function notFound(noun: Noun, name: string): ApiError {
  const kind = noun.toLowerCase();
  return new ApiError(
    404,
    `${noun}NotFound`,
    `A ${kind} with (name/id) ${name} was not found in this key vault. If you recently deleted this ${kind} you may be able to recover it ` +
      "using the correct recovery command. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125182",
  );
}

export function deletedNotFound(noun: Noun, name: string): ApiError {
  return new ApiError(404, `${noun}NotFound`, `Deleted ${noun} not found: ${name}`);
}

export function pendingNotFound(name: string): ApiError {
  return new ApiError(404, "PendingCertificateNotFound", `Pending certificate not found: ${name}`);
}

/** Without a name, as Azure answers it. */
export function issuerNotFound(): ApiError {
  return new ApiError(404, "CertificateIssuerNotFound", "Issuer not found");
}

export function badParameter(message: string): ApiError {
  return new ApiError(400, "BadParameter", message);
}

export function forbidden(message: string, inner?: string): ApiError {
  return new ApiError(403, "Forbidden", message, inner === undefined ? {} : { inner });
}

export function beingDeleted(noun: Noun, name: string): ApiError {
  return conflict(`${noun} ${name} is currently being deleted.`, "ObjectIsBeingDeleted");
}

export function deletedButRecoverable(noun: Noun, name: string): ApiError {
  return conflict(
    `${noun} ${name} is currently in a deleted but recoverable state, and its name cannot be reused; ` +
      `in this state, the ${noun.toLowerCase()} can only be recovered or purged.`,
    "ObjectIsDeletedButRecoverable",
  );
}

export function conflict(message: string, inner: string): ApiError {
  return new ApiError(409, "Conflict", message, { inner });
}

export function notDeleted(noun: Noun, name: string): ApiError {
  return new ApiError(400, "MethodNotAllowed", `${noun} exists already: ${name}`, { inner: "RequestNotAllowedOnNonDeletedObject" });
}

export function notEmulated(what: string): ApiError {
  return notImplemented(`${what} is not emulated.`);
}
