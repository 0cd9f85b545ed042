/** Finds the declaration of a resource type by its name, in any case. */
import type { StoredResource } from "../state/state.js";
import { defineType, type ResourceType, type TypeRegistry } from "./resource-type.js";

export function typeRegistry(all: readonly ResourceType[]): TypeRegistry {
  const byName = new Map(all.map((type) => [type.name.toLowerCase(), type]));
  const named = (name: string) => byName.get(name.toLowerCase());
  return { all, named, of: (resource) => named(resource.type) ?? foreignType(resource) };
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
