/** The steps of a plan that change an AKS cluster that exists, or its agent pools. */
import { sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Plan, PlannedStep } from "../engine/plan.js";
import { resourceOf } from "../engine/step.js";

const changed = [resourceTypes.managedCluster.type, resourceTypes.agentPool.type];

/** What a rerun of an interrupted create completes or repairs, and an additional pool: nothing that runs is changed by them. */
const harmless = /^(?:provisioningState|tags\..*|agentPoolProfiles\[[^\]]*\])$/;

/** Their titles. */
export function clusterChanges({ steps }: Plan): string[] {
  return steps.filter(changesCluster).map(({ step }) => step.title);
}

function changesCluster({ step, decision }: PlannedStep): boolean {
  const type = resourceOf(step)?.type;
  if (type === undefined || !changed.some((one) => sameType(one, type))) return false;
  return "changes" in decision && decision.changes.some(({ path }) => !harmless.test(path));
}
