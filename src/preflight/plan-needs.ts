/** The actions that the steps of a plan need, by their subjects and decisions. */
import { groupWrite } from "../domain/required-actions.js";
import { rowOf } from "../domain/resource-catalogue.js";
import { parseResourceId, resourceGroupId, subscriptionScope } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Plan, PlannedStep } from "../engine/plan.js";

/** The actions that one step needs, at a resource group or a subscription. */
export interface StepNeed {
  readonly scope: string;
  /** The resource in that group on which roles are enough. */
  readonly resource?: string;
  readonly actions: readonly string[];
}

/** Empty for a step that needs none, or at a scope that is known only later. */
export function needsOf(plan: Plan, { step, decision }: PlannedStep): StepNeed[] {
  const { subject } = step;
  if (subject?.kind === "role-assignment") {
    const { type } = resourceTypes.roleAssignment;
    const resource = step.resourceId?.split(`/providers/${type}/`)[0] ?? outputId(plan, step.within);
    const scope = groupOf(resource);
    const verbs = decision.act === "replace" ? ["write", "delete"] : [decision.act === "remove" ? "delete" : "write"];
    return resource === undefined || scope === undefined ? [] : [{ scope, resource, actions: verbs.map((verb) => `${type}/${verb}`) }];
  }
  if (subject?.kind === "blob" && subject.keyOf !== undefined) {
    const { type } = resourceTypes.storageAccount;
    return [
      { scope: groupOf(subject.keyOf) ?? subject.keyOf, resource: subject.keyOf, actions: [`${type}/write`, `${type}/listKeys/action`] },
    ];
  }
  if (subject?.kind !== "resource" || step.resourceId === undefined) return [];
  const { subscriptionId } = parseResourceId(step.resourceId);
  if (subject.type === resourceTypes.resourceGroup.type) {
    return decision.act === "create" ? [{ scope: subscriptionScope(subscriptionId), actions: [groupWrite] }] : [];
  }
  const resource = step.resourceId;
  const scope = groupOf(resource);
  const verbs = rowOf(subject.type)?.use?.verbs.filter((verb) => verb !== "read") ?? [];
  return scope === undefined || verbs.length === 0 ? [] : [{ scope, resource, actions: verbs.map((verb) => `${subject.type}/${verb}`) }];
}

function groupOf(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const { subscriptionId, resourceGroup } = parseResourceId(id);
  return resourceGroup === undefined ? undefined : resourceGroupId(subscriptionId, resourceGroup);
}

/** The ID in the planned output of a step; undefined if it is known only later. */
function outputId(plan: Plan, id: string | undefined): string | undefined {
  const value = plan.steps.find(({ step }) => step.id === id)?.output?.value;
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : undefined;
}
