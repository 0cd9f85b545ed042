/** Decides what the tags of a resource say about its owner. */
import { clusterKinds, type AksClusterKey } from "./cluster-kind.js";
import { dnsZoneTag, type DnsZoneOwner } from "./dns-zone.js";
import type { ClusterKey } from "./names.js";
import { tagsInLowerCase, tagValue, type Tags } from "./tags.js";

/** The owner of identities, their vault and their issuer. One set may serve several clusters, so it belongs to none. */
export interface IdentitySet {
  readonly identitySet: string;
}

/** The owner of the workload identities of a cluster with a self-managed control plane. They outlive its infrastructure. */
export interface IamOwner {
  readonly iam: ClusterKey;
}

/** The owner of a connected cluster and of what was created for it. */
export interface ArcOwner {
  readonly arc: string;
}

/** The owners whose resources may be in a group of others: they use an existing group as it is. */
export type SharingOwner = IdentitySet | IamOwner | DnsZoneOwner;

/**
 * The cluster of hosted clusters and identity sets is an owner of its own: a management cluster or a service cluster serves many. So is a
 * connected cluster: any OpenShift cluster can be connected; and a public DNS zone, which serves many clusters.
 */
export type Owner = ClusterKey | SharingOwner | AksClusterKey | ArcOwner;

export const nameTag = "aro-hcp-name";
export const infraIdTag = "aro-hcp-infra-id";
export const identitySetTag = "aro-hcp-identities";
/** `<name>/<infra ID>`: the names of the identities have both. */
export const iamTag = "aro-hcp-iam";
export const arcTag = "aro-hcp-arc";
/** One tag for each kind, so that a management cluster and a service cluster may have one name. */
const aksClusterTags = clusterKinds.map((kind) => `aro-hcp-${kind}`);

export const ownerTags: readonly string[] = [nameTag, infraIdTag, identitySetTag, iamTag, arcTag, dnsZoneTag, ...aksClusterTags];

export function ownershipTags(owner: Owner): Record<string, string> {
  if ("identitySet" in owner) return { [identitySetTag]: owner.identitySet };
  if ("iam" in owner) return { [iamTag]: `${owner.iam.name}/${owner.iam.infraId}` };
  if ("arc" in owner) return { [arcTag]: owner.arc };
  if ("dnsZone" in owner) return { [dnsZoneTag]: owner.dnsZone };
  return "kind" in owner ? { [`aro-hcp-${owner.kind}`]: owner.name } : { [nameTag]: owner.name, [infraIdTag]: owner.infraId };
}

export function isSharing(owner: Owner): owner is SharingOwner {
  return "identitySet" in owner || "iam" in owner || "dnsZone" in owner;
}

/** The sharing owners that the tags name. */
export function sharingOwnersIn(tags: Tags): SharingOwner[] {
  const [identitySet, iam, dnsZone] = [identitySetTag, iamTag, dnsZoneTag].map((tag) => tagValue(tags, tag));
  const [name = "", infraId] = iam?.split("/") ?? [];
  return [
    ...(identitySet === undefined ? [] : [{ identitySet }]),
    ...(infraId === undefined ? [] : [{ iam: { name, infraId } }]),
    ...(dnsZone === undefined ? [] : [{ dnsZone }]),
  ];
}

/** "DNS zone blue.example.com" */
export function sharingOwnerTitle(owner: SharingOwner): string {
  if ("identitySet" in owner) return `identity set ${owner.identitySet}`;
  if ("iam" in owner) return `the workload identities of ${owner.iam.name}/${owner.iam.infraId}`;
  return `DNS zone ${owner.dnsZone}`;
}

/**
 * All tags together name the owner. A missing tag says nothing; a different one names another owner. A policy may copy tags, so they prove
 * ownership only together with a name of the owner.
 */
