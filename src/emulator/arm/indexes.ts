/** The indexes of resources, role assignments and operations: what a request looks up costs the same however much there is. */
import { indexOf } from "../state/index-of.js";
import type { Operation, RoleAssignment, StoredResource } from "../state/state.js";
import { keyOf, nameOf } from "./resource-id.js";
import { usesWithin } from "./types/uses-within.js";

export const resourcesByType = indexOf<StoredResource>(({ type }) => [keyOf(type)]);

/** By the lower-case ID of what they are in and their collection: "/subscriptions/.../virtualnetworks/demo/subnets". */
export const resourcesByCollection = indexOf<StoredResource>((_, id) => [id.slice(0, id.lastIndexOf("/"))]);

/** By every lower-case ID above them, and their own. */
export const resourcesByScope = indexOf<StoredResource>((_, id) => scopesOf(id));

/** By the lower-case ID of everything that they use, and by every ID above that. */
export const resourcesByUse = indexOf<StoredResource>(({ id, properties }) => [
  ...new Set(usesWithin(id, properties).flatMap(({ to }) => scopesOf(keyOf(to)))),
]);

/** By the lower-case object ID of the principal that they are or have. */
export const resourcesByPrincipal = indexOf<StoredResource>(({ properties, beside }) => {
  const { principalId } = (beside?.["identity"] ?? {}) as { principalId?: unknown };
  const found = properties["principalId"] ?? principalId;
  return typeof found === "string" ? [found.toLowerCase()] : [];
});

export const assignmentsByPrincipal = indexOf<RoleAssignment>(({ principalId }) => [keyOf(principalId)]);

/** By every lower-case ID above their scope, and the scope itself. */
export const assignmentsByScope = indexOf<RoleAssignment>(({ scope }) => scopesOf(keyOf(scope)));

/** By the lower-case GUID of their role. */
export const assignmentsByRole = indexOf<RoleAssignment>(({ roleDefinitionId }) => [keyOf(nameOf(roleDefinitionId))]);

export const operationsInProgress = indexOf<Operation>(({ status }) => (status === "InProgress" ? ["yes"] : []));

export const operationsByResource = indexOf<Operation>(({ resource }) => [resource]);

/** Of those that have ended. */
export const operationsByMinute = indexOf<Operation>(({ status, readyAt }) => (status === "InProgress" ? [] : [String(minuteOf(readyAt))]));

export const minuteOf = (time: number): number => Math.floor(time / 60_000);

/** The ID and what is above it: "/a/b/c", "/a/b", "/a". */
function scopesOf(id: string): string[] {
  const scopes: string[] = [];
  for (let end = id.length; end > 0; end = id.lastIndexOf("/", end - 1)) scopes.push(id.slice(0, end));
  return scopes;
}
