/** Checks for what stops controllers and commands despite their roles: deny assignments and management locks. */
import { listDenyAssignments } from "../../azure/deny-assignments.js";
import type { LiveAssignment } from "../steps/role-assignments.js";
import { checkDenials, type GivenRole } from "../../verify/denied-roles.js";
import { checkLocks } from "../../verify/locks.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { infraChecks } from "./checks.js";
import { idOf } from "../../verify/from-plan.js";
import type { InfraSnapshot } from "./snapshot.js";

export function obstacleChecks(snapshot: InfraSnapshot): CheckInstance<undefined>[] {
  const { azure, spec, plan } = snapshot;
  const subject = `cluster ${spec.cluster.infraId}`;
  const ids = plan.steps.flatMap((planned) => planned.step.resourceId ?? idOf(planned) ?? []).filter((id) => id !== "");
  const denials = checkInstance(infraChecks["deny-assignments"], subject, {}, async () => {
    const all = await listDenyAssignments(azure, spec.subscriptionId);
    return checkDenials(all, all.length === 0 ? [] : await givenRoles(snapshot), ids);
  });
  const locks = checkInstance(infraChecks["no-locks"], subject, {}, () =>
    checkLocks(azure, spec.subscriptionId, ids, "you create or destroy the cluster"),
  );
  return [denials, locks];
}

/** The role assignments that exist. */
async function givenRoles({ azure, plan }: InfraSnapshot): Promise<GivenRole[]> {
  const assigned = plan.steps.flatMap(({ step: { subject }, live }) => {
    if (subject?.kind !== "role-assignment" || live === undefined) return [];
    const { named, equal } = live as LiveAssignment;
    const { principalId = "", scope = "", roleDefinitionId = "" } = named ?? equal ?? {};
    return [{ component: subject.component ?? "", objectId: principalId, scope, roleDefinitionId }];
  });
  const { roleDefinitions } = await azure.authorization();
  const ids = [...new Set(assigned.map(({ roleDefinitionId }) => roleDefinitionId))];
  const roles = new Map(await Promise.all(ids.map(async (id) => [id, await roleDefinitions.getById(id)] as const)));
  return assigned.map(({ roleDefinitionId, ...role }) => ({ ...role, permissions: roles.get(roleDefinitionId)?.permissions }));
}
