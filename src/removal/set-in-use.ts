/** Whether other clusters use an identity set, and the failure that then blocks its removal. */
import type { Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { assignmentsOf } from "./assignments.js";
import type { IdentityInventory } from "./identities.js";

/** The infra IDs, of those given, whose clusters have role assignments for identities of the set. */
export function clustersUsing({ assignments }: Pick<IdentityInventory, "assignments">, infraIds: readonly string[]): string[] {
  return infraIds.filter((infraId) => assignmentsOf(infraId, assignments).length > 0);
}

/** Undefined if no cluster uses the set. */
export function setInUse(name: string, clusters: readonly string[], next: readonly Advice[]): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the identity set "${name}" is used by ${clusters.join(", ")}`, {
    because: "its identities have role assignments that these clusters need, and the removal would delete them",
    next,
  });
}