export function ownedBy(tags: Tags, owner: Owner): "ours" | "other-owner" | "untagged" {
  const pairs = Object.entries(ownershipTags(owner)).map(([tag, wanted]) => ({ wanted, value: tagValue(tags, tag) }));
  if (pairs.some(({ wanted, value }) => value !== undefined && value !== wanted)) return "other-owner";
  return pairs.every(({ value }) => value !== undefined) ? "ours" : "untagged";
}

/** Whether the tags name any owner, even incompletely. */
export function hasOwner(tags: Tags): boolean {
  return Object.keys(tags ?? {}).some((tag) => tag.toLowerCase().startsWith("aro-hcp-"));
}

/** Whether the tags name an owner that is not this one: another cluster, an AKS cluster, or an identity set. */
export function hasOtherOwner(tags: Tags, owner: Owner): boolean {
  const found = ownedBy(tags, owner);
  const own = Object.keys(ownershipTags(owner));
  const others = ownerTags.filter((tag) => !own.includes(tag));
  return found === "other-owner" || (found === "untagged" && others.some((tag) => tagValue(tags, tag) !== undefined));
}

/** How the tags show that the resource belongs to another owner than the cluster; undefined if they do not. */
export function otherOwner(tags: Tags, cluster: ClusterKey): string | undefined {
  if (hasOtherOwner(tags, cluster)) return "its ownership tags name another cluster or an identity set";
  return kubernetesOrigin(tags, cluster) === "other-cluster"
    ? "its tags show that the Kubernetes of another cluster created it"
    : undefined;
}

/**
 * Whether a component of a Kubernetes cluster created the resource, and for which cluster.
 * With `unnamed-cluster`, Kubernetes created it, but the tags do not name the cluster:
 * it belongs to this cluster only if all of its group does.
 */
export type KubernetesOrigin = "this-cluster" | "other-cluster" | "unnamed-cluster" | "none";

/** Tag names that end with the infra ID: the installer's and machine API's (also put on disks by the CSI driver), and Cluster API's. */
const lifecyclePrefixes = ["kubernetes.io_cluster.", "sigs.k8s.io_cluster-api-provider-azure_cluster_"];

/** Tags whose value is the cloud provider's `--cluster-name`, which HyperShift sets to the infra ID; the second is the older name of the first. */
const clusterNameTags = ["k8s-azure-cluster-name", "kubernetes-cluster-name"];

/** The cloud provider's name for a cluster without a configured name. */
const unsetClusterName = "kubernetes";

/** Tags of the cloud provider (`k8s-azure-service`, `-dns-label-service`, `-owner-service`) and of the CSI drivers (`-created-by`, `created-for-pv-name`, ...). */
const unnamedPrefixes = ["k8s-azure-", "kubernetes.io-created-for-"];

/** Reads the tags. Sources: cloud-provider-azure pkg/consts, azuredisk-csi-driver pkg/azureconstants, Cluster API's "owned" lifecycle tag. */
export function kubernetesOrigin(tags: Tags, cluster: ClusterKey): KubernetesOrigin {
  const origins = tagsInLowerCase(tags).map(([tag, value]) => originOf(tag, value, cluster));
  // One tag of another cluster outweighs any of this cluster: a resource of two clusters must not be deleted.
  const strongest = (["other-cluster", "this-cluster", "unnamed-cluster"] as const).find((origin) => origins.includes(origin));
  return strongest ?? "none";
}

function originOf(tag: string, value: string, { name, infraId }: ClusterKey): KubernetesOrigin {
  const prefix = lifecyclePrefixes.find((candidate) => tag.startsWith(candidate));
  if (prefix !== undefined) {
    // "shared" means used by the cluster, not created by it.
    if (value !== "owned") return "none";
    return tag === `${prefix}${infraId}`.toLowerCase() ? "this-cluster" : "other-cluster";
  }
  if (clusterNameTags.includes(tag)) {
    if (value === infraId) return "this-cluster";
    // Two clusters may share a name, but never an infra ID.
    return value === name || value === unsetClusterName ? "unnamed-cluster" : "other-cluster";
  }
  return unnamedPrefixes.some((candidate) => tag.startsWith(candidate)) ? "unnamed-cluster" : "none";
}
