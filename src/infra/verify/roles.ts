/** Checks of the role assignments of create infra, by the plan of its own steps. */
import { advise, aroHcp } from "../../errors/advice.js";
import type { PlannedStep } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, unlessFailed, type CheckInstance, type Need } from "../../verify/check-instance.js";
import { infraChecks, type InfraCheckId } from "./checks.js";
import { assignedComponents, type Plane } from "../../domain/components.js";
import { fromDecision, fromFailure } from "../../verify/from-plan.js";
import type { InfraSnapshot } from "./snapshot.js";
import { decided, type ResourceLinks } from "../../verify/planned-resources.js";

/** The check for a step: a lookup that a role assignment needs, or the role assignment itself. */
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
  const lookups = new Map<string, CheckInstance>();
  const fileSets = fileSetInstances(snapshot, steps);
  const instances: CheckInstance[] = [];
  const principalsStep = steps.find(({ subject }) => subject?.kind === "principals")?.id;
  for (const step of steps) {
    const check = checkOf(step);
    const needs = step.needs.flatMap((id): (readonly [string, Need])[] => {
      const needed = resources.get(id)?.exists ?? lookups.get(id);
      if (needed === undefined) return [];
      // A missing identity is reported once, and skips only the checks of its own roles.
      if (id === principalsStep) return isMissing(snapshot, step) ? [[id, unlessFailed(needed)]] : [];
      return [[id, needed]];
    });
    const plane = planeOf(step);
    const inputs = { ...Object.fromEntries(needs), ...(plane && { fileSet: unlessFailed(...fileSets[plane]) }) };
    const instance = checkInstance(infraChecks[check], step.title, inputs, () => checkDecision(snapshot, decided(snapshot, step)));
    if (check !== "role-assigned") lookups.set(step.id, instance);
    instances.push(instance);
  }
  return [...new Set([...fileSets.control, ...fileSets.data]), ...instances];
}

function planeOf({ subject }: Step<unknown>): Plane | undefined {
  const key = subject?.kind === "role-assignment" ? subject.component : undefined;
  return assignedComponents.find((component) => component.key === key)?.plane;
}

/** What the roles of each plane need, so that a file of another set is reported once. */
function fileSetInstances(snapshot: InfraSnapshot, steps: readonly Step<unknown>[]): Readonly<Record<Plane, readonly CheckInstance[]>> {
  const files = snapshot.spec.roles?.identities.files ?? {};
  const instancesOf = (plane: Plane, earlier: readonly CheckInstance[]) => {
    const file = files[plane];
    const decisions = steps.filter((step) => planeOf(step) === plane).flatMap((step) => snapshot.planned(step.id)?.decision ?? []);
    if (file === undefined || decisions.length === 0) return [];
    const instance = checkInstance(infraChecks["file-set"], `${plane} plane`, { earlier: unlessFailed(...earlier) }, () => {
      const failures = decisions.filter(({ act }) => act !== "create").map((one) => (one.act === "refuse" ? one.failure : undefined));
      const [first] = failures;
      const isOther = first !== undefined && failures.every((one) => one?.because === undefined && one?.message === first.message);
      return isOther ? fromFailure(first) : passed("no other identity set has the roles");
    });
    return [...earlier, instance];
  };
  const control = instancesOf("control", []);
  return { control, data: instancesOf("data", files.control === files.data ? control : []) };
}

/** Object IDs by lower-case client ID; undefined if the directory was not read. */
function principalIds({ plan }: InfraSnapshot): ReadonlyMap<unknown, unknown> | undefined {
  const ids = plan.steps.find(({ step }) => step.subject?.kind === "principals")?.output?.value;
  return ids instanceof Map ? ids : undefined;
}

/** Whether the role's identity is missing in the directory. */
function isMissing(snapshot: InfraSnapshot, step: Step<unknown>): boolean {
  const component = step.subject?.kind === "role-assignment" ? step.subject.component : undefined;
  const assignee = snapshot.spec.roles?.assignees.find((assignee) => assignee.component.key === component);
  const ids = principalIds(snapshot);
  return ids === undefined || assignee?.clientId === undefined || !ids.has(assignee.clientId.toLowerCase());
}

function checkDecision(snapshot: InfraSnapshot, planned: PlannedStep | Finding<never>): Finding<undefined> {
  if ("passed" in planned) return planned;
  const { decision } = planned;
  if (decision.act === "keep") return passed("exists, with the name that HyperShift computes");
  if (decision.act === "use") return passed("exists, with another name");
  const finding = fromDecision(decision, snapshot.create);
  const holder = decision.act === "replace" ? decision.changes.find(({ path }) => path === "principalId")?.from : undefined;
  const ours = [...(principalIds(snapshot)?.values() ?? [])];
  if (finding.passed !== false || holder === undefined || !ours.includes(holder)) return finding;
  // Either the file or Azure mixes up two identities, and create infra would trust the file.
  return failed(
    `${finding.evidence}; it belongs to another identity in the same files`,
    advise`first find out which of the two is correct: ${aroHcp("verify identities")} with the same files shows mixed-up components; if the files are correct, ${snapshot.create} assigns each identity its own roles`,
  );
}
