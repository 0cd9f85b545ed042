/** What Azure Policy says about one resource: the assignments that apply to it, and the last evaluation of each. */
import { z } from "zod";
import type { Azure } from "./azure.js";
import { sameId } from "../domain/resource-id.js";

export interface PolicyCompliance {
  readonly assignments: readonly AssignedPolicy[];
  /** How many assignments the resource does not comply with. */
  readonly nonCompliant: number;
  /** Nothing is evaluated in the first minutes, or without the extension. */
  readonly summary: "evaluated" | "not-evaluated";
}

interface AssignedPolicy {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly scope: string;
  readonly compliance: "compliant" | "not-compliant" | "not-evaluated";
}

const assignmentsApi = "2022-06-01";
const statesApi = "2019-10-01";

const text = z.string();

/** https://learn.microsoft.com/rest/api/policy/policy-assignments/list-for-resource */
const policyAssignmentResponse = z.object({
  id: text,
  name: text,
  properties: z.object({ displayName: text.nullish(), scope: text.nullish() }).optional(),
});

const evaluation = z.object({ nonCompliantResources: z.number().optional(), nonCompliantPolicies: z.number().optional() });
type Evaluation = z.infer<typeof evaluation>;

/** The last evaluations: https://learn.microsoft.com/rest/api/policyinsights/policy-states/summarize-for-resource. */
const policySummaryResponse = z.object({
  value: z.array(
    z.object({ policyAssignments: z.array(z.object({ policyAssignmentId: text, results: evaluation.optional() })).nullish() }),
  ),
});

/** `id` is the ID of the resource. Assignments of its groups and subscriptions apply to it too. */
export async function policyCompliance(azure: Azure, id: string): Promise<PolicyCompliance> {
  const manager = await azure.manager();
  const [assigned, { value }] = await Promise.all([
    manager.list(`${id}/providers/Microsoft.Authorization/policyAssignments`, assignmentsApi, policyAssignmentResponse),
    manager.ask(`${id}/providers/Microsoft.PolicyInsights/policyStates/latest/summarize`, statesApi, {}, policySummaryResponse),
  ]);
  const evaluated = value.flatMap(({ policyAssignments }) => policyAssignments ?? []);
  const assignments = assigned.map(({ id: assignmentId, name, properties }): AssignedPolicy => {
    const found = evaluated.find(({ policyAssignmentId }) => sameId(policyAssignmentId, assignmentId));
    const compliance = found === undefined ? "not-evaluated" : isFailing(found.results) ? "not-compliant" : "compliant";
    return { id: assignmentId, name, displayName: properties?.displayName ?? "", scope: properties?.scope ?? "", compliance };
  });
  return {
    assignments,
    nonCompliant: assignments.filter(({ compliance }) => compliance === "not-compliant").length,
    summary: evaluated.length === 0 ? "not-evaluated" : "evaluated",
  };
}

function isFailing({ nonCompliantResources = 0, nonCompliantPolicies = 0 }: Evaluation = {}): boolean {
  return nonCompliantResources > 0 || nonCompliantPolicies > 0;
}
