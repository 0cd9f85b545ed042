/** Checks each resource of a create against its plan. */
import { advise, type OwnCommand } from "../errors/advice.js";
import type { Plan, PlannedStep } from "../engine/plan.js";
import { resourceOf, type Step } from "../engine/step.js";
import { rewriteCommand, rowOf } from "../domain/resource-catalogue.js";
import { busyState, failedState } from "../steps/provisioning-state.js";
import { hasLostTags } from "../steps/lost-tags.js";
import { sameLocation } from "../domain/location.js";
import { failed, passed, notChecked, type Check, type Finding } from "./check.js";
import { checkInstance, type CheckInstance } from "./check-instance.js";
import { keptDifferences } from "../steps/kept-differences.js";
import { changesText, fromDecision } from "./from-plan.js";
import { idOf } from "./planned-step.js";

/** The checks of any resource, in the words of its verification. */
type ResourceCheckId =
  "resource-exists" | "resource-at-rest" | "resource-succeeded" | "resource-owned" | "resource-location" | "resource-as-wanted";

export interface PlannedResources {
  readonly spec: { readonly location: string };
  /** The plan of the create; its decisions define what is correct. */
  readonly plan: Plan;
  /** The create that makes the wanted state; the advice for most failures. */
  readonly create: OwnCommand;
  readonly resourceChecks: Readonly<Record<ResourceCheckId, Check>> & {
    /** Absent if the create sets no value that it keeps when others change it. */
    readonly "resource-as-made"?: Check;
  };
  planned(step: string): PlannedStep | undefined;
}

/** A resource and its check instances that others need. */
export interface ResourceLinks {
  readonly step: Step<unknown>;
  readonly subject: string;
  readonly exists: CheckInstance<PlannedStep>;
  /** It exists, is not busy, is ours or an existing one that was passed, and is in its location. */
  readonly sound: CheckInstance<PlannedStep>;
  /** Its last operation succeeded, so its properties are reliable. */
  readonly succeeded: CheckInstance;
  /** All of them, in the order of the report. */
  readonly instances: readonly CheckInstance[];
}

type Named = Readonly<Record<string, CheckInstance>>;

/** `before`: checks that must pass before the resource is reported as missing. */
export function resourceLinks(snapshot: PlannedResources, step: Step<unknown>, before: Named): ResourceLinks {
  const subject = step.title;
  const exists = checkInstance(snapshot.resourceChecks["resource-exists"], subject, before, () => found(snapshot, step));
  const atRest = checkInstance(snapshot.resourceChecks["resource-at-rest"], subject, { exists }, ({ exists: seen }) => checkRest(seen));
  const succeeded = checkInstance(snapshot.resourceChecks["resource-succeeded"], subject, { atRest }, ({ atRest: seen }) =>
    checkState(seen, snapshot),
  );
  const owned = checkInstance(snapshot.resourceChecks["resource-owned"], subject, { atRest }, ({ atRest: seen }) =>
    checkOwner(seen, snapshot),
  );
  const general = [exists, atRest, succeeded, owned];
  const planned = snapshot.planned(step.id);
  if (planned === undefined || !isPlaced(planned)) return { step, subject, exists, sound: owned, succeeded, instances: general };
  const located = checkInstance(snapshot.resourceChecks["resource-location"], subject, { owned }, ({ owned: seen }) =>
    checkLocation(seen, snapshot),
  );
  return { step, subject, exists, sound: located, succeeded, instances: [...general, located] };
}

/** Of each resource among the steps, by step, in their order. What a step needs and cannot be predicted is reported first. */
export function linksOf(snapshot: PlannedResources, steps: readonly Step<unknown>[]): Map<string, ResourceLinks> {
  const resources = new Map<string, ResourceLinks>();
  for (const step of steps.filter((one) => resourceOf(one) !== undefined)) {
    const first = step.needs.filter((id) => id === step.within || snapshot.planned(id)?.output === undefined);
    const before = first.flatMap((id) => resources.get(id) ?? []).map((links) => [links.step.id, links.exists] as const);
    resources.set(step.id, resourceLinks(snapshot, step, Object.fromEntries(before)));
  }
  return resources;
}

