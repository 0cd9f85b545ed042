/** What Azure Policy says about one resource: the assignments that apply to it, and the last evaluation of each. */
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

interface Assignment {
  readonly id: string;
  readonly name: string;
  readonly properties?: { readonly displayName?: string | null; readonly scope?: string | null };
}

interface Evaluation {
  readonly nonCompliantResources?: number;
  readonly nonCompliantPolicies?: number;
}

interface Summary {
  readonly policyAssignments?: readonly { readonly policyAssignmentId: string; readonly results?: Evaluation }[] | null;
}

function assignmentIn(entry: unknown): Assignment {
  const { id, name } = entry as Partial<Assignment>;
  if (typeof id !== "string" || typeof name !== "string") throw new TypeError("a policy assignment has no ID");
  return entry as Assignment;
}

function summariesIn(body: unknown): readonly Summary[] {
  const { value } = (body ?? {}) as { readonly value?: unknown };
  if (!Array.isArray(value)) throw new TypeError('the summary has no member "value"');
  return value as Summary[];
}

/** `id` is the ID of the resource. Assignments of its groups and subscriptions apply to it too. */
export async function policyCompliance(azure: Azure, id: string): Promise<PolicyCompliance> {
  const manager = await azure.manager();
  const [assigned, value] = await Promise.all([
    manager.list(`${id}/providers/Microsoft.Authorization/policyAssignments`, assignmentsApi, assignmentIn),
    manager.ask(`${id}/providers/Microsoft.PolicyInsights/policyStates/latest/summarize`, statesApi, {}, summariesIn),
  ]);
  const evaluated = value.flatMap(({ policyAssignments }) => policyAssignments ?? []);
  const assignments = assigned.map(({ id: assignmentId, name, properties }): AssignedPolicy => {
    const found = evaluated.find(({ policyAssignmentId }) => sameId(policyAssignmentId, assignmentId));
    const compliance = found === undefined ? "not-evaluated" : failing(found.results) ? "not-compliant" : "compliant";
    return { id: assignmentId, name, displayName: properties?.displayName ?? "", scope: properties?.scope ?? "", compliance };
  });
  return {
    assignments,
    nonCompliant: assignments.filter(({ compliance }) => compliance === "not-compliant").length,
    summary: evaluated.length === 0 ? "not-evaluated" : "evaluated",
  };
}

function failing(results: Evaluation | null | undefined): boolean {
  return (results?.nonCompliantResources ?? 0) > 0 || (results?.nonCompliantPolicies ?? 0) > 0;
}
