/** Indexes of resources, principals, role assignments and operations, so that no lookup depends on their number. */
import { indexOf } from "../state/index-of.js";
import type { AzureState, Operation, RoleAssignment, StoredResource } from "../state/state.js";
import type { Application } from "../state/application.js";
import { groupScopesAbove } from "./groups-above.js";
import { normalLocation } from "./locations.js";
import { keyOf, nameOf } from "./resource-id.js";
import { usesWithin } from "./uses-within.js";

export const resourcesByType = indexOf<StoredResource>(({ type }) => [keyOf(type)]);

/** The key is the lower-case path of a collection: "/subscriptions/.../virtualnetworks/demo/subnets". */
export const resourcesByCollection = indexOf<StoredResource>((_, id) => [id.slice(0, id.lastIndexOf("/"))]);

/** The keys are the lower-case ID of the resource and every ID above it. */
export const resourcesByScope = indexOf<StoredResource>((_, id) => scopesOf(id));

const resourcesByScopeAndType = indexOf<StoredResource>(({ type }, id) => scopesOf(id).map((scope) => `${scope} ${keyOf(type)}`));

/** Those of a type that are a scope or below it; "/" is above all. */
export function resourcesWithin({ resources }: AzureState, scope: string, type: string): StoredResource[] {
  const above = scopeKeyOf(scope);
  return above === "" ? resourcesByType.find(resources, keyOf(type)) : resourcesByScopeAndType.find(resources, `${above} ${keyOf(type)}`);
}

const resourcesByTypeAndName = indexOf<StoredResource>(({ type, name }) => [keyOf(`${type} ${name}`)]);

/** The first one of a type with a name, wherever it is. */
export function resourceNamed({ resources }: AzureState, type: string, name: string): StoredResource | undefined {
  return resourcesByTypeAndName.find(resources, keyOf(`${type} ${name}`))[0];
}

/** The key has subscription, type and location: see `placeOf`. */
export const resourcesByPlace = indexOf<StoredResource>(({ type, location }, id) =>
  location === undefined ? [] : [placeOf(id, type, location)],
);

/** `id` is that of a subscription, or of anything in it. */
export function placeOf(id: string, type: string, location: string): string {
  return keyOf(`${id.split("/", 3).join("/")} ${type} ${location}`);
}

/** The resources of a type in a region of a subscription. */
export function resourcesIn({ resources }: AzureState, subscription: string, type: string, location: string): StoredResource[] {
  return resourcesByPlace.find(resources, placeOf(subscription, type, normalLocation(location)));
}

/** The keys are the lower-case name of a tag, and "name=value" with the value as it is. */
export const resourcesByTag = indexOf<StoredResource>(({ tags = {} }) =>
  Object.entries(tags).flatMap(([name, value]) => [keyOf(name), `${keyOf(name)}=${value}`]),
);

/** The keys are the lower-case IDs of everything that the resource uses, and every ID above those. */
export const resourcesByUse = indexOf<StoredResource>(({ id, properties }) => [
  ...new Set(usesWithin(id, properties).flatMap(({ to }) => scopesOf(keyOf(to)))),
]);

/** The key is the lower-case object ID of the principal that the resource is or has. */
export const resourcesByPrincipal = indexOf<StoredResource>(({ properties, beside }) => {
  const { principalId } = (beside?.["identity"] ?? {}) as { principalId?: unknown };
  const found = properties["principalId"] ?? principalId;
  return typeof found === "string" ? [found.toLowerCase()] : [];
});

/** The key is the lower-case client ID of a managed identity. */
export const resourcesByClient = indexOf<StoredResource>(({ properties: { clientId } }) =>
  typeof clientId === "string" ? [clientId.toLowerCase()] : [],
);

/** The key is the lower-case object ID of the service principal. */
export const applicationsByPrincipal = indexOf<Application>(({ servicePrincipalId }) =>
  servicePrincipalId === undefined ? [] : [keyOf(servicePrincipalId)],
);

export const assignmentsByPrincipal = indexOf<RoleAssignment>(({ principalId }) => [keyOf(principalId)]);

/** The keys are the lower-case scope and every ID above it. */
export const assignmentsByScope = indexOf<RoleAssignment>(({ scope }) => scopesOf(keyOf(scope)));

const assignmentsByExactScope = indexOf<RoleAssignment>(({ scope }) => [scopeKeyOf(scope)]);

/** Those of a scope, of the scopes above it and, unless only the ones that apply `atScope` are asked for, of those below it. */
export function assignmentsAround(state: AzureState, scope: string, atScope: boolean): RoleAssignment[] {
  const { roleAssignments } = state;
  const key = scopeKeyOf(scope);
  const above = ["", ...groupScopesAbove(state, scope).reverse(), ...scopesOf(key).reverse()];
  const here = above.flatMap((one) => assignmentsByExactScope.find(roleAssignments, one));
  if (atScope) return here;
  return [...new Set([...here, ...(key === "" ? Object.values(roleAssignments) : assignmentsByScope.find(roleAssignments, key))])];
}

/** The key is the lower-case GUID of the role. */
export const assignmentsByRole = indexOf<RoleAssignment>(({ roleDefinitionId }) => [keyOf(nameOf(roleDefinitionId))]);

export const operationsInProgress = indexOf<Operation>(({ status }) => (status === "InProgress" ? ["yes"] : []));

export const operationsByResource = indexOf<Operation>(({ resource }) => [resource]);

/** Has only operations that have ended. */
export const operationsByMinute = indexOf<Operation>(({ status, readyAt }) => (status === "InProgress" ? [] : [String(minuteOf(readyAt))]));

export const minuteOf = (time: number): number => Math.floor(time / 60_000);

/** The extensions of a type, such as locks, that a scope and the scopes above it have. */
export function extensionsFrom({ resources }: AzureState, scope: string, type: string): StoredResource[] {
  return ["", ...scopesOf(scopeKeyOf(scope)).reverse()].flatMap((above) =>
    resourcesByCollection.find(resources, `${above}/providers/${keyOf(type)}`),
  );
}

/** Those and, unless only the ones that apply `atScope` are asked for, those below it. */
export function extensionsAround(state: AzureState, scope: string, type: string, atScope: boolean): StoredResource[] {
  return [...new Set([...extensionsFrom(state, scope, type), ...(atScope ? [] : resourcesWithin(state, scope, type))])];
}

/** Without a slash at its end, which "/" has. */
function scopeKeyOf(scope: string): string {
  return keyOf(scope).replace(/\/+$/, "");
}

/** The ID and what is above it: "/a/b/c", "/a/b", "/a". */
function scopesOf(id: string): string[] {
  const scopes: string[] = [];
  for (let end = id.length; end > 0; end = id.lastIndexOf("/", end - 1)) scopes.push(id.slice(0, end));
  return scopes;
}
