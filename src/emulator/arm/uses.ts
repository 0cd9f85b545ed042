/** Which resource uses which, for refusals of deletes, back-references and required references. */
import type { StoredResource, AzureState } from "../state/state.js";
import { isWithin, keyOf, parentOf } from "./resource-id.js";
import { resourcesByCollection, resourcesByUse } from "./indexes.js";
import { usesWithin, type Use } from "./uses-within.js";

/** The uses of the resource `id`, or of anything below it, by resources that are not below it. */
export function usersOf(state: AzureState, id: string): Use[] {
  return resourcesByUse
    .find(state.resources, keyOf(id))
    .filter((resource) => !isWithin(resource.id, id))
    .flatMap((resource) => usesWithin(resource.id, resource.properties))
    .filter((use) => isWithin(use.to, id));
}

/** The uses of exactly the resource `id`. */
export function directUsersOf(state: AzureState, id: string): Use[] {
  return usersOf(state, id).filter((use) => sameId(use.to, id));
}

/** Children of `parent` in the collection, in the order of their creation. */
export function childrenOf(state: AzureState, parent: string, collection: string): StoredResource[] {
  return resourcesByCollection.find(state.resources, keyOf(`${parent}/${collection}`));
}

/** The parent of the child resource `id`. ARM has checked that it exists before any rule of a type runs. */
export function parentResource(state: AzureState, id: string): StoredResource {
  const parent = state.resources[keyOf(parentOf(id) ?? "")];
  if (parent === undefined) throw new Error(`nothing is stored above ${id}`);
  return parent;
}

/** IDs, names and types are compared case-insensitively: Azure's own services change the case. */
export function sameId(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}
