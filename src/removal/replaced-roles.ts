/** Role assignments of identities that do not exist yet. Existing assignments with their names have other principals and are replaced. */
import type { Azure } from "../azure/azure.js";
import type { Plan, PlannedStep } from "../engine/plan.js";
import { parseResourceId, sameId } from "../domain/resource-id.js";
import { assignmentsOf, listAssignments } from "./assignments.js";

/** Sends no request if the groups do not exist yet either. */
export async function withReplacedRoles(azure: Azure, plan: Plan, infraId: string): Promise<Plan> {
  const standing = new Map(plan.steps.flatMap(({ step, live, output }) => (live === undefined ? [] : [[step.id, idIn(output?.value)]])));
  const unread = new Map(
    plan.steps.flatMap((planned) => {
      const { subject } = planned.step;
      const component = subject?.kind === "role-assignment" ? subject.component : undefined;
      const scope = standing.get(planned.step.within ?? "");
      const isUnread = planned.decision.act === "create" && !planned.isFinal;
      return isUnread && component !== undefined && scope !== undefined ? [[planned, { component, scope }] as const] : [];
    }),
  );
  if (unread.size === 0) return plan;
  const subscriptions = [...unread.values()].map(({ scope }) => parseResourceId(scope).subscriptionId);
  const live = assignmentsOf(infraId, await listAssignments(azure, subscriptions));
  const steps = plan.steps.map((planned): PlannedStep => {
    const wanted = unread.get(planned);
    const there = live.find(({ component, scope }) => component === wanted?.component && sameId(scope, wanted.scope));
    if (there === undefined) return planned;
    const change = { path: "principalId", from: there.principalId, to: "that of the new identity" };
    const why = "the assignment of that name is of a different principal; it is deleted and recreated";
    return { ...planned, decision: { act: "update", why, changes: [change] } };
  });
  return { ...plan, steps };
}

function idIn(output: unknown): string | undefined {
  return typeof output === "object" && output !== null && "id" in output && typeof output.id === "string" ? output.id : undefined;
}
