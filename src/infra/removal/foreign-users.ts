/** Other clusters that use identities or an issuer in the resource groups of a cluster: not even --delete-foreign deletes these. */
import { clustersTrusting } from "../../issuer/index.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import { nameOf } from "../../removal/existing-clusters.js";
import type { Inventory } from "../../removal/inventory.js";
import type { RemovalOptions } from "../../removal/selection.js";
import { clustersUsing, destroyFirst } from "../../removal/set-in-use.js";
import type { SubscriptionLists } from "../../removal/subscription-lists.js";

/** Undefined if no other cluster uses them, or if they are kept. `lists` has the role assignments of everyone. */
export async function foreignInUse(
  azure: Azure,
  { groups, otherClusters }: Pick<Inventory, "groups" | "otherClusters">,
  lists: SubscriptionLists,
  { preserveGroups, deleteForeign }: RemovalOptions,
): Promise<Failure | undefined> {
  if (preserveGroups || !deleteForeign || otherClusters.length === 0) return undefined;
  const foreign = groups.filter(({ ours }) => ours).flatMap(({ contents }) => contents.filter(({ origin }) => origin === "foreign"));
  const ofType = (wanted: ResourceType) => foreign.filter(({ type }) => sameType(type, wanted.type));
  const users = await Promise.all([
    clustersTrusting(azure, { accounts: ofType(resourceTypes.storageAccount) }, lists.assignments, otherClusters),
    ...ofType(resourceTypes.managedIdentity).map(({ id }) => usersOf(id)),
  ]);
  const used = otherClusters.filter(({ infraId }) => users.flat().includes(infraId));
  if (used.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `identities or an issuer in this cluster's groups are used by ${infraIdsOf(used)}`, {
    because: "--delete-foreign would delete them with the groups",
    next: destroyFirst(used.map(({ infraId }) => ({ infraId, name: nameOf(infraId, lists) }))),
  });

  async function usersOf(id: string): Promise<string[]> {
    const { resourceGroup = "", name } = parseResourceId(id);
    const live = await found((await azure.identities()).userAssignedIdentities.get(resourceGroup, name));
    const assignments = lists.assignments.filter(({ principalId }) => sameText(principalId, live?.principalId));
    return clustersUsing(assignments, otherClusters);
  }
}

function infraIdsOf(clusters: readonly { readonly infraId: string }[]): string {
  return clusters.map(({ infraId }) => infraId).join(", ");
}
