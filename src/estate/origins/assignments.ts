/** Finds the role assignments of a cluster by the names that aro-hcp and hypershift compute. */
import { assignedComponents } from "../../domain/components.js";
import { documentedId } from "../../domain/resource-id.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import type { Assignment } from "../domain/estate.js";

/** By infra ID. A name contains its scope: with few scopes and thousands of assignments, to compute the names is cheaper than to compare all. */
export function assignmentsByInfraId(assignments: readonly Assignment[]): (infraId: string) => readonly Assignment[] {
  const byName = new Map(assignments.map((one) => [one.name.toLowerCase(), one]));
  // Azure may return a scope with different casing.
  const scopes = [...new Set(assignments.flatMap(({ scope }) => [scope, documentedId(scope)]))];
  return (infraId) => {
    const names = scopes.flatMap((scope) =>
      assignedComponents.map(({ assigned }) => roleAssignmentName(infraId, assigned.hypershiftName, scope)),
    );
    return [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
  };
}
