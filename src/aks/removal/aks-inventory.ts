/** Reads everything of a management or service cluster that a destroy deletes, and what it keeps. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { DeletedVault } from "@azure/arm-keyvault";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { listContents } from "../../azure/group-contents.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { signedIn } from "../../azure/signed-in.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import {
  formatResourceId,
  groupIn,
  groupNameOf,
  isWithin,
  parseResourceId,
  resourceGroupId,
  sameId,
  sameType,
} from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import { decideAksAssignments, principalsOf, theNodes, type AksGrant, type AksPrincipal } from "./aks-assignments.js";
import { certificateCandidates, findCertificates, type CertificatePlace, type FoundCertificate } from "./aks-certificates.js";
import { decideOwnGroup, findClusterGroup, type AksClusterGroup, type CascadedResource, type FoundAksResource } from "./cluster-group.js";
import type { AksPlace } from "./cluster-group-name.js";
import { decideRecords, type OwnAddress } from "./aks-records.js";
import { readZones, type FoundRecord } from "../../removal/dns-records.js";
import { clusterWithIdentity, otherAksClusters, usersOf } from "./aks-users.js";
import { namedGroup, orphanedGroup, orphansOf } from "./aks-node-groups.js";
import { findDeletedEtcdVaults, readEtcdVaults } from "./aks-vaults.js";
import { listAssignments } from "../../removal/assignments.js";
import { groupReads, type EmptiedGroup } from "../../removal/emptied-group.js";
import { hostedControlPlanes, type HostedControlPlane } from "./hosted-control-planes.js";
import { foreignInNodeGroup, type NodeGroupResource } from "./node-group-contents.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { FoundGroup } from "../../removal/inventory.js";
import type { Kept } from "../../removal/owned.js";
import { keptFor, unseenVaults, type FoundVault } from "../../removal/vaults.js";

export interface AksSearch extends AksPlace {
  /** Subscriptions of existing resources, which also have role assignments. */
  readonly otherSubscriptions: readonly string[];
  /** The identities in a file: without its cluster, Azure does not show them. */
  readonly knownPrincipals: readonly AksPrincipal[];
  /** The certificate that a file names: until the secrets provider has its role, nothing in Azure leads to it. */
  readonly certificate?: CertificatePlace | undefined;
}

export interface AksInventory {
  /** Where the cluster is, or was; undefined if nothing shows its group. */
  readonly clusterId: string | undefined;
  readonly cluster: FoundAksResource | undefined;
  /** Deleted with the cluster. */
  readonly nodeGroup: EmptiedGroup | undefined;
  /** Node resource groups without their cluster: AKS did not finish their deletion. */
  readonly orphanedNodeGroups: readonly FoundGroup[];
  /** What in the node resource groups is not AKS's own: deleted with them. */
  readonly foreignInNodeGroups: readonly NodeGroupResource[];
  /** Network, addresses and identities. */
  readonly resources: readonly FoundAksResource[];
  readonly vaults: readonly FoundVault[];
  /** Soft-deleted. */
  readonly deletedVaults: readonly DeletedVault[];
  readonly records: readonly FoundRecord[];
  readonly certificates: readonly FoundCertificate[];
  readonly grants: readonly AksGrant[];
  /** The principals of the identities that are deleted. */
  readonly principals: readonly AksPrincipal[];
  /** The subscriptions in which they may have roles. */
  readonly subscriptions: readonly string[];
  readonly group: EmptiedGroup | undefined;
  /** Resources of others that are deleted with the group. */
  readonly cascaded: readonly CascadedResource[];
  readonly kept: readonly Kept[];
  /** Resources with names of the cluster and no owner. */
  readonly unclaimed: readonly FoundAksResource[];
  readonly hosted: readonly HostedControlPlane[];
  /** Every role assignment of the subscriptions. */
  readonly assigned: readonly RoleAssignment[];
}

export interface AksRemovalMode extends RemovalMode {
  /** The cluster's own group and the node resource group are deleted with everything in them. */
  readonly deleteForeign: boolean;
}

const isOf =
  ({ type }: ResourceType) =>
  (one: FoundAksResource): boolean =>
    sameType(one.type, type);

