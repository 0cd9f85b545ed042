/** The table of what a destroy deletes of an AKS cluster: the cluster first, then its roles, then what it used. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { listContents } from "../../azure/group-contents.js";
import { begun, finish, found } from "../../azure/long-running.js";
import { isRemovedBefore, quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { StepIo } from "../../engine/step.js";
import { Stale } from "../../errors/stale.js";
import { sameText } from "../../text/same-text.js";
import type { AksPrincipal } from "./aks-assignments.js";
import type { FoundCertificate } from "./aks-certificates.js";
import type { FoundAksResource } from "./cluster-group.js";
import { showsAksGroup } from "./cluster-group-name.js";
import type { AksInventory } from "./aks-inventory.js";
import { apiVersionLookup, grantRemoval, groupRemoval, resourceRemoval } from "../../removal/azure-removals.js";
import { recordRemoval } from "../../removal/dns-records.js";
import { withGroup } from "../../removal/emptied-group.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { FoundResource } from "../../removal/inventory.js";
import { withLateAssignments } from "../../removal/late-assignments.js";
import { requireNothingNew } from "../../removal/new-resources.js";
import { foundIn, idsOf, resourceRemovalOf, type Found, type OwnedRemoval } from "../../removal/owned.js";
import { recoverableVaults } from "../../removal/recoverable.js";
import { foreignInNodeGroup } from "./node-group-contents.js";
import { unlessRecreated } from "./recreated-cluster.js";
import { certificateRemoval, purgesOf, vaultRemovals } from "../../removal/vault-removals.js";

/** Operations on an AKS cluster take minutes. */
const inFlightPauseMs = 5_000;

export function aksFound(azure: Azure, inventory: AksInventory, { purge }: RemovalMode, create: string): Found {
  const { clusterId, cluster, foreignInNodeGroups, resources, vaults, deletedVaults, grants, group, cascaded } = inventory;
  const { keyVault } = resourceTypes;
  const foreignIds = idsOf(foreignInNodeGroups);
  const removalsOf = (isEarly: boolean) =>
    grants.filter(({ beforeCluster }) => beforeCluster === isEarly).map((grant) => grantRemoval(azure, grant));
  const records = inventory.records.map((one) => recordRemoval(azure, one));
  const rolesGone = (removal: OwnedRemoval, isOf: (principal: AksPrincipal) => boolean) => {
    const principals = inventory.principals.filter(isOf).map(({ objectId }) => objectId);
    return withLateAssignments(azure, removal, principals, inventory.subscriptions);
  };
  const recreated = clusterId === undefined ? undefined : clusterRemoval(azure, clusterId, foreignIds);
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
  const ordered = (areLast: boolean) =>
    others
      .filter(({ one }) => isLast(one) === areLast)
      .map(({ one, removal }) => ({
        ...removal,
        after: [
          ...others.filter((other) => isRemovedBefore(other.one.type, one.type)).map((other) => other.removal.id),
          // Without the address, nothing shows that a record points to the cluster.
          ...(sameType(one.type, resourceTypes.publicIpAddress.type) ? idsOf(records) : []),
        ],
      }));
  const found = foundIn({
    certificates: { removals: inventory.certificates.map((one) => certificateOf(azure, one, purge)) },
    // A role on its secret leads to the certificate.
    clusterRoles: { removals: removalsOf(true), after: ["certificates"] },
    cluster: {
      removals: cluster ? [rolesGone(clusterRemoval(azure, cluster.id, foreignIds), ({ fate }) => fate === "with-aks")] : [],
      after: ["clusterRoles"],
    },
    nodeGroups: { removals: inventory.orphanedNodeGroups.map((one) => groupRemoval(azure, one)) },
    roles: { removals: removalsOf(false), after: ["cluster", "nodeGroups"] },
    records: { removals: records },
    resources: { removals: ordered(false), after: ["cluster", "nodeGroups", "roles"] },
    vaults: {
      removals: vaults.flatMap((vault) => {
        const [first, ...then] = vaultRemovals(azure, vault, purge);
        return first === undefined ? [] : [unlessRecreated(azure, first, { ...vault, type: keyVault.type }, recreated), ...then];
      }),
      after: ["cluster", "nodeGroups", "roles"],
    },
    lastResources: { removals: ordered(true), after: ["cluster", "nodeGroups", "roles", "resources", "vaults"] },
    deletedVaults: {
      removals: purge ? purgesOf(azure, deletedVaults) : [],
      ...(vaults.length + deletedVaults.length > 0 && { recoverable: recoverableVaults(deletedVaults, `rerun the original ${create}`) }),
    },
  });
  const all = { ...found, kept: inventory.kept, confirmed: foreignIds };
  if (group === undefined || cascaded.length === 0) return withGroup(azure, all, { group });
  const whole = groupRemoval(azure, { ...group, ours: true, deleting: false, contents: [...cascaded, ...idsInGroup(inventory)] });
  return { ...all, removals: [...all.removals, { ...whole, after: idsOf(all.removals) }] };
}

function certificateOf(azure: Azure, { vaultName, name, isOwn, purgeProtected, deleted }: FoundCertificate, purge: boolean): OwnedRemoval {
  const removal = certificateRemoval(azure, { vaultName, name, isOwn }, purge && !purgeProtected);
  return {
    ...removal,
    ...(deleted && { title: `${removal.title}, permanently` }),
    // Two vaults may have one of the same name.
    id: `certificate ${vaultName}/${name}`,
    left: `${deleted ? "deleted " : ""}${removal.title} in ${titleOf(resourceTypes.keyVault, vaultName)}`,
  };
}

/**
 * Deletes the cluster with its agent pools and its node resource group. A stopped or failed cluster can be deleted as it is. `foreign`: the IDs of what
 * the plan lists in the group.
 */
function clusterRemoval(azure: Azure, id: string, foreign: readonly string[]): OwnedRemoval {
  const row = resourceTypes.managedCluster;
  const expected = expectedDuration("DELETE", row.type);
  const { resourceGroup: group = "", name } = parseResourceId(id);
  const remove = async (io: StepIo) => {
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
  };
  return { ...resourceRemovalOf(row, id, remove), seconds: expected.spread[1] };
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
