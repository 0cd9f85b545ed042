/** The operations that the emulator's Resource Manager declares, by name: "PUT Microsoft.Network/virtualNetworks". */
import { matchTemplate } from "../src/emulator/core/route-template.js";
import { parseResourcePath, segmentsOf } from "../src/emulator/arm/resource-id.js";
import type { ResourceType } from "../src/emulator/arm/resource-type.js";
import { emulatedTypes } from "../src/emulator/arm/types/index.js";
import { armEndpoints } from "../src/emulator/services/resource-manager/service.js";

const methodsOf = { read: ["GET", "HEAD", "list"], write: ["PUT"], tags: ["PATCH"], delete: ["DELETE"] } as const;

/** Of a type, without its parts. */
export function operationsOf({ name, verbs }: ResourceType): string[] {
  return verbs.flatMap((verb) => methodsOf[verb].map((method) => `${method} ${name}`));
}

export function operationsOfParts({ name, partLists: parts = {} }: Pick<ResourceType, "name" | "partLists">): string[] {
  return Object.entries(parts).flatMap(([part, access]) =>
    (access === "write" ? ["GET", "list", "PUT", "DELETE"] : ["GET", "list"]).map((method) => `${method} ${name}/${part}`),
  );
}

export const operations: readonly string[] = [
  ...emulatedTypes.all.flatMap((type) => [...operationsOf(type), ...operationsOfParts(type)]),
  ...armEndpoints.map(({ method, path }) => `${method} ${path}`),
].sort();

const declared = new Map(operations.map((name) => [name.toLowerCase(), name]));

/** The operation of a request; undefined if the emulator declares none. `path` may be a template of a specification. */
export function operationOf(method: string, path: string): string | undefined {
  const segments = segmentsOf(path);
  const endpoint = armEndpoints.find((one) => one.method === method && matchTemplate(one.path, segments) !== undefined);
  if (endpoint !== undefined) return `${method} ${endpoint.path}`;
  const resource = parseResourcePath(segments);
  if (resource === undefined) return undefined;
  return declared.get(`${resource.collection ? "list" : method} ${resource.type}`.toLowerCase());
}
