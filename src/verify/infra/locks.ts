/** The check of management locks: they stop create, destroy and the cluster's own controllers, each in the middle of its work. */
import { lockAnswer } from "../../files/arm-answers.js";
import { isWithin, subscriptionScope } from "../../infra/resource-id.js";
import { broken, holds } from "../check.js";
import { inspect, type Inspection } from "../inspection.js";
import { infraChecks } from "./checks.js";
import { idOf, type InfraPicture } from "./picture.js";

const marker = /\/providers\/microsoft\.authorization\/locks\/[^/]+$/i;

export function noLocks(picture: InfraPicture): Inspection<undefined> {
  return inspect(infraChecks["no-locks"], `cluster ${picture.spec.cluster.infraId}`, {}, async () => {
    const ids = picture.plan.steps.flatMap((planned) => planned.step.resourceId ?? idOf(planned) ?? []).filter((id) => id !== "");
    const manager = await picture.azure.manager();
    const path = `${subscriptionScope(picture.spec.subscriptionId)}/providers/Microsoft.Authorization/locks`;
    const locks = (await manager.list(path, "2016-09-01", lockAnswer)).filter(({ id }) => {
      const scope = id.replace(marker, "");
      return ids.some((resource) => isWithin(resource, scope) || isWithin(scope, resource));
    });
    if (locks.length === 0) return holds("none");
    return broken(
      locks.map(({ name, id, properties: { level } }) => `"${name}" (${level}) on ${id.replace(marker, "")}`).join("; "),
      `take it away before the cluster is created or destroyed: ${locks.map(({ id }) => `\`az lock delete --ids ${id}\``).join(", ")}`,
    );
  });
}
