/** Finds what aro-hcp made: by its tags, and by the name that it gives in that place, because a policy may copy tags. */
import { aksClusterOwns } from "../../aks/index.js";
import { arcNames } from "../../domain/arc-names.js";
import { clusterKinds, type ClusterKind } from "../../domain/cluster-kind.js";
import { clusterOwns } from "../../domain/cluster-resource.js";
import { dataPlaneComponents } from "../../domain/components.js";
import { dnsZoneTag } from "../../domain/dns-zone.js";
import { defaultVaultName, managedIdentityName } from "../../domain/identity-names.js";
import { issuerGroupName } from "../../domain/issuer.js";
import { arcTag, iamTag, identitySetTag, infraIdTag, nameTag } from "../../domain/ownership.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { ownIdentity, ownsAccount, ownsGroup, ownsVault } from "../../domain/set-ownership.js";
import { tagValue } from "../../domain/tags.js";
import { ownWorkloadIdentity } from "../../domain/workload-names.js";
import { sameText } from "../../text/same-text.js";
import type { Finding, Kind } from "../domain/finding.js";
import { isType, type Assignment, type Entry, type Estate } from "../domain/estate.js";
import { missingOfCluster } from "./cluster-parts.js";
import { grouped } from "./grouped.js";

type Own = Omit<Finding, "origin" | "subscriptionId">;

export function ownFindings({ entries }: Estate, assignmentsOf: (infraId: string) => readonly Assignment[]): Finding[] {
  const found: readonly Own[] = [
    ...clusters(entries, assignmentsOf),
    ...sets(entries),
    ...workloadIdentities(entries),
    ...clusterKinds.flatMap((kind) => aksClusters(entries, kind)),
    ...single(entries, "oidc-issuers", resourceTypes.storageAccount, identitySetTag, ownsIssuer),
    ...single(entries, "dns-zones", resourceTypes.publicDnsZone, dnsZoneTag, (zone, { name }) => sameText(name, zone)),
    ...single(entries, "arc", resourceTypes.connectedCluster, arcTag, (owner, { name }) => sameText(arcNames(owner).cluster, name)),
  ];
  return found.map((one) => ({ origin: "aro-hcp", subscriptionId: one.entries[0]?.subscriptionId ?? "", ...one }));
}

function clusters(entries: readonly Entry[], assignmentsOf: (infraId: string) => readonly Assignment[]): Own[] {
  const byCluster = grouped(entries, (entry) => {
    const [name, infraId] = [tagValue(entry.tags, nameTag), tagValue(entry.tags, infraIdTag)];
    if (name === undefined || infraId === undefined) return undefined;
    const cluster = { name, infraId };
    return clusterOwns({ cluster, existingGroups: undefined }, entry) ? cluster : undefined;
  });
  return byCluster.map(([cluster, own]) => {
    const assignments = assignmentsOf(cluster.infraId);
    return { kind: "clusters", ...cluster, entries: own, assignments, missing: missingOfCluster(own, assignments.length > 0) };
  });
}

/** A set is in one group, because the names of its applications contain the group. */
function sets(entries: readonly Entry[]): Own[] {
  const bySet = grouped(entries, (entry) => {
    const { subscriptionId, group: groupName, tags } = entry;
    const name = tagValue(tags, identitySetTag);
    if (name === undefined) return undefined;
    const place = { name, subscriptionId, groupName };
    return isOfSet({ ...place, vaultName: defaultVaultName(place) }, entry) ? { name, groupName } : undefined;
  });
  return bySet.flatMap(([{ name }, own]) => {
    const owned = new Set(own.flatMap((entry) => ownIdentity({ name }, entry)?.key ?? []));
    // A group alone may be the issuer's.
    if (owned.size === 0 && !own.some((entry) => isType(entry, resourceTypes.keyVault))) return [];
    const missing = dataPlaneComponents
      .filter(({ key }) => !owned.has(key))
      .map((one) => `managed identity ${managedIdentityName({ name }, one)}`);
    return [{ kind: "identities", name, entries: own, assignments: [], missing }];
  });
}

function isOfSet(key: Parameters<typeof ownsVault>[0], entry: Entry): boolean {
  if (isType(entry, resourceTypes.managedIdentity)) return ownIdentity(key, entry) !== undefined;
  if (isType(entry, resourceTypes.keyVault)) return ownsVault(key, entry);
  return isType(entry, resourceTypes.resourceGroup) && ownsGroup({ identitySet: key.name }, entry);
}

/** In the default group or by a name that contains its place: a name in a tag proves nothing elsewhere. */
function ownsIssuer(set: string, entry: Entry): boolean {
  return ownsAccount({ identitySet: set }, entry, { groupName: issuerGroupName(set), accountName: undefined });
}

function workloadIdentities(entries: readonly Entry[]): Own[] {
  const byCluster = grouped(entries, (entry) => {
    const [name = "", infraId] = tagValue(entry.tags, iamTag)?.split("/") ?? [];
    if (infraId === undefined || !isType(entry, resourceTypes.managedIdentity)) return undefined;
    return ownWorkloadIdentity({ name, infraId }, entry) ? { name, infraId } : undefined;
  });
  return byCluster.map(([cluster, own]) => ({ kind: "iam", ...cluster, entries: own, assignments: [], missing: [] }));
}

function aksClusters(entries: readonly Entry[], kind: ClusterKind): Own[] {
  const byName = grouped(entries, (entry) => {
    const name = tagValue(entry.tags, `aro-hcp-${kind}`);
    if (name === undefined) return undefined;
    const places = { cluster: { kind, name }, subscriptionId: entry.subscriptionId, existingGroups: undefined };
    return aksClusterOwns(places, entry) ? { name } : undefined;
  });
  return byName.map(([{ name }, own]) => {
    const missing = own.some((one) => isType(one, resourceTypes.managedCluster)) ? [] : ["AKS cluster"];
    return { kind: `${kind}s` as const, name, entries: own, assignments: [], missing };
  });
}

/** One finding for each resource of a type whose tag names its owner. */
function single(
  entries: readonly Entry[],
  kind: Kind,
  type: Pick<ResourceType, "type">,
  tag: string,
  isOwn: (owner: string, entry: Entry) => boolean,
): Own[] {
  return entries.flatMap((entry) => {
    const name = isType(entry, type) ? tagValue(entry.tags, tag) : undefined;
    return name !== undefined && isOwn(name, entry) ? [{ kind, name, entries: [entry], assignments: [], missing: [] }] : [];
  });
}
