/** Finds the Azure policies that would deny an issuer's storage account or turn off its public access, with Azure's own check of a resource. */
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { restrictionsResponse, type PolicyReference, type RestrictionsResponse } from "../azure/arm-responses.js";
import { resourceGroupId, subscriptionScope } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

export interface AccountPolicy {
  /** ID of the assignment. */
  readonly assignment: string;
  /** ID of the definition. */
  readonly definition: string;
  /** `deny`, `modify`. */
  readonly effect: string;
}

const version = "2023-03-01";
/** Policies name the property by its alias: https://learn.microsoft.com/azure/governance/policy/concepts/definition-structure-alias. */
const field = "Microsoft.Storage/storageAccounts/allowBlobPublicAccess";
const effects = ["deny", "modify", "append"];

/** `content` is the account's PUT. Undefined if the check is not available: no permission, or Microsoft.PolicyInsights is not registered. */
export async function policiesAgainst(
  azure: Azure,
  { subscriptionId, group }: { readonly subscriptionId: string; readonly group: string },
  content: object,
): Promise<AccountPolicy[] | undefined> {
  const manager = await azure.manager();
  const question = {
    resourceDetails: { resourceContent: content, apiVersion: "2025-01-01" },
    pendingFields: [{ field, values: ["true"] }],
  };
  const ask = (scope: string) =>
    manager.ask(`${scope}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions`, version, question, restrictionsResponse);
  try {
    // A new group inherits the policies of the subscription.
    return policiesIn((await found(ask(resourceGroupId(subscriptionId, group)))) ?? (await ask(subscriptionScope(subscriptionId))));
  } catch (error) {
    if (["AuthorizationFailed", "MissingSubscriptionRegistration"].includes(azureCodeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** "the policy assignment /subscriptions/... of the definition /providers/... (deny)" */
export function policyText({ assignment, definition, effect }: AccountPolicy): string {
  return `the policy assignment ${assignment} of the definition ${definition} (${effect})`;
}

function policiesIn({ fieldRestrictions, contentEvaluationResult: { policyEvaluations } }: RestrictionsResponse): AccountPolicy[] {
  const ofContent = policyEvaluations
    .filter(({ evaluationResult }) => evaluationResult === "NonCompliant")
    .map(({ policyInfo, effectDetails }) => policyOf(policyInfo, effectDetails.policyEffect));
  const ofField = fieldRestrictions
    .filter((one) => sameText(one.field, field))
    .flatMap(({ restrictions }) => restrictions)
    .filter(({ result, values }) => result === "Removed" || hasTrue(values) === (result === "Deny"))
    .map(({ policy, policyEffect }) => policyOf(policy, policyEffect));
  const each = [...ofContent, ...ofField].filter(({ effect }) => effects.includes(effect));
  return [...new Map(each.map((one) => [`${one.assignment} ${one.definition}`.toLowerCase(), one])).values()];
}

function hasTrue(values: readonly string[]): boolean {
  return values.some((value) => value.toLowerCase() === "true");
}

function policyOf({ policyAssignmentId, policyDefinitionId }: PolicyReference, effect: string): AccountPolicy {
  return { assignment: policyAssignmentId, definition: policyDefinitionId, effect: effect.toLowerCase() };
}
