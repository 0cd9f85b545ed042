/** Checks for management locks, which interrupt create, destroy and the cluster's own controllers. */
import { advise, joinAdvice, shell } from "../../errors/advice.js";
import { lockResponse } from "../../azure/arm-responses.js";
import { isWithin, subscriptionScope } from "../../domain/resource-id.js";
import { failed, passed } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { infraChecks } from "./checks.js";
import { idOf, type InfraSnapshot } from "./snapshot.js";

const marker = /\/providers\/microsoft\.authorization\/locks\/[^/]+$/i;

export function noLocks(snapshot: InfraSnapshot): CheckInstance<undefined> {
  return checkInstance(infraChecks["no-locks"], `cluster ${snapshot.spec.cluster.infraId}`, {}, async () => {
    const ids = snapshot.plan.steps.flatMap((planned) => planned.step.resourceId ?? idOf(planned) ?? []).filter((id) => id !== "");
    const manager = await snapshot.azure.manager();
    const path = `${subscriptionScope(snapshot.spec.subscriptionId)}/providers/Microsoft.Authorization/locks`;
    const locks = (await manager.list(path, "2016-09-01", lockResponse)).filter(({ id }) => {
      const scope = id.replace(marker, "");
      return ids.some((resource) => isWithin(resource, scope) || isWithin(scope, resource));
    });
    if (locks.length === 0) return passed("none");
    return failed(
      locks.map(({ name, id, properties: { level } }) => `"${name}" (${level}) on ${id.replace(marker, "")}`).join("; "),
      advise`delete the lock before you create or destroy the cluster: ${joinAdvice(
        locks.map(({ id }) => shell`az lock delete --ids ${id}`),
        ", ",
      )}`,
    );
  });
}
