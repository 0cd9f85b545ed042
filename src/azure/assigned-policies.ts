/** Finds the Azure policies that would deny or change a resource, with Azure's own check before the write. */
import { z } from "zod";
import { found } from "./long-running.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import { parseResourceId, subscriptionScope } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

export interface AssignedPolicy {
  /** ID of the assignment. */
  readonly assignment: string;
  /** ID of the definition. */
  readonly definition: string;
  /** `deny`, `modify`. */
  readonly effect: string;
}

/** What is written, in the terms of the API version. */
export interface WrittenResource {
  readonly apiVersion: string;
  readonly content: object;
  /** The alias of a property that must stay true: https://learn.microsoft.com/azure/governance/policy/concepts/definition-structure-alias. */
  readonly keepsTrue?: string;
}

const text = z.string();
const textOrNone = text.default("");
const policyReference = z.object({ policyDefinitionId: textOrNone, policyAssignmentId: textOrNone });
type PolicyReference = z.infer<typeof policyReference>;

/** A restriction of a requested field. */
const fieldRestriction = z.object({
  /** "Required", "Removed", "Deny", "Audit". */
  result: textOrNone,
  defaultValue: text.optional(),
  values: z.array(text).default([]),
  policy: policyReference,
  policyEffect: textOrNone,
});

const policyEvaluation = z.object({
  policyInfo: policyReference,
  /** "NonCompliant". */
  evaluationResult: textOrNone,
  /** "deny", "modify". */
  effectDetails: z.object({ policyEffect: textOrNone }).default({ policyEffect: "" }),
});

/** The effect of policies on a planned resource: https://learn.microsoft.com/rest/api/policyinsights/policy-restrictions. */
const restrictionsResponse = z.object({
  fieldRestrictions: z.array(z.object({ field: textOrNone, restrictions: z.array(fieldRestriction).default([]) })).default([]),
  /** The policies that the resource as a whole violates. */
  contentEvaluationResult: z.object({ policyEvaluations: z.array(policyEvaluation).default([]) }).default({ policyEvaluations: [] }),
});
type RestrictionsResponse = z.infer<typeof restrictionsResponse>;

const version = "2023-03-01";
const changing = ["deny", "modify", "append"];

/** `scope`: a subscription, or a group that may not exist. Undefined if the check is not available: no permission, or Microsoft.PolicyInsights is not registered. */
export async function policiesAgainst(
  azure: Azure,
  scope: string,
  { apiVersion, content, keepsTrue }: WrittenResource,
): Promise<AssignedPolicy[] | undefined> {
  const manager = await azure.manager();
  const question = {
    resourceDetails: { resourceContent: content, apiVersion },
    ...(keepsTrue !== undefined && { pendingFields: [{ field: keepsTrue, values: ["true"] }] }),
  };
  const ask = (at: string) =>
    manager.ask(`${at}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions`, version, question, restrictionsResponse);
  const { subscriptionId, resourceGroup } = parseResourceId(scope);
  try {
    // A new group inherits the policies of the subscription.
    const inGroup = resourceGroup === undefined ? undefined : await found(ask(scope));
    return policiesIn(inGroup ?? (await ask(subscriptionScope(subscriptionId))), keepsTrue);
  } catch (error) {
    if (["AuthorizationFailed", "MissingSubscriptionRegistration"].includes(azureCodeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** "the policy assignment /subscriptions/... of the definition /providers/... (deny)" */
export function policyText({ assignment, definition, effect }: AssignedPolicy): string {
  return `the policy assignment ${assignment} of the definition ${definition} (${effect})`;
}

/** A policy that only adds tags, for example, refuses nothing. */
function policiesIn(
  { fieldRestrictions, contentEvaluationResult: { policyEvaluations } }: RestrictionsResponse,
  field: string | undefined,
): AssignedPolicy[] {
  const ofContent = policyEvaluations
    .filter(({ evaluationResult }) => evaluationResult === "NonCompliant")
    .map(({ policyInfo, effectDetails }) => policyOf(policyInfo, effectDetails.policyEffect))
    .filter(({ effect }) => effect === "deny");
  const ofField = fieldRestrictions
    .filter((one) => sameText(one.field, field))
    .flatMap(({ restrictions }) => restrictions)
    .filter(({ result, values }) => result === "Removed" || hasTrue(values) === (result === "Deny"))
    .map(({ policy, policyEffect }) => policyOf(policy, policyEffect))
    .filter(({ effect }) => changing.includes(effect));
  const each = [...ofContent, ...ofField];
  return [...new Map(each.map((one) => [`${one.assignment} ${one.definition}`.toLowerCase(), one])).values()];
}

function hasTrue(values: readonly string[]): boolean {
  return values.some((value) => value.toLowerCase() === "true");
}

function policyOf({ policyAssignmentId, policyDefinitionId }: PolicyReference, effect: string): AssignedPolicy {
  return { assignment: policyAssignmentId, definition: policyDefinitionId, effect: effect.toLowerCase() };
}
