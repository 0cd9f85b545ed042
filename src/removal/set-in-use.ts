/** Whether other clusters use an identity set, and the failure that then blocks its removal. */
import type { Advice } from "../errors/advice.js";
import { sameId } from "../domain/resource-id.js";
import { Failure } from "../errors/failure.js";
import { assignmentsOf } from "./assignments.js";
import type { ExistingCluster } from "./existing-clusters.js";
import type { IdentityInventory } from "./identities.js";

/** The infra IDs of the clusters that have or use role assignments for identities of the set. */
export function clustersUsing({ assignments }: Pick<IdentityInventory, "assignments">, clusters: readonly ExistingCluster[]): string[] {
  const users = clusters.filter(
    ({ infraId, unassigned }) =>
      assignmentsOf(infraId, assignments).length > 0 || unassigned.some((group) => assignments.some(({ scope }) => sameId(scope, group))),
  );
  return users.map(({ infraId }) => infraId);
}

/** Undefined if no cluster uses the set. */
export function setInUse(name: string, clusters: readonly string[], next: readonly Advice[]): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the identity set "${name}" is used by ${clusters.join(", ")}`, {
    because: "its identities have role assignments that these clusters need, and the removal would delete them",
    next,
  });
}
