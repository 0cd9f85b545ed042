/** What must hold for each resource: there, at rest, not failed, the cluster's, in its place, and as create infra would have it. */
import { advise } from "../../errors/advice.js";
import type { PlannedStep } from "../../engine/plan.js";
import { resourceOf, type Step } from "../../engine/step.js";
import { rewriteCommand, rowOf } from "../../domain/resource-catalogue.js";
import { busyState, failedState } from "../../steps/in-flight.js";
import { sameLocation } from "../../steps/ownership-decision.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { infraChecks } from "./checks.js";
import { differences } from "./differences.js";
import { changesText, fromDecision, idOf, type InfraSnapshot } from "./snapshot.js";

/** A resource and the inspections of it that others need. */
export interface ResourceLinks {
  readonly step: Step<unknown>;
  readonly subject: string;
  readonly exists: CheckInstance<PlannedStep>;
  /** There, at rest, ours or brought, and in its place: worth a closer look. */
  readonly sound: CheckInstance<PlannedStep>;
  /** Its last operation did what was asked: what Azure answers of it counts. */
  readonly succeeded: CheckInstance;
  /** All of the above and these, in the order they are told. */
  readonly instances: readonly CheckInstance[];
}

type Named = Readonly<Record<string, CheckInstance>>;

/** `before`: what must hold before it is missed. */
export function soundness(snapshot: InfraSnapshot, step: Step<unknown>, before: Named): ResourceLinks {
  const subject = step.title;
  const exists = checkInstance(infraChecks["resource-exists"], subject, before, () => found(snapshot, step));
  const atRest = checkInstance(infraChecks["resource-at-rest"], subject, { exists }, ({ exists: seen }) => checkRest(seen));
  const succeeded = checkInstance(infraChecks["resource-succeeded"], subject, { atRest }, ({ atRest: seen }) => checkState(seen, snapshot));
  const owned = checkInstance(infraChecks["resource-owned"], subject, { atRest }, ({ atRest: seen }) => checkOwner(seen, snapshot));
  const judged = [exists, atRest, succeeded, owned];
  const planned = snapshot.planned(step.id);
  if (planned === undefined || !isPlaced(planned)) return { step, subject, exists, sound: owned, succeeded, instances: judged };
  const located = checkInstance(infraChecks["resource-location"], subject, { owned }, ({ owned: seen }) => checkLocation(seen, snapshot));
  return { step, subject, exists, sound: located, succeeded, instances: [...judged, located] };
}

/** What is left once all that has a check of its own, and all that it needs, is as it should be. */
export function conformance(snapshot: InfraSnapshot, { step, sound, succeeded, subject }: ResourceLinks, before: Named): CheckInstance[] {
  const asWanted = checkInstance(infraChecks["resource-as-wanted"], subject, { ...before, succeeded, sound }, ({ sound: seen }) =>
    checkDecision(seen, snapshot),
  );
  const asMade = checkInstance(infraChecks["resource-as-made"], subject, { asWanted }, ({ asWanted: seen }) => checkMaking(seen));
  return snapshot.planned(step.id)?.wanted === undefined ? [asWanted] : [asWanted, asMade];
}

/**
 * What the plan says of a step, or why it says nothing.
 * @throws what Azure answered where that was a refusal.
 */
export function decided({ plan, planned: plannedOf }: InfraSnapshot, { id }: Step<unknown>): PlannedStep | Finding<never> {
  const failed = plan.failures.find(({ step }) => step === id);
  if (failed !== undefined) throw failed.failure;
  const because = plan.skipped.find(({ step }) => step === id)?.because ?? [];
  const titles = because.map((step) => plannedOf(step)?.step.title ?? step).join(", ");
  return plannedOf(id) ?? notChecked(`it follows from ${titles}, which does not hold`);
}

function found(snapshot: InfraSnapshot, step: Step<unknown>): Finding<PlannedStep> {
  const planned = decided(snapshot, step);
  if ("holds" in planned) return planned;
  if (planned.live !== undefined) return holds(idOf(planned) ?? step.resourceId ?? "there", planned);
  return fromDecision(planned.decision, snapshot.create);
}

interface Live {
  readonly location?: string;
  readonly provisioningState?: string;
  /** Of a resource group, whose state is not flattened. */
  readonly properties?: { readonly provisioningState?: string };
}

/** What all ARM resources answer. A lookup that reads several, or something else, has none of it. */
function common({ live }: PlannedStep): Live {
  return live as Live;
}

function stateOf(planned: PlannedStep): string | undefined {
  const { provisioningState, properties } = common(planned);
  return provisioningState ?? properties?.provisioningState;
}

function checkRest(planned: PlannedStep): Finding<PlannedStep> {
  const state = stateOf(planned);
  const busy = state === undefined ? undefined : busyState({ provisioningState: state });
  if (busy === undefined) return holds(state ?? "nothing is told of its state", planned);
  return broken(
    `an operation is in flight: ${busy}`,
    "wait until it has ended, which takes some minutes, and verify again: until then nothing can be said of it",
  );
}

function checkState(planned: PlannedStep, { create }: InfraSnapshot): Finding<undefined> {
  const state = stateOf(planned);
  if (state === undefined || failedState({ provisioningState: state }) === undefined) return holds(state ?? "nothing is told of its state");
  const again =
    planned.wanted === undefined
      ? rewriteCommand(rowOf(resourceOf(planned.step)?.type ?? ""), idOf(planned) ?? planned.step.resourceId ?? "")
      : create;
  return broken(
    `its last operation ended as ${state}: what Azure answers of it may not be what it does`,
    advise`${again} writes it again as it is; the activity log of its group tells why it failed`,
  );
}

function checkOwner(planned: PlannedStep, { create }: InfraSnapshot): Finding<PlannedStep> {
  const { decision, wanted } = planned;
  if (decision.act === "refuse" && decision.failure.code === "ARO-OWN-001") return fromDecision(decision, create);
  return holds(wanted === undefined ? "brought" : "ours", planned);
}

/** Whose location counts: what we make in one, and what is handed over in place of that. */
function isPlaced({ step }: PlannedStep): boolean {
  const resource = resourceOf(step);
  return resource !== undefined && resource.anywhere !== true && rowOf(resource.type)?.use?.location === "regional";
}

function checkLocation(planned: PlannedStep, { spec, create }: InfraSnapshot): Finding<PlannedStep> {
  const { location } = common(planned);
  return sameLocation(location, spec.location) ? holds(location ?? "", planned) : fromDecision(planned.decision, create);
}

function checkDecision(planned: PlannedStep, { create }: InfraSnapshot): Finding<PlannedStep> {
  const { act } = planned.decision;
  if (act === "keep" || act === "adopt") return holds(act === "keep" ? "as create infra makes it" : "used as it is", planned);
  return fromDecision(planned.decision, create);
}

function checkMaking({ live, wanted, step }: PlannedStep): Finding<undefined> {
  const changed = typeof live === "object" && live !== null && wanted !== undefined ? differences(wanted, live) : [];
  if (changed.length === 0) return holds("every value that create infra set");
  return broken(
    changesText(changed),
    `nothing here changes it back, since somebody meant it: if not, set the wanted values in the portal, or destroy ${step.title} and run create infra again`,
  );
}
