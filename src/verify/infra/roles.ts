/** Checks of the role assignments that create infra makes: what its own steps would do about them. */
import { advise, aroHcp } from "../../errors/advice.js";
import type { PlannedStep } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import { broken, holds, notCheckedFor, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { infraChecks, type InfraCheckId } from "./checks.js";
import { fromDecision, type InfraSnapshot } from "./snapshot.js";
import { decided, type ResourceLinks } from "./resources.js";

/** The check of a step by what it is about: the lookups that a role step may need beside its group, and the role itself. */
function checkOf({ subject }: Step<unknown>): InfraCheckId {
  if (subject?.kind === "principals") return "principals-exist";
  return subject?.kind === "role-definitions" ? "roles-defined" : "role-assigned";
}

/** `resources`: by step. */
export function roleCheckInstances(
  snapshot: InfraSnapshot,
  steps: readonly Step<unknown>[],
  resources: ReadonlyMap<string, ResourceLinks>,
): CheckInstance[] {
  const looked = new Map<string, CheckInstance>();
  const instances: CheckInstance[] = [];
  const principalsStep = steps.find(({ subject }) => subject?.kind === "principals")?.id;
  for (const step of steps) {
    const check = checkOf(step);
    // An identity that is missing is told once, and holds up its own roles alone.
    const needed = step.needs.filter((id) => id !== principalsStep);
    const needs = Object.fromEntries(needed.flatMap((id) => [[id, resources.get(id)?.exists ?? looked.get(id)] as const]).filter(isThere));
    const principals = principalsStep !== undefined && step.needs.includes(principalsStep) ? looked.get(principalsStep) : undefined;
    const instance = checkInstance(
      infraChecks[check],
      step.title,
      needs,
      (_up, results) => {
        const told = Object.values(results).find(({ result }) => result.state === "failed")?.result;
        return told !== undefined && isMissing(snapshot, step) ? notCheckedFor(told) : decideOwned(snapshot, decided(snapshot, step));
      },
      principals === undefined ? {} : { principals },
    );
    if (check !== "role-assigned") looked.set(step.id, instance);
    instances.push(instance);
  }
  return instances;
}

/** Object ids by client id in lower case; undefined where the directory was not read. */
function principalIds({ plan }: InfraSnapshot): ReadonlyMap<unknown, unknown> | undefined {
  const ids = plan.steps.find(({ step }) => step.subject?.kind === "principals")?.output?.value;
  return ids instanceof Map ? ids : undefined;
}

/** Whether the directory does not know the identity that the role is for. */
function isMissing(snapshot: InfraSnapshot, step: Step<unknown>): boolean {
  const component = step.subject?.kind === "role-assignment" ? step.subject.component : undefined;
  const assignee = snapshot.spec.roles?.assignees.find((assignee) => assignee.component.key === component);
  const ids = principalIds(snapshot);
  return ids === undefined || assignee?.clientId === undefined || !ids.has(assignee.clientId.toLowerCase());
}

function isThere(entry: readonly [string, CheckInstance | undefined]): entry is readonly [string, CheckInstance] {
  return entry[1] !== undefined;
}

function decideOwned(snapshot: InfraSnapshot, planned: PlannedStep | Finding<never>): Finding<undefined> {
  if ("holds" in planned) return planned;
  const { decision } = planned;
  if (decision.act === "keep") return holds("under the name that HyperShift computes, too");
  if (decision.act === "adopt") return holds("as needed");
  const finding = fromDecision(decision, snapshot.create);
  const holder = decision.act === "update" ? decision.changes.find(({ path }) => path === "principalId")?.from : undefined;
  const ours = [...(principalIds(snapshot)?.values() ?? [])];
  if (finding.holds !== false || holder === undefined || !ours.includes(holder)) return finding;
  // Of two that are crossed, either file or Azure is wrong: create infra would believe the file.
  return broken(
    `${finding.evidence}; it is held by another identity of the same files`,
    advise`find out first which of the two is right: ${aroHcp("verify identities")} with the same files shows where they mix up components; if the files are right, ${snapshot.create} assigns each its own roles`,
  );
}
