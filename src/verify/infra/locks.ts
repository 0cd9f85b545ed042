/** Checks for management locks, which interrupt create, destroy and the cluster's own controllers. */
import { advise } from "../../errors/advice.js";
import { deletionOf, listLocks, locksText } from "../../azure/management-locks.js";
import { isWithin } from "../../domain/resource-id.js";
import { failed, passed } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { infraChecks } from "./checks.js";
import { idOf } from "../from-plan.js";
import type { InfraSnapshot } from "./snapshot.js";

export function noLocks(snapshot: InfraSnapshot): CheckInstance<undefined> {
  return checkInstance(infraChecks["no-locks"], `cluster ${snapshot.spec.cluster.infraId}`, {}, async () => {
    const ids = snapshot.plan.steps.flatMap((planned) => planned.step.resourceId ?? idOf(planned) ?? []).filter((id) => id !== "");
    const all = await listLocks(snapshot.azure, snapshot.spec.subscriptionId);
    const locks = all.filter(({ scope }) => ids.some((resource) => isWithin(resource, scope) || isWithin(scope, resource)));
    if (locks.length === 0) return passed("none");
    return failed(locksText(locks), advise`delete the lock before you create or destroy the cluster: ${deletionOf(locks)}`);
  });
}
