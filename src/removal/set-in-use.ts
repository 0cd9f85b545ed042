/** Which clusters use the principals of an identity set, and the failure that then blocks a removal. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { groupNameOf, parseResourceId, sameId } from "../domain/resource-id.js";
import { advise, aroHcp, blank, type Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf, assignmentsTo, listAssignments } from "./assignments.js";
import { existingClusters, type ExistingCluster, type NamedCluster } from "./existing-clusters.js";
import { otherGroupsOf, partsOfSet } from "./set-groups.js";
import { principalsOfSet } from "./set-principals.js";

/** Those that have or use role assignments for the identities. `assignments`: those of the identities, on everything. */
export function clustersUsing<C extends ExistingCluster>(assignments: readonly RoleAssignment[], clusters: readonly C[]): C[] {
  return clusters.filter(
    ({ infraId, unassigned }) =>
      assignmentsOf(infraId, assignments).length > 0 ||
      unassigned.some((group) => assignments.some(({ scope = "" }) => sameId(scope, group))),
  );
}

/** Undefined if no cluster uses it. `what`: `the identity set "demo" is used`. */
export function usedByClusters(
  what: string,
  clusters: readonly Pick<NamedCluster, "infraId" | "name">[],
  because: string,
): Failure | undefined {
  if (clusters.length === 0) return undefined;
  const users = clusters.map(({ infraId }) => infraId).join(", ");
  const next = clusters.map(
    ({ infraId, name }): Advice =>
      advise`destroy it first: ${aroHcp("destroy infra", { name: name ?? blank("name of the cluster"), infraId })}`,
  );
  return new Failure("ARO-OWN-006", `${what} by ${users}`, { because, next });
}

/** The failure if clusters use the set of the key by now. */
export type ClustersNow = () => Promise<Failure | undefined>;

/** Undefined if no cluster uses the set of the key. */
export function setOfKeyInUse(name: string, clusters: readonly NamedCluster[]): Failure | undefined {
  const because = "a cluster whose etcd is encrypted with the key of the set cannot read it without the key";
  return usedByClusters(`the identity set "${name}" is used`, clusters, because);
}

/** The users of the set with this vault. `anyGroup`: what is deleted of it is not in its resource group. */
export async function setUsers(azure: Azure, set: IdentitySetKey, { anyGroup }: { readonly anyGroup: boolean }): Promise<NamedCluster[]> {
  const principalsRead = anyGroup
    ? groupsOfVault(azure, set).then((groups) => Promise.all(groups.map((groupName) => principalsOfSet(azure, { ...set, groupName }))))
    : principalsOfSet(azure, set);
  return usersOf(
    azure,
    set,
    principalsRead.then((principals) => principals.flat()),
  );
}

interface Principal {
  readonly principalId: string | undefined;
}

/** Other clusters than the destroyed one. The principals are those of the plan, which the destroy may have deleted by then. */
export function clustersUsingNow(
  azure: Azure,
  set: IdentitySetKey,
  { applications, identities, uses }: Readonly<Record<"applications" | "identities" | "uses", readonly Principal[]>>,
  destroyed?: string,
): ClustersNow {
  const principals = [...applications, ...identities, ...uses].flatMap(({ principalId }) => principalId ?? []);
  return async () => {
    const users = await usersOf(azure, set, Promise.resolve(principals));
    return setOfKeyInUse(
      set.name,
      users.filter(({ infraId }) => infraId !== destroyed),
    );
  };
}

async function usersOf(
  azure: Azure,
  { subscriptionId }: IdentitySetKey,
  principalsRead: Promise<readonly string[]>,
): Promise<NamedCluster[]> {
  const listed = listAssignments(azure, [subscriptionId]);
  const [assigned, clusters, principals] = await Promise.all([listed, existingClusters(azure, listed), principalsRead]);
  return clustersUsing(assignmentsTo(principals, assigned), clusters);
}

/** The resource group of the vault, whichever was passed. Without the vault, each that contains a set of this name. */
async function groupsOfVault(azure: Azure, set: IdentitySetKey): Promise<string[]> {
  const parts = await partsOfSet(azure, set);
  const vaults = parts.filter(({ id = "" }) => sameText(parseResourceId(id).name, set.vaultName));
  if (vaults.length > 0) return vaults.flatMap(({ id = "" }) => groupNameOf(id) ?? []);
  return [set.groupName, ...otherGroupsOf(parts, set.groupName)];
}
