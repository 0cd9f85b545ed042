/** Role assignments that have the names of a create but other principals: they are replaced or refused. */
import type { Azure } from "../../azure/azure.js";
import type { Plan, PlannedStep, StepFailure } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import type { RoleOptions } from "../../domain/infra-spec.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { assignedTo, takenRole } from "../../azure/assigned-identities.js";
import { assignmentsOf, listAssignments, type FoundAssignment } from "../../removal/assignments.js";

/** Sends no request if the groups do not exist yet either. An assignment of an identity that exists is refused, unless it may be replaced. */
export async function withReplacedRoles(
  azure: Azure,
  plan: Plan,
  infraId: string,
  { identities }: Pick<RoleOptions, "identities">,
): Promise<Plan> {
  const unread = unreadRoles(plan.steps);
  if (unread.size === 0) return plan;
  const subscriptions = [...unread.values()].map(({ scope }) => parseResourceId(scope).subscriptionId);
  const live = assignmentsOf(infraId, await listAssignments(azure, subscriptions));
  const refusals: StepFailure[] = [];
  const steps = await Promise.all(
    plan.steps.map(async (planned): Promise<PlannedStep> => {
      const held = heldBy(unread.get(planned.step.id), live);
      if (held === undefined) return planned;
      const { id, title } = planned.step;
      const holder = identities.replace ? undefined : await assignedTo(azure, held.principalId, identities);
      if (holder === undefined) return { ...planned, decision: replacementOf(held) };
      const failure = takenRole({ assignment: title, infraId, identities, holder });
      refusals.push({ step: id, title, failure });
      return { ...planned, decision: { act: "refuse", failure } };
    }),
  );
  return { ...plan, steps, refusals: [...plan.refusals, ...refusals] };
}

interface UnreadRole {
  readonly component: string;
  /** ID of the group, which exists. */
  readonly scope: string;
}

type Planned = Pick<PlannedStep, "decision" | "live" | "output" | "isFinal"> & {
  readonly step: Pick<Step<unknown>, "id" | "subject" | "within">;
};

/** The assignments, by the ID of their step, that a plan creates without having read them: their group exists, their identity does not. */
export function unreadRoles(steps: readonly Planned[]): Map<string, UnreadRole> {
  const existing = new Map(steps.flatMap(({ step, live, output }) => (live === undefined ? [] : [[step.id, idIn(output?.value)]])));
  return new Map(
    steps.flatMap(({ step, decision, isFinal }) => {
      const component = step.subject?.kind === "role-assignment" ? step.subject.component : undefined;
      const scope = existing.get(step.within ?? "");
      const isUnread = decision.act === "create" && !isFinal;
      return isUnread && component !== undefined && scope !== undefined ? [[step.id, { component, scope }] as const] : [];
    }),
  );
}

type Held = Pick<FoundAssignment, "component" | "scope" | "principalId">;

/** The existing assignment with the name of an unread one; undefined if there is none. */
export function heldBy(wanted: UnreadRole | undefined, live: readonly Held[]): Held | undefined {
  return live.find(({ component, scope }) => component === wanted?.component && sameId(scope, wanted.scope));
}

function replacementOf(held: Held): PlannedStep["decision"] {
  const change = { path: "principalId", from: held.principalId, to: "that of the new identity" };
  return { act: "replace", why: "the assignment of that name is of a different principal", changes: [change] };
}

function idIn(output: unknown): string | undefined {
  return typeof output === "object" && output !== null && "id" in output && typeof output.id === "string" ? output.id : undefined;
}
