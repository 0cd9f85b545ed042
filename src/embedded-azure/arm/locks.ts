/** Management locks: resources of type Microsoft.Authorization/locks at a scope, which can be seeded and are then obeyed. */
import type { World } from "../world/world.js";
import { scopeLocked } from "./errors.js";
import { isWithin } from "./resource-id.js";

const lockType = "microsoft.authorization/locks";
const marker = "/providers/microsoft.authorization/locks/";

export function isLock(type: string): boolean {
  return type.toLowerCase() === lockType;
}

/** The scope of a lock that forbids this verb on `id`: CanNotDelete forbids deletes, ReadOnly deletes and writes. */
function lockedScope(world: World, id: string, verb: "write" | "delete"): string | undefined {
  for (const [key, lock] of Object.entries(world.resources)) {
    if (!isLock(lock.type)) continue;
    const scope = lock.id.slice(0, key.lastIndexOf(marker));
    const forbids = lock.properties["level"] === "ReadOnly" || verb === "delete";
    if (forbids && isWithin(id, scope)) return scope;
  }
  return undefined;
}

/** Throws ScopeLocked where a lock on the resource or on anything above it forbids the verb. */
export function checkLocks(world: World, id: string, verb: "write" | "delete"): void {
  const scope = lockedScope(world, id, verb);
  if (scope !== undefined) throw scopeLocked(id, verb, scope);
}
