/** Finds the declaration of a resource type by its name. Filled once, by the service, so that generic code need not import the types. */
import type { StoredResource } from "../state/state.js";
import { defineType, type ResourceType } from "./resource-type.js";

const byName = new Map<string, ResourceType>();

export function registerTypes(types: readonly ResourceType[]): void {
  for (const type of types) byName.set(type.name.toLowerCase(), type);
}

export function registeredTypes(): ResourceType[] {
  return [...byName.values()];
}

/** Undefined for a type that is not emulated. */
export function typeNamed(name: string): ResourceType | undefined {
  if (byName.size === 0) throw new Error("no type is registered yet: service.ts registers them when it is loaded");
  return byName.get(name.toLowerCase());
}

/** The declaration of a stored resource: one seeded with an unknown type can be read, tagged and deleted. */
export function typeOfResource(resource: StoredResource): ResourceType {
  return typeNamed(resource.type) ?? foreignType(resource);
}

function foreignType({ type, location }: StoredResource): ResourceType {
  return defineType({
    name: type,
    apiVersions: [],
    verbs: ["read", "tags", "delete"],
    kind: location === undefined ? "proxy" : "tracked",
    namePattern: /./,
    nameRule: "any name",
    latency: { put: "read", delete: "read" },
  });
}
