/** Whether a create that runs at the same time created the AKS cluster again. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { Failure } from "../../errors/failure.js";
import { isProven } from "./aks-assignments.js";
import type { FoundAksResource } from "./cluster-group.js";
import { refersTo } from "./aks-users.js";
import type { OwnedRemoval } from "../../removal/owned.js";

/**
 * Reads the cluster again just before the removal, which fails if the cluster uses the resource. `cluster` is the removal of the cluster:
 * undefined if it has no group.
 */
export function unlessRecreated(
  azure: Azure,
  removal: OwnedRemoval,
  resource: Pick<FoundAksResource, "id" | "type" | "name">,
  cluster: OwnedRemoval | undefined,
): OwnedRemoval {
  if (cluster?.resourceId === undefined) return removal;
  const { resourceGroup = "", name } = parseResourceId(cluster.resourceId);
  const isIdentity = sameType(resource.type, resourceTypes.managedIdentity.type);
  const current = async () => found((await azure.clusters()).managedClusters.get(resourceGroup, name));
  return {
    ...removal,
    async remove(io) {
      if (isIdentity) await removeRolesOn(azure, resource.id);
      const live = await current();
      // AKS does not show the identity of the nodes of a new cluster yet.
      if (live !== undefined && (refersTo(live, resource) || (isIdentity && live.identityProfile === undefined))) {
        throw new Failure("ARO-OWN-004", `${quotedTitleOf(resourceTypes.managedCluster, name)} was created again during the destroy`, {
          because: `it uses ${resource.id}`,
          next: ["check that no create is running at the same time, then rerun the command"],
        });
      }
      await removal.remove(io);
      if (!isIdentity) return;
      // A create that came in between made a cluster without its identity: it cannot work, and no create can repair it. It is deleted only if it
      // names this identity: it may have another one.
      const made = await current();
      if (made !== undefined && refersTo(made, resource)) await cluster.remove(io);
    },
  };
}

/**
 * Deletes the roles on an identity that a create has assigned since they were listed. Without them, AKS refuses to create a cluster with the
 * identity of the nodes, so none can get it between the last look and the deletion.
 */
async function removeRolesOn(azure: Azure, id: string): Promise<void> {
  const { roleAssignments } = await azure.authorization(parseResourceId(id).subscriptionId);
  const listed = (await found(all(roleAssignments.listForScope(id, { filter: "atScope()" })))) ?? [];
  for (const assignment of listed) {
    const { scope = "", name = "" } = assignment;
    if (sameId(scope, id) && isProven(assignment)) await found(roleAssignments.delete(scope, name));
  }
}
