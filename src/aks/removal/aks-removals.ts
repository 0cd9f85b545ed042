/** Turns an inventory of an AKS cluster into ordered removals: the cluster first, then its roles, then what it used. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { listContents } from "../../azure/group-contents.js";
import { begun, finish, found } from "../../azure/long-running.js";
import { isRemovedBefore, quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { idKey, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import type { Removal, StepIo } from "../../engine/step.js";
import { Stale } from "../../errors/stale.js";
import { sameText } from "../../text/same-text.js";
import type { AksPrincipal } from "./aks-assignments.js";
import { showsAksGroup, type FoundAksResource } from "./aks-home.js";
import type { AksInventory } from "./aks-inventory.js";
import { apiVersionLookup, assignmentRemoval, groupRemoval, resourceRemoval } from "../../removal/azure-removals.js";
import { recordRemoval } from "../../removal/dns-records.js";
import { emptiedGroupRemoval } from "../../removal/emptied-group.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { FoundResource } from "../../removal/inventory.js";
import { withLateAssignments } from "../../removal/late-assignments.js";
import { requireNothingNew } from "../../removal/new-resources.js";
import { foreignInNodeGroup } from "./node-group-contents.js";
import { unlessRecreated } from "./recreated-cluster.js";
import { certificateRemoval, purgesOf, vaultRemovals } from "../../removal/vault-removals.js";

/** Operations on an AKS cluster take minutes. */
const inFlightPauseMs = 5_000;

export function aksRemovals(azure: Azure, inventory: AksInventory, { purge }: RemovalMode): Removal[] {
  const {
    clusterId,
    cluster,
    orphanedNodeGroups,
    foreignInNodeGroups,
    resources,
    vaults,
    deletedVaults,
    records,
    grants,
    group,
    cascaded,
  } = inventory;
  const removed = grants.map((grant) => ({ grant, removal: assignmentRemoval(azure, liveAssignmentTitle(grant, grant.holder), grant) }));
  const certificates = inventory.certificates.map(({ vaultName, name, isOwn, purgeProtected, deleted }) => ({
    ...certificateRemoval(azure, { vaultName, name, isOwn }, purge && !purgeProtected),
    ...(deleted && { title: `certificate ${name}, permanently` }),
    // Two vaults may have one of the same name.
    id: `certificate ${vaultName}/${name}`,
  }));
  // A role on its secret leads to the certificate.
  const early = removed.filter(({ grant }) => grant.beforeCluster).map(({ removal }) => ({ ...removal, after: idsOf(certificates) }));
  const foreignIds = foreignInNodeGroups.map(({ id }) => id);
  const nodes = orphanedNodeGroups.map((one) => groupRemoval(azure, one));
  const rolesGone = (removal: Removal, isOf: (principal: AksPrincipal) => boolean) =>
    withLateAssignments(
      azure,
      removal,
      inventory.principals.filter(isOf).map(({ objectId }) => objectId),
      inventory.subscriptions,
    );
  const clusters = [
    ...(cluster ? [rolesGone(clusterRemoval(azure, cluster.id, foreignIds, idsOf(early)), ({ fate }) => fate === "with-aks")] : []),
    ...nodes,
  ];
  const late = removed.filter(({ grant }) => !grant.beforeCluster).map(({ removal }) => ({ ...removal, after: idsOf(clusters) }));
  const dns = records.map((one) => recordRemoval(azure, one));
  const recreated = clusterId === undefined ? undefined : clusterRemoval(azure, clusterId, foreignIds, []);
  const apiVersions = apiVersionLookup(azure);
  const others = resources.map((one) => {
    const removal = resourceRemoval(azure, resourceOf(one), apiVersions);
    if (!sameType(one.type, resourceTypes.managedIdentity.type)) return { one, removal };
    const isIt = ({ fate, id }: AksPrincipal) => fate === "with-us" && id !== undefined && sameId(id, one.id);
    return { one, removal: rolesGone(unlessRecreated(azure, removal, one, recreated), isIt) };
  });
  // If the run is interrupted, only these lead the next one to the rest in an existing group.
  const ownGroup = clusterId && parseResourceId(clusterId).name;
  const isLast = (one: FoundAksResource) => showsAksGroup(one) && !sameText(parseResourceId(one.id).resourceGroup, ownGroup);
  const ordered = others.map(({ one, removal }) => ({
    ...removal,
    after: [
      ...idsOf([...clusters, ...late]),
      ...others.filter((other) => isRemovedBefore(other.one.type, one.type)).map((other) => other.removal.id),
      // Without the address, nothing shows that a record points to the cluster.
      ...(sameType(one.type, resourceTypes.publicIpAddress.type) ? idsOf(dns) : []),
      ...(isLast(one)
        ? [...others.flatMap((other) => (isLast(other.one) ? [] : [other.removal.id])), ...vaults.map(({ id }) => idKey(id))]
        : []),
    ],
  }));
  const deletedVault = vaults.flatMap((vault) => {
    const { type } = resourceTypes.keyVault;
    const [first, ...then] = vaultRemovals(azure, vault, purge, idsOf([...clusters, ...late]));
    return first === undefined ? [] : [unlessRecreated(azure, first, { ...vault, type }, recreated), ...then];
  });
  const purged = purge ? purgesOf(azure, deletedVaults) : [];
  const all = [...certificates, ...early, ...clusters, ...late, ...dns, ...ordered, ...deletedVault, ...purged];
  if (group === undefined) return all;
  if (cascaded.length === 0) return [...all, emptiedGroupRemoval(azure, group, all)];
  const whole = groupRemoval(azure, { ...group, ours: true, deleting: false, contents: [...cascaded, ...idsInGroup(inventory)] });
  return [...all, { ...whole, after: idsOf(all) }];
}

