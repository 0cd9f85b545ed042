/** Checks of the role assignments that create infra makes: what its own steps would do about them. */
import type { PlannedStep } from "../../engine/plan.js";
import type { Step } from "../../engine/step.js";
import { holds, type Finding } from "../check.js";
import { inspect, type Inspection } from "../inspection.js";
import { infraChecks, type InfraCheckId } from "./checks.js";
import { fromDecision, type InfraPicture } from "./picture.js";
import { decided, type ResourceLinks } from "./resources.js";

/** The lookups that a role step may need beside its group. */
const lookups: Readonly<Record<string, InfraCheckId>> = { principals: "principals-exist", "hcp-roles": "roles-defined" };

/** `resources`: by step. */
export function roleInspections(
  picture: InfraPicture,
  steps: readonly Step<unknown>[],
  resources: ReadonlyMap<string, ResourceLinks>,
): Inspection[] {
  const looked = new Map<string, Inspection>();
  const inspections: Inspection[] = [];
  for (const step of steps) {
    const check = lookups[step.id] ?? "role-assigned";
    const needs = Object.fromEntries(
      step.needs.flatMap((id) => [[id, resources.get(id)?.exists ?? looked.get(id)] as const]).filter(isThere),
    );
    const inspection = inspect(infraChecks[check], step.title, needs, () => judge(picture, decided(picture, step)));
    if (check !== "role-assigned") looked.set(step.id, inspection);
    inspections.push(inspection);
  }
  return inspections;
}

function isThere(entry: readonly [string, Inspection | undefined]): entry is readonly [string, Inspection] {
  return entry[1] !== undefined;
}

function judge({ create }: InfraPicture, planned: PlannedStep | Finding<never>): Finding<undefined> {
  if ("holds" in planned) return planned;
  const { act } = planned.decision;
  if (act === "keep") return holds("under the name that HyperShift computes, too");
  return act === "adopt" ? holds("as needed") : fromDecision(planned.decision, create);
}
