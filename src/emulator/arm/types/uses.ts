/**
 * Which resource uses which: every `{ id }` inside a stored resource's properties is a use of another resource. The refusal of a
 * delete ("in use by"), the back-references in answers, and the references that a write requires all follow from this.
 */
import type { StoredResource, AzureState } from "../../state/state.js";
import { isWithin, keyOf, parentOf } from "../resource-id.js";
import { isRecord } from "./body-schema.js";

export interface Use {
  /** The user: the resource, or the named part of it (".../loadBalancers/x/frontendIPConfigurations/y"). */
  readonly from: string;
  /** The ID as the user wrote it. */
  readonly to: string;
}

/**
 * What can be deleted although these name it: subnets in the network rules of vaults and storage accounts, targets of alias record sets.
 * The outbound addresses of an AKS cluster are held by its load balancer.
 */
const unbinding = ["virtualNetworkRules", "targetResource", "outboundIPs", "outboundIPPrefixes"];

/** The uses inside `value`, which belongs to the resource, or to the part of one, with the ID `from`. */
export function usesWithin(from: string, value: unknown): Use[] {
  if (!isRecord(value)) {
    return [];
  }
  if (typeof value["id"] === "string") {
    // A part stored with its own ID, as in seeds copied from Azure, does not use itself.
    return "properties" in value ? usesWithin(value["id"], value["properties"]) : [{ from, to: value["id"] }];
  }
  return Object.entries(value).flatMap(([key, held]) =>
    unbinding.includes(key)
      ? []
      : Array.isArray(held)
        ? held.flatMap((item: unknown) => usesWithin(partOf(from, key, item), item))
        : usesWithin(from, held),
  );
}

function partOf(from: string, collection: string, item: unknown): string {
  return isRecord(item) && typeof item["name"] === "string" ? `${from}/${collection}/${item["name"]}` : from;
}

/** The uses of the resource `id`, or of anything below it, by resources that are not below it. */
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

/** Children of `parent` in the collection, in the order of their creation. */
export function childrenOf(state: AzureState, parent: string, collection: string): StoredResource[] {
  const prefix = keyOf(`${parent}/${collection}/`);
  return Object.entries(state.resources)
    .filter(([key]) => key.startsWith(prefix) && !key.slice(prefix.length).includes("/"))
    .map(([, resource]) => resource);
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
