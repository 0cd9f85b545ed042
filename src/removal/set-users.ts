/** Which clusters use an identity set, for a command that deletes only a part of the set. */
import type { Azure } from "../azure/azure.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { groupNameOf, parseResourceId } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";
import { listAssignments } from "./assignments.js";
import { existingClusters, type NamedCluster } from "./existing-clusters.js";
import { principalsOfSet } from "./set-principals.js";
import { otherGroupsOf, partsOfSet } from "./set-groups.js";
import { clustersUsing, setOfKeyInUse, type ClustersNow } from "./set-in-use.js";

/** Of the set with this vault. `anyGroup`: what is deleted of it is not in its resource group. Only reads. */
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
  const assignments = assigned.filter(({ principalId }) => principals.some((principal) => sameText(principal, principalId)));
  const users = clustersUsing(assignments, clusters);
  return clusters.filter(({ infraId }) => users.includes(infraId));
}

/** The resource group of the vault, whichever was passed. Without the vault, each that contains a set of this name. */
async function groupsOfVault(azure: Azure, set: IdentitySetKey): Promise<string[]> {
  const parts = await partsOfSet(azure, set);
  const vaults = parts.filter(({ id = "" }) => sameText(parseResourceId(id).name, set.vaultName));
  if (vaults.length > 0) return vaults.flatMap(({ id = "" }) => groupNameOf(id) ?? []);
  return [set.groupName, ...otherGroupsOf(parts, set.groupName)];
}
