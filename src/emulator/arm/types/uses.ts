/**
 * Who uses whom: every `{ id }` inside a stored resource's properties is a use of another resource. What refuses a delete ("in use by"),
 * what a resource answers about its users, and what a write must find in place all follow from this.
 */
import type { StoredResource, AzureState } from "../../state/state.js";
import { isWithin, keyOf, parentOf } from "../resource-id.js";
import { isRecord } from "./body-schema.js";

export interface Use {
  /** The user: the resource, or the named part of it (".../loadBalancers/x/frontendIPConfigurations/y"). */
  readonly from: string;
  /** The id as it was written by the user. */
  readonly to: string;
}

/** The uses inside `value`, which belongs to the resource, or part of one, with the id `from`. */
export function usesWithin(from: string, value: unknown): Use[] {
  if (!isRecord(value)) {
    return [];
  }
  if (typeof value["id"] === "string") {
    // A part that was stored with its id, as seeds copied from Azure have it, is not a use of itself.
    return "properties" in value ? usesWithin(value["id"], value["properties"]) : [{ from, to: value["id"] }];
  }
  return Object.entries(value).flatMap(([key, held]) =>
    Array.isArray(held) ? held.flatMap((item: unknown) => usesWithin(partOf(from, key, item), item)) : usesWithin(from, held),
  );
}

function partOf(from: string, collection: string, item: unknown): string {
  return isRecord(item) && typeof item["name"] === "string" ? `${from}/${collection}/${item["name"]}` : from;
}

/** The uses of the resource `id`, or of anything below it, by resources that are not below it themselves. */
export function usersOf(state: AzureState, id: string): Use[] {
  return Object.values(state.resources)
    .filter((resource) => !isWithin(resource.id, id))
    .flatMap((resource) => usesWithin(resource.id, resource.properties))
    .filter((use) => isWithin(use.to, id));
}

/** The uses of exactly the resource `id`. */
export function directUsersOf(state: AzureState, id: string): Use[] {
  return usersOf(state, id).filter((use) => sameId(use.to, id));
}

/** Children of `parent` in the collection, in the order they were made. */
export function childrenOf(state: AzureState, parent: string, collection: string): StoredResource[] {
  const prefix = keyOf(`${parent}/${collection}/`);
  return Object.entries(state.resources)
    .filter(([key]) => key.startsWith(prefix) && !key.slice(prefix.length).includes("/"))
    .map(([, resource]) => resource);
}

/** The parent of the child resource `id`, which ARM has found before any rule of a type is asked. */
export function parentResource(state: AzureState, id: string): StoredResource {
  const parent = state.resources[keyOf(parentOf(id) ?? "")];
  if (parent === undefined) throw new Error(`nothing is stored above ${id}`);
  return parent;
}

/** Ids, names and types are compared without case: Azure's own services change it. */
export function sameId(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}