/** The general comparison, after all specific checks and those of the needed resources pass. */
export function conformance(
  snapshot: PlannedResources,
  { step, sound, succeeded, subject }: ResourceLinks,
  before: Named,
): CheckInstance[] {
  const asWanted = checkInstance(
    snapshot.resourceChecks["resource-as-wanted"],
    subject,
    { ...before, succeeded, sound },
    ({ sound: seen }) => checkDecision(seen, snapshot),
  );
  const check = snapshot.resourceChecks["resource-as-made"];
  if (check === undefined || snapshot.planned(step.id)?.wanted === undefined) return [asWanted];
  return [asWanted, checkInstance(check, subject, { asWanted }, ({ asWanted: seen }) => checkMaking(seen, snapshot))];
}

/**
 * The planned step, or the reason why the plan has none.
 * @throws the failure of the step.
 */
export function decided({ plan, planned: plannedOf }: PlannedResources, { id }: Step<unknown>): PlannedStep | Finding<never> {
  const failed = plan.failures.find(({ step }) => step === id);
  if (failed !== undefined) throw failed.failure;
  const because = plan.skipped.find(({ step }) => step === id)?.because ?? [];
  const titles = because.map((step) => plannedOf(step)?.step.title ?? step).join(", ");
  return plannedOf(id) ?? notChecked(`depends on ${titles}, which could not be planned`);
}

function found(snapshot: PlannedResources, step: Step<unknown>): Finding<PlannedStep> {
  const planned = decided(snapshot, step);
  if ("passed" in planned) return planned;
  if (planned.live !== undefined) return passed(idOf(planned) ?? step.resourceId ?? "exists", planned);
  return fromDecision(planned.decision, snapshot.create);
}

interface Live {
  readonly location?: string;
  readonly provisioningState?: string;
  /** The state of a resource group is not flattened. */
  readonly properties?: { readonly provisioningState?: string };
}

/** The common properties of ARM resources; absent in the result of a lookup. */
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
  if (busy === undefined) return passed(state ?? "the resource has no provisioning state", planned);
  return failed(
    `an operation is in flight: ${busy}`,
    "wait a few minutes until it has finished, and verify again; the other checks of the resource are skipped until then",
  );
}

function checkState(planned: PlannedStep, { create }: PlannedResources): Finding<undefined> {
  const state = stateOf(planned);
  if (state === undefined || failedState({ provisioningState: state }) === undefined)
    return passed(state ?? "the resource has no provisioning state");
  const again =
    planned.wanted === undefined
      ? rewriteCommand(rowOf(resourceOf(planned.step)?.type ?? ""), idOf(planned) ?? planned.step.resourceId ?? "")
      : create;
  return failed(
    `its last operation ended as ${state}, so its properties in Azure might not be in effect`,
    advise`${again} writes it again unchanged; the activity log of its resource group shows why the operation failed`,
  );
}

function checkOwner(planned: PlannedStep, { create }: PlannedResources): Finding<PlannedStep> {
  const { decision } = planned;
  if (decision.act === "refuse" && decision.failure.code === "ARO-OWN-001") return fromDecision(decision, create);
  if (hasLostTags(common(planned))) {
    return failed(
      "it lost its ownership tags; `hypershift create infra azure` on the same cluster replaces all tags of the resources that it writes",
      advise`${create} adds them again`,
    );
  }
  if (resourceOf(planned.step)?.existing === true) return passed("existing resource that you passed", planned);
  return passed(decision.act === "use" ? "of another owner, and used as it is" : "its tags name its owner", planned);
}

/** Whether the resource must be in the cluster's location: regional resources, created or passed. */
function isPlaced({ step }: PlannedStep): boolean {
  const resource = resourceOf(step);
  return resource !== undefined && resource.anywhere !== true && rowOf(resource.type)?.use?.location === "regional";
}

function checkLocation(planned: PlannedStep, { spec, create }: PlannedResources): Finding<PlannedStep> {
  const { location } = common(planned);
  if (location === undefined) return passed("Azure does not show a location of its own", planned);
  return sameLocation(location, spec.location) ? passed(location ?? "", planned) : fromDecision(planned.decision, create);
}

function checkDecision(planned: PlannedStep, { create }: PlannedResources): Finding<PlannedStep> {
  const { act } = planned.decision;
  if (act === "keep" || act === "use") return passed(act === "keep" ? `as ${create.run} creates it` : "used unchanged", planned);
  return fromDecision(planned.decision, create);
}

function checkMaking(planned: PlannedStep, { create: { run } }: PlannedResources): Finding<undefined> {
  const { step } = planned;
  const changed = keptDifferences(planned);
  if (changed.length === 0) return passed(`every value that ${run} set`);
  return failed(
    changesText(changed),
    `${run} does not revert it, because the change may be intended; if it is not, set the wanted values in the portal, or destroy ${step.title} and rerun ${run}`,
  );
}
