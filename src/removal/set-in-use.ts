/** Whether other clusters use an identity set or its issuer, and the failure that then blocks the removal. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { advise, aroHcp, blank, type Advice } from "../errors/advice.js";
import type { ClusterKey } from "../domain/names.js";
import { sameId } from "../domain/resource-id.js";
import { Failure } from "../errors/failure.js";
import { assignmentsOf } from "./assignments.js";
import type { ExistingCluster, NamedCluster } from "./existing-clusters.js";

/** The infra IDs of the clusters that have or use role assignments for the identities. `assignments`: those of the identities, on everything. */
export function clustersUsing(assignments: readonly RoleAssignment[], clusters: readonly ExistingCluster[]): string[] {
  const users = clusters.filter(
    ({ infraId, unassigned }) =>
      assignmentsOf(infraId, assignments).length > 0 ||
      unassigned.some((group) => assignments.some(({ scope = "" }) => sameId(scope, group))),
  );
  return users.map(({ infraId }) => infraId);
}

/** Undefined if no cluster uses the set. */
export function setInUse(name: string, clusters: readonly string[], next: readonly Advice[]): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the identity set "${name}" is used by ${clusters.join(", ")}`, {
    because: "these clusters have role assignments of its identities, which the removal would delete",
    next,
  });
}

/** The failure if clusters use the set of the key by now. */
export type ClustersNow = () => Promise<Failure | undefined>;

/** Undefined if no cluster uses the set of the key. */
export function setOfKeyInUse(name: string, clusters: readonly NamedCluster[]): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the identity set "${name}" is used by ${clusters.map(({ infraId }) => infraId).join(", ")}`, {
    because: "a cluster whose etcd is encrypted with the key of the set cannot read it without the key",
    next: destroyFirst(clusters),
  });
}

/** Undefined if no cluster uses the workload identities. */
export function workloadIdentitiesInUse(
  { name, infraId }: ClusterKey,
  clusters: readonly string[],
  next: readonly Advice[],
): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the workload identities of ${name}/${infraId} are used by ${clusters.join(", ")}`, {
    because: "they have role assignments that the cluster needs, and the removal would delete them",
    next,
  });
}

/** Undefined if no cluster uses the issuer of the set. */
export function issuerInUse(name: string, clusters: readonly NamedCluster[]): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure(
    "ARO-OWN-006",
    `the issuer of the identity set "${name}" is used by ${clusters.map(({ infraId }) => infraId).join(", ")}`,
    {
      because: "identities of these clusters trust it, and Entra would refuse their tokens without it",
      next: destroyFirst(clusters),
    },
  );
}

export function destroyFirst(clusters: readonly Pick<NamedCluster, "infraId" | "name">[]): Advice[] {
  return clusters.map(
    ({ infraId, name }) => advise`destroy it first: ${aroHcp("destroy infra", { name: name ?? blank("name of the cluster"), infraId })}`,
  );
}
