/** ARM's refusals in Azure's own words, one function for each code. */
import { ApiError, notImplemented } from "../core/service.js";
import { groupOf, nameOf, typeAndNamesOf } from "./resource-id.js";
import type { ResourceType } from "./resource-type.js";

export function missingApiVersion(): ApiError {
  return new ApiError(400, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.");
}

/** An api-version of a route of Resource Manager itself. */
export function invalidApiVersion(version: string, accepted: readonly string[]): ApiError {
  const list = accepted.join(",");
  return new ApiError(400, "InvalidApiVersionParameter", `The api-version '${version}' is invalid. The supported versions are '${list}'.`);
}

/** An api-version that the type does not have. */
export function noRegisteredProvider(
  { name, apiVersions }: { readonly name: string; readonly apiVersions: readonly string[] },
  version: string,
  location: string | undefined,
  locations: readonly string[],
): ApiError {
  const place = location === undefined ? "" : `location '${location}' and `;
  return new ApiError(
    400,
    "NoRegisteredProviderFound",
    `No registered resource provider found for ${place}API version '${version}' for type '${name.slice(name.indexOf("/") + 1)}'. ` +
      `The supported api-versions are '${apiVersions.join(", ")}'. The supported locations are '${locations.join(", ")}'.`,
  );
}

export function notEmulated(method: string, path: readonly string[]): ApiError {
  return notImplemented(`${method} /${path.join("/")} is not implemented by the emulator.`);
}

export function invalidSubscriptionId(subscriptionId: string): ApiError {
  return new ApiError(400, "InvalidSubscriptionId", `The provided subscription identifier '${subscriptionId}' is malformed or invalid.`);
}

export function subscriptionNotFound(subscriptionId: string): ApiError {
  return new ApiError(404, "SubscriptionNotFound", `The subscription '${subscriptionId}' could not be found.`);
}

export function readOnlyDisabledSubscription(subscriptionId: string): ApiError {
  return new ApiError(
    409,
    "ReadOnlyDisabledSubscription",
    `The subscription '${subscriptionId}' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.`,
  );
}

export function resourceGroupNotFound(name: string): ApiError {
  return new ApiError(404, "ResourceGroupNotFound", `Resource group '${name}' could not be found.`);
}

export function resourceGroupBeingDeleted(name: string): ApiError {
  return new ApiError(
    409,
    "ResourceGroupBeingDeleted",
    `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`,
  );
}

/** Contents of a storage account: Azure answers as their own service does, with the words of that service. */
export function storageNotFound(kind: "Container" | "Share" | "Queue" | "Table") {
  return (_id: string, { uuid, now }: { uuid(): string; now: number }): ApiError => {
    const words = `The specified ${kind.toLowerCase()} does not exist.`;
    return new ApiError(404, `${kind}NotFound`, `${words}\nRequestId:${uuid()}\nTime:${new Date(now).toISOString()}`);
  };
}

/** `typeAndNames` is "Microsoft.Network/virtualNetworks/a" or "Microsoft.Network/virtualNetworks/a/subnets/b". */
export function resourceNotFound(typeAndNames: string, resourceGroup: string): ApiError {
  return new ApiError(
    404,
    "ResourceNotFound",
    `The Resource '${typeAndNames}' under resource group '${resourceGroup}' was not found. ` +
      "For more details please go to https://aka.ms/ARMResourceNotFoundFix",
  );
}

/** How network and some others report a missing child whose parent exists. */
export function childNotFound(id: string): ApiError {
  return new ApiError(404, "NotFound", `Resource ${id} not found.`, { details: [] });
}

/** The message has the type without its provider. ARM itself checks every write; what else reaches a provider has its words. */
export function parentNotFound(
  verb: "read" | "write" | "delete",
  { name, missingParent }: Pick<ResourceType, "name" | "missingParent">,
  parentId: string,
): ApiError {
  if (missingParent === "as itself" && verb !== "write") return resourceNotFound(typeAndNamesOf(parentId), nameOf(groupOf(parentId) ?? ""));
  const message =
    missingParent === "by name"
      ? `Can not perform requested operation on nested resource. Parent resource '${nameOf(parentId)}' not found.`
      : `Failed to perform '${verb}' on resource(s) of type '${name.slice(name.indexOf("/") + 1)}', because the parent resource '${parentId}' could not be found.`;
  return new ApiError(404, "ParentResourceNotFound", message);
}

export function authorizationFailed(appId: string, objectId: string, action: string, scope: string): ApiError {
  return new ApiError(
    403,
    "AuthorizationFailed",
    `The client '${appId}' with object id '${objectId}' does not have authorization to perform action '${action}' over scope '${scope}' ` +
      "or the scope is invalid. If access was recently granted, please refresh your credentials.",
  );
}

export function linkedAuthorizationFailed(
  caller: { appId: string; objectId: string },
  action: string,
  scope: string,
  linkedAction: string,
  linkedScope: string,
): ApiError {
  return new ApiError(
    403,
    "LinkedAuthorizationFailed",
    `The client '${caller.appId}' with object id '${caller.objectId}' has permission to perform action '${action}' on scope '${scope}'; ` +
      `however, it does not have permission to perform action(s) '${linkedAction}' on the linked scope(s) '${linkedScope}' ` +
      "(respectively) or the linked scope(s) are invalid.",
  );
}

export function roleDefinitionDoesNotExist(id: string): ApiError {
  return new ApiError(404, "RoleDefinitionDoesNotExist", `The specified role definition with ID '${id}' does not exist.`);
}

export function missingRegistration(namespace: string): ApiError {
  const message =
    `The subscription is not registered to use namespace '${namespace}'. ` +
    "See https://aka.ms/rps-not-found for how to register subscriptions.";
  return new ApiError(409, "MissingSubscriptionRegistration", message, {
    details: [{ code: "MissingSubscriptionRegistration", target: namespace, message }],
  });
}

export function scopeLocked(id: string, verb: string, lockedScope: string): ApiError {
  return new ApiError(
    409,
    "ScopeLocked",
    `The scope '${id}' cannot perform ${verb} operation because following scope(s) are locked: '${lockedScope}'. ` +
      "Please remove the lock and try again.",
  );
}

export function invalidRequestContent(problem: string): ApiError {
  return new ApiError(400, "InvalidRequestContent", `The request content was invalid and could not be deserialized: '${problem}'.`);
}

export function invalidResourceName(name: string, type: string, rule: string): ApiError {
  return new ApiError(400, "InvalidResourceName", `Resource name ${name} is invalid for ${type}. ${rule}`);
}

export function locationRequired(): ApiError {
  return new ApiError(400, "LocationRequired", "The location property is required for this definition.");
}

export function preconditionFailed(message: string): ApiError {
  return new ApiError(412, "PreconditionFailed", message);
}

/** A second write on a locked resource: HTTP 429, but a lock and not a throttle. The distinguishing code is in `details[0]`. */
export function retryableOperationConflict(operation: string, operationId: string, resourceId: string, seconds: number): ApiError {
  const message =
    `Operation ${operation} (${operationId}) is updating resource ${resourceId}. ` +
    `The call can be retried in ${String(seconds)} seconds.`;
  return new ApiError(429, "RetryableError", "A retryable error occurred.", {
    details: [{ code: "RetryableErrorDueToAnotherOperation", message }],
    headers: { "Retry-After": String(seconds) },
  });
}

export function anotherOperationInProgress(operationUrl: string): ApiError {
  return new ApiError(
    409,
    "AnotherOperationInProgress",
    `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: ${operationUrl}.`,
    { details: [] },
  );
}