/**
 * Deletes the cluster with its agent pools and its node resource group. A stopped or failed cluster can be deleted as it is. `foreign`: the IDs of what
 * the plan lists in the group.
 */
function clusterRemoval(azure: Azure, id: string, foreign: readonly string[], after: readonly string[]): Removal {
  const row = resourceTypes.managedCluster;
  const expected = expectedDuration("DELETE", row.type);
  const { resourceGroup: group = "", name } = parseResourceId(id);
  return {
    id: idKey(id),
    title: titleOf(row, name),
    resourceId: id,
    after,
    seconds: expected.spread[1],
    async remove(io) {
      const { managedClusters } = await azure.clusters();
      const live = await endOfOperation(azure, { group, name }, io);
      if (live === undefined) return;
      await requireSameNodeGroup(azure, name, live, foreign);
      try {
        await found(finish(azure, expected, (options) => begun(managedClusters.delete(group, name, options))));
      } catch (error) {
        // Another client started an operation after the read.
        if (busyCodes.has(azureCodeOf(error) ?? "")) throw new Stale("another operation on it is in progress", { cause: error });
        throw error;
      }
    },
  };
}

const endedStates = new Set(["Succeeded", "Failed", "Canceled"]);

/** AKS's refusals of a deletion while an operation runs. */
const busyCodes = new Set(["OperationNotAllowed", "ConcurrentOperation", "NotLatestOperation"]);

/** AKS deletes the node resource group with everything in it, and the cluster may have got volumes and others a resource since the plan. */
async function requireSameNodeGroup(azure: Azure, clusterName: string, live: ManagedCluster, foreign: readonly string[]): Promise<void> {
  const { nodeResourceGroup: group } = live;
  if (group === undefined) return;
  const now = foreignInNodeGroup(group, { clusterName, live, contents: await listContents(azure, group) });
  requireNothingNew(
    quotedTitleOf(resourceTypes.resourceGroup, group),
    foreign,
    now.map(({ id }) => id),
  );
}

/** Undefined if the cluster does not exist: another client, or an earlier run, has deleted it. */
async function endOfOperation(
  azure: Azure,
  { group, name }: { readonly group: string; readonly name: string },
  io: StepIo,
): Promise<ManagedCluster | undefined> {
  const { managedClusters } = await azure.clusters();
  for (;;) {
    const live = await found(managedClusters.get(group, name));
    if (live === undefined) return undefined;
    const { provisioningState: state = "Succeeded" } = live;
    if (endedStates.has(state)) return live;
    io.note(state === "Deleting" ? "an earlier deletion is in progress" : `AKS reports ${state}; waiting until it has ended`);
    await azure.connection.clock.sleep(inFlightPauseMs, io.signal);
  }
}

/** What may still be listed in the group although it is deleted. */
function idsInGroup({ cluster, resources, vaults }: AksInventory): FoundResource[] {
  const { type } = resourceTypes.keyVault;
  return [...(cluster ? [cluster] : []), ...resources, ...vaults.map((vault) => ({ ...vault, type }))].map(resourceOf);
}

function resourceOf({ id, type, name }: Pick<FoundAksResource, "id" | "type" | "name">): FoundResource {
  return { id, type, name, group: parseResourceId(id).resourceGroup ?? "", origin: "ours" };
}

function idsOf(removals: readonly Removal[]): string[] {
  return removals.map(({ id }) => id);
}
