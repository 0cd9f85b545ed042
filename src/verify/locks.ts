/** The check for management locks, which also stop who has every role. */
import type { Azure } from "../azure/azure.js";
import { deletionOf, listLocks, locksText } from "../azure/management-locks.js";
import { isWithin } from "../domain/resource-id.js";
import { advise } from "../errors/advice.js";
import { failed, passed, type Finding } from "./check.js";

/** On one of the resources, above it or below it. `before` is what the lock stops: "you create or destroy the cluster". */
export async function checkLocks(
  azure: Azure,
  subscriptionId: string,
  ids: readonly string[],
  before: string,
): Promise<Finding<undefined>> {
  const all = await listLocks(azure, subscriptionId);
  const found = all.filter(({ scope }) => ids.some((id) => isWithin(id, scope) || isWithin(scope, id)));
  return found.length === 0 ? passed("none") : failed(locksText(found), advise`delete the lock before ${before}: ${deletionOf(found)}`);
}
