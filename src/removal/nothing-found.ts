/** What a destroy says if nothing has the given name: the name may be mistyped, or the subscription may be another one. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { requireVaultOfSet } from "../azure/set-vault.js";
import { arcTag, type ConnectedClusterPlace } from "../arc/domain/names.js";
import { aksClusterNames } from "../aks/domain/cluster-names.js";
import { aksClusterOwns } from "../aks/domain/cluster-resource.js";
import { dnsZoneTag, type DnsZonePlace } from "../domain/dns-zone.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import { managedHsmIn } from "../domain/key-place.js";
import type { ClusterKey } from "../domain/names.js";
import { kindFacts } from "../domain/cluster-kind.js";
import type { IamPlace } from "../iam/spec.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { iamTag, identitySetTag, infraIdTag, ownedBy, ownershipTags } from "../domain/ownership.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { groupNameOf, parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownsAccount } from "../domain/set-ownership.js";
import { tagValue } from "../domain/tags.js";
import { ownWorkloadIdentity } from "../domain/workload-names.js";
import { didYouMean } from "../text/did-you-mean.js";
import { sameText } from "../text/same-text.js";
import type { AksPlace } from "../aks/removal/aks-home.js";
import type { Inventory } from "./inventory.js";
import type { IssuerPlace } from "../issuer/removal/issuer.js";
import { groupsContain, isOfSet, otherGroupsOf, resourcesWithTagName } from "./set-groups.js";

export function noSuchCluster(
  { connection }: Pick<Azure, "connection">,
  cluster: ClusterKey,
  { otherClusters }: Pick<Inventory, "otherClusters">,
): string {
  const others = otherClusters.map((other) => other.infraId);
  return `${nothingOfCluster(connection, cluster)}${exists("infra IDs", cluster.infraId, others)}`;
}

/** For a command that has no inventory of the subscription. */
export async function noSuchClusterTag(azure: Azure, cluster: ClusterKey): Promise<string> {
  const tagged = await resourcesWithTagName(azure, infraIdTag);
  const others = tagged.flatMap(({ tags }) => tagValue(tags, infraIdTag) ?? []).filter((other) => other !== cluster.infraId);
  return `${nothingOfCluster(azure.connection, cluster)}${exists("infra IDs", cluster.infraId, others)}`;
}

function nothingOfCluster(place: Subscription, { name, infraId }: ClusterKey): string {
  return `${nothing(place)} belongs to cluster ${name}/${infraId}`;
}

export function noSuchSet(azure: Azure, key: IdentitySetKey): Promise<string> {
  return noSuchOwner(azure, {
    ...{ what: "identity set", plural: "identity sets", tag: identitySetTag },
    ...{ name: key.name, groupName: key.groupName, flag: "--persistent-resource-group-name" },
    isIts: (one) => isOfSet(key, one),
  });
}

/** The set may exist without the key, which is in its vault or in the managed HSM. */
export async function noSuchKey(azure: Azure, set: IdentitySetKey, hsmName: string | undefined): Promise<string> {
  const vault = await requireVaultOfSet(azure, set);
  if (vault === undefined) {
    const parts = (await resourcesWithTagName(azure, identitySetTag)).filter((one) => isOfSet(set, one));
    if (!parts.some(({ id = "" }) => sameText(groupNameOf(id), set.groupName))) return noSuchSet(azure, set);
    return `resource group ${set.groupName} has no ${titleOf(resourceTypes.keyVault, set.vaultName)}; if the vault of the identity set has another name, pass --key-vault-name`;
  }
  const where = hsmName === undefined ? titleOf(resourceTypes.keyVault, set.vaultName) : `managed HSM ${hsmName}`;
  const named = managedHsmIn(vault.tags);
  const elsewhere =
    named === undefined || sameText(named, hsmName)
      ? ""
      : `; the tags of the vault name managed HSM ${named}: pass --managed-hsm-name ${named}`;
  return `${where} has no key ${encryptionKeyName(set)} of the identity set "${set.name}"${elsewhere}`;
}

export function noSuchIam(azure: Azure, { cluster, groupName }: IamPlace): Promise<string> {
  const { type: identityType } = resourceTypes.managedIdentity;
  const [name = ""] = Object.values(ownershipTags({ iam: cluster }));
  return noSuchOwner(azure, {
    ...{ what: "cluster with workload identities", plural: "clusters with workload identities", tag: iamTag },
    ...{ name, groupName, flag: "--persistent-resource-group-name" },
    isIts: ({ id = "", type = "", tags }) =>
      sameType(type, identityType) && ownWorkloadIdentity(cluster, { name: parseResourceId(id).name, tags }) !== undefined,
  });
}