export async function takeAksInventory(azure: Azure, search: AksSearch, mode: AksRemovalMode): Promise<AksInventory> {
  const reads = groupReads(azure);
  const [clusterGroup, listed, deletedVaults, caller] = await Promise.all([
    findClusterGroup(azure, search, reads),
    listAssignments(azure, [search.subscriptionId]),
    findDeletedEtcdVaults(azure, search),
    signedIn(azure.connection),
  ]);
  const cluster = clusterGroup.resources.find(isOf(resourceTypes.managedCluster));
  const [live, otherClusters] = await Promise.all([cluster && readCluster(azure, cluster), otherAksClusters(azure, cluster?.id)]);
  const elsewhere = otherSubscriptions(search, [JSON.stringify(live ?? null)]);
  // The caller may see only some of the subscriptions of existing resources.
  const further = await Promise.all(elsewhere.map(async (id) => (await orRefused(listAssignments(azure, [id]))) ?? []));
  const assigned = [...listed, ...further.flat()];
  const nodeGroup = namedGroup(clusterGroup.groups, live?.nodeResourceGroup);
  const orphans = cluster === undefined ? await orphansOf(azure, search, clusterGroup) : [];
  const nodeGroups = [...(nodeGroup ? [nodeGroup] : []), ...orphans];
  const isInNodeGroup = (id: string) => nodeGroups.some((group) => isWithin(id, group.id));
  const exists = (group: string | undefined) => clusterGroup.groups.some(({ name }) => sameText(name, group));
  // Azure shows for a while that an address or a subnet is used by what it has just deleted with its group.
  const isGone = (id: string) => groupIn(id)?.subscriptionId === search.subscriptionId && !exists(groupNameOf(id));
  const isOwnUser = (id: string) => isInNodeGroup(id) || isGone(id) || (cluster !== undefined && isWithin(id, cluster.id));

  const besides = clusterGroup.resources.filter((one) => one !== cluster);
  const users = await usersOf(azure, besides, isOwnUser, otherClusters);
  const used = besides.filter((one) => (users.get(one) ?? []).length > 0);
  const unused = besides.filter((one) => !used.includes(one));
  const [identities, readVaults, addresses, contents] = await Promise.all([
    principalsOfIdentities(azure, search, clusterGroup, unused),
    readEtcdVaults(azure, search, unused.filter(isOf(resourceTypes.keyVault))),
    ownAddresses(azure, unused.filter(isOf(resourceTypes.publicIpAddress))),
    Promise.all(nodeGroups.map(async (one) => ({ ...one, contents: await listContents(azure, one.name) }))),
  ]);
  const { cluster: clusterName } = aksClusterNames(search.cluster, search.subscriptionId);
  const foreignInNodeGroups = contents.flatMap((one) => foreignInNodeGroup(one.name, { clusterName, live, contents: one.contents }));
  const orphanedNodeGroups = contents.filter((one) => orphans.some(({ id }) => id === one.id)).map(orphanedGroup);
  const vaults = readVaults.filter((vault) => keptFor(vault, mode) === undefined);
  const resources = unused.filter((one) => !isOf(resourceTypes.keyVault)(one));
  const deletedIds = [...(cluster ? [cluster] : []), ...resources, ...vaults].map(({ id }) => id);
  const principals = [...(live ? principalsOf(live, deletedIds) : []), ...identities, ...search.knownPrincipals];
  const assignments = decideAksAssignments({
    assigned,
    principals,
    deletedIds,
    vaultIds: readVaults.map(({ id }) => id),
    isInNodeGroup,
    otherUser: (objectId) => clusterWithIdentity(otherClusters, objectId),
    caller,
  });
  const readerOf = (secretId: string) =>
    assigned
      .filter(({ scope = "" }) => sameId(scope, secretId))
      .flatMap(({ principalId = "" }) => clusterWithIdentity(otherClusters, principalId) ?? [])
      .at(0);
  const [zones, tls] = await Promise.all([
    zonesFor(azure, search, clusterGroup.resources),
    findCertificates(azure, search.cluster, certificateCandidates(assignments.grants, search.certificate), mode, readerOf),
  ]);
  const dns = decideRecords(search.cluster, addresses, zones);
  const group = await decideOwnGroup(reads, clusterGroup, mode.deleteForeign, (id) => deletedIds.some((one) => isWithin(id, one)));
  return {
    clusterId: clusterIdIn(search, clusterGroup),
    cluster,
    nodeGroup,
    orphanedNodeGroups,
    foreignInNodeGroups,
    resources,
    vaults,
    deletedVaults,
    assigned,
    records: dns.records,
    certificates: tls.certificates,
    grants: assignments.grants,
    principals: principals.filter(({ fate }) => fate !== "stays"),
    subscriptions: [search.subscriptionId, ...elsewhere],
    group: group.group,
    cascaded: group.cascaded ?? [],
    kept: [
      ...clusterGroup.kept.filter(({ id }) => !isInNodeGroup(id)),
      ...used.map((one) => ({ id: one.id, why: `used by ${(users.get(one) ?? []).join(", ")}` })),
      ...readVaults.flatMap((vault) => keptFor(vault, mode) ?? []),
      ...unseenVaults(deletedVaults, mode),
      ...assignments.kept,
      ...dns.kept,
      ...tls.kept,
      ...(group.kept ? [group.kept] : []),
    ].filter(({ id }) => group.cascaded === undefined || !isWithin(id, group.group?.id ?? "")),
    unclaimed: clusterGroup.unclaimed,
    hosted: hostedControlPlanes(contents.flatMap((one) => one.contents)),
  };
}

