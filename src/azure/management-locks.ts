/** Management locks: at a subscription, a group or a resource, inherited by everything below. */
import { lockResponse } from "./arm-responses.js";
import type { Azure } from "./azure.js";
import { subscriptionScope } from "../domain/resource-id.js";

export interface ManagementLock {
  readonly id: string;
  readonly name: string;
  /** "ReadOnly" forbids writes too, "CanNotDelete" only deletes. */
  readonly level: string;
  /** The ID of what it locks. */
  readonly scope: string;
}

const marker = /\/providers\/microsoft\.authorization\/locks\/[^/]+$/i;

/** All locks of a subscription, on whatever scope. */
export async function listLocks(azure: Pick<Azure, "manager">, subscriptionId: string): Promise<ManagementLock[]> {
  const manager = await azure.manager();
  const locks = await manager.list(
    `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/locks`,
    "2020-05-01",
    lockResponse,
  );
  return locks.map(({ id, name, properties: { level } }) => ({ id, name, level, scope: id.replace(marker, "") }));
}