export function noSuchIssuer(azure: Azure, set: string, { groupName, accountName }: IssuerPlace): Promise<string> {
  const { type: accountType } = resourceTypes.storageAccount;
  return noSuchOwner(azure, {
    ...{ what: "issuer of the identity set", plural: "identity sets", tag: identitySetTag },
    ...{ name: set, groupName, flag: "--oidc-resource-group-name" },
    isIts: ({ id = "", type = "", tags }) =>
      sameType(type, accountType) && ownsAccount({ identitySet: set }, { id, tags }, { groupName: groupNameOf(id) ?? "", accountName }),
  });
}

export function noSuchAksCluster(azure: Azure, { cluster, subscriptionId, groupName }: AksPlace): Promise<string> {
  const { kind, name } = cluster;
  const [tag = ""] = Object.keys(ownershipTags({ kind, name }));
  const { label } = kindFacts[kind];
  return noSuchOwner(azure, {
    ...{ what: label, plural: `${label}s`, tag, name, flag: "--resource-group-name" },
    groupName: groupName ?? aksClusterNames(cluster, subscriptionId).group,
    isIts: (one) => aksClusterOwns({ cluster, subscriptionId, existingGroups: undefined }, one),
  });
}

export function noSuchConnectedCluster(azure: Azure, { name, groupName }: ConnectedClusterPlace): Promise<string> {
  const { type: clusterType } = resourceTypes.connectedCluster;
  return noSuchOwner(azure, {
    ...{ what: "connected cluster", plural: "connected clusters", tag: arcTag, name, groupName, flag: "--resource-group-name" },
    isIts: ({ type = "", tags, ...one }) =>
      sameType(type, clusterType) && ownedBy(tags, { arc: name }) === "ours" && sameText(one.name, name),
  });
}

export function noSuchDnsZone(azure: Azure, { zoneName: name, groupName }: DnsZonePlace): Promise<string> {
  const { type: zoneType } = resourceTypes.publicDnsZone;
  return noSuchOwner(azure, {
    ...{ what: "DNS zone", plural: "DNS zones", tag: dnsZoneTag, name, groupName, flag: "--dns-zone-rg-name" },
    isIts: ({ type = "", tags, ...one }) =>
      sameType(type, zoneType) && ownedBy(tags, { dnsZone: name }) === "ours" && sameText(one.name, name),
  });
}

interface Sought {
  readonly what: string;
  readonly plural: string;
  /** Of everything with an owner of this kind; its value is the owner's name. */
  readonly tag: string;
  readonly name: string;
  /** The group that was searched, and the flag that selects another one. */
  readonly groupName: string;
  readonly flag: string;
  /** Whether a resource of any group has its tag and a name of it. */
  isIts(resource: GenericResourceExpanded): boolean;
}

/** One read, and only if nothing was found. */
async function noSuchOwner(azure: Azure, { what, plural, tag, name, groupName, flag, isIts }: Sought): Promise<string> {
  const tagged = await resourcesWithTagName(azure, tag);
  const groups = otherGroupsOf(tagged.filter(isIts), groupName);
  if (groups.length > 0) {
    const pass = groups.length === 1 ? `pass ${flag} ${groups[0] ?? ""}` : `pass one of them as ${flag}`;
    return `the ${what} "${name}" is not in resource group ${groupName}; ${groupsContain(groups)} resources with its tag and names; if they are its own, ${pass}`;
  }
  const others = tagged.flatMap(({ tags }) => tagValue(tags, tag) ?? []).filter((other) => other !== name);
  return `${nothing(azure.connection)} belongs to the ${what} "${name}"${exists(plural, name, others)}`;
}

type Subscription = Pick<Azure["connection"], "subscriptionId">;

function nothing({ subscriptionId }: Subscription): string {
  return `nothing in subscription ${subscriptionId}`;
}

/** At most this many of the others are listed. */
const mostListed = 10;

function exists(what: string, wanted: string, others: readonly string[]): string {
  const distinct = [...new Set(others)].toSorted();
  if (distinct.length === 0) return `, and no other ${what} exist there; check --subscription`;
  const more = distinct.length > mostListed ? ` and ${String(distinct.length - mostListed)} more` : "";
  return `; ${what} that exist there: ${distinct.slice(0, mostListed).join(", ")}${more}${didYouMean(wanted, distinct)}`;
}