function clusterIdIn({ cluster, subscriptionId }: AksPlace, { groupName }: AksClusterGroup): string | undefined {
  const { type } = resourceTypes.managedCluster;
  const { cluster: name } = aksClusterNames(cluster, subscriptionId);
  return groupName === undefined ? undefined : formatResourceId(resourceGroupId(subscriptionId, groupName), type, name);
}

async function readCluster(azure: Azure, { id, name }: FoundAksResource): Promise<ManagedCluster | undefined> {
  const { managedClusters } = await azure.clusters();
  return found(managedClusters.get(parseResourceId(id).resourceGroup ?? "", name));
}

/** The subscriptions of existing resources: in the file and in the live cluster. */
function otherSubscriptions({ subscriptionId, otherSubscriptions: known }: AksSearch, texts: readonly string[]): string[] {
  const mentioned = texts.flatMap((text) => [...text.matchAll(/\/subscriptions\/([0-9a-f-]{36})/gi)].map(([, id = ""]) => id));
  return [...new Set([...known, ...mentioned].map((id) => id.toLowerCase()))].filter((id) => !sameText(id, subscriptionId));
}

/** Identities of the cluster. Those that others use stay, and keep the assignments that others may need. */
async function principalsOfIdentities(
  azure: Azure,
  { cluster, subscriptionId }: AksPlace,
  { resources }: AksClusterGroup,
  unused: readonly FoundAksResource[],
): Promise<AksPrincipal[]> {
  const { kubeletIdentity } = aksClusterNames(cluster, subscriptionId);
  const own = resources.filter(isOf(resourceTypes.managedIdentity)).map((one) => ({
    id: one.id,
    holder: sameText(one.name, kubeletIdentity) ? theNodes : one.name,
    fate: unused.includes(one) ? ("with-us" as const) : ("stays" as const),
  }));
  const principals = own.map(async ({ id, holder, fate }): Promise<AksPrincipal[]> => {
    const { subscriptionId: where, resourceGroup = "", name } = parseResourceId(id);
    const { userAssignedIdentities } = await azure.identities(where);
    const live = await orRefused(found(userAssignedIdentities.get(resourceGroup, name)));
    return live?.principalId === undefined ? [] : [{ objectId: live.principalId, id, holder, fate }];
  });
  return (await Promise.all(principals)).flat();
}

async function ownAddresses(azure: Azure, addresses: readonly FoundAksResource[]): Promise<OwnAddress[]> {
  const { publicIPAddresses } = await azure.network();
  return Promise.all(
    addresses.map(async ({ id, name }) => {
      const live = await found(publicIPAddresses.get(parseResourceId(id).resourceGroup ?? "", name));
      return { id, ipAddress: live?.ipAddress };
    }),
  );
}

/**
 * Only a service cluster has records. They are deleted before the address, so an interrupted destroy leaves none. Without the address, those that
 * its create marked are still reported.
 */
async function zonesFor(azure: Azure, { cluster }: AksPlace, resources: readonly unknown[]) {
  return cluster.kind === "service-cluster" && resources.length > 0 ? readZones(azure) : [];
}
