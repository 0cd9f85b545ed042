/** Which clusters use an identity set, for a command that deletes only a part of the set. */
import type { Azure } from "../azure/azure.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { sameText } from "../text/same-text.js";
import { listAssignments } from "./assignments.js";
import { existingClusters, type NamedCluster } from "./existing-clusters.js";
import { principalsOfSet } from "./identities.js";
import { clustersUsing } from "./set-in-use.js";

/** Only reads. */
export async function setUsers(azure: Azure, set: IdentitySetKey): Promise<NamedCluster[]> {
  const listed = listAssignments(azure, [set.subscriptionId]);
  const [assigned, clusters, principals] = await Promise.all([listed, existingClusters(azure, listed), principalsOfSet(azure, set)]);
  const assignments = assigned.filter(({ principalId }) => principals.some((principal) => sameText(principal, principalId)));
  const users = clustersUsing({ assignments, identitySet: set.name }, clusters);
  return clusters.filter(({ infraId }) => users.includes(infraId));
}
