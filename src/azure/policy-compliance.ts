/** What Azure Policy says about one resource: the assignments that apply to it, and the last evaluation of each. */
import type { Azure } from "./azure.js";
import { sameId } from "../domain/resource-id.js";
import { z } from "zod";

export interface PolicyCompliance {
  readonly assignments: readonly AssignedPolicy[];
  /** How many assignments the resource does not comply with. */
  readonly nonCompliant: number;
  /** Nothing is evaluated in the first minutes, or without the extension. */
  readonly summary: "evaluated" | "not evaluated";
}

interface AssignedPolicy {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly scope: string;
  readonly compliance: "compliant" | "not compliant" | "not evaluated";
}

const assignmentsApi = "2022-06-01";
const statesApi = "2019-10-01";

const assignment = z.object({
  id: z.string(),
  name: z.string(),
  properties: z.object({ displayName: z.string().nullish(), scope: z.string().nullish() }),
});

const evaluation = z.object({ nonCompliantResources: z.number().nullish(), nonCompliantPolicies: z.number().nullish() });
const summaries = z.object({
  value: z.array(
    z.object({
      results: evaluation.nullish(),
      policyAssignments: z.array(z.object({ policyAssignmentId: z.string(), results: evaluation.nullish() })).nullish(),
    }),
  ),
});

/** `id` is the ID of the resource. Assignments of its groups and subscriptions apply to it too. */
export async function policyCompliance(azure: Azure, id: string): Promise<PolicyCompliance> {
  const manager = await azure.manager();
  const [assigned, { value }] = await Promise.all([
    manager.list(`${id}/providers/Microsoft.Authorization/policyAssignments`, assignmentsApi, (entry) => assignment.parse(entry)),
    manager.ask(`${id}/providers/Microsoft.PolicyInsights/policyStates/latest/summarize`, statesApi, {}, (body) => summaries.parse(body)),
  ]);
  const evaluated = value.flatMap(({ policyAssignments }) => policyAssignments ?? []);
  const assignments = assigned.map(({ id: assignmentId, name, properties }): AssignedPolicy => {
    const found = evaluated.find(({ policyAssignmentId }) => sameId(policyAssignmentId, assignmentId));
    const compliance = found === undefined ? "not evaluated" : failing(found.results) ? "not compliant" : "compliant";
    return { id: assignmentId, name, displayName: properties.displayName ?? "", scope: properties.scope ?? "", compliance };
  });
  return {
    assignments,
    nonCompliant: assignments.filter(({ compliance }) => compliance === "not compliant").length,
    summary: evaluated.length === 0 ? "not evaluated" : "evaluated",
  };
}

function failing(results: z.output<typeof evaluation> | null | undefined): boolean {
  return (results?.nonCompliantResources ?? 0) > 0 || (results?.nonCompliantPolicies ?? 0) > 0;
}
