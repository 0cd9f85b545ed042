/** Who a resource belongs to, told by its tags alone. Names prove nothing. */
import type { ClusterKey } from "./names.js";

/** Tags of an ARM resource as they were read. */
export type Tags = Readonly<Record<string, string | undefined>> | undefined;

/** Identities, their vault and their issuer: one set may serve several clusters, so it belongs to none. */
export interface IdentitySet {
  readonly identitySet: string;
}

export type Owner = ClusterKey | IdentitySet;

export const nameTag = "aro-hcp-name";
export const infraIdTag = "aro-hcp-infra-id";
export const identitySetTag = "aro-hcp-identities";

/** The tags that everything we make carries. */
export function ownershipTags(owner: Owner): Record<string, string> {
  return "identitySet" in owner ? { [identitySetTag]: owner.identitySet } : { [nameTag]: owner.name, [infraIdTag]: owner.infraId };
}

/** All of its tags prove it ours. One that is missing proves nothing, one that differs names another owner. */
export function ownedBy(tags: Tags, owner: Owner): "ours" | "other-owner" | "untagged" {
  const found = new Map(lowerCaseKeys(tags));
  const pairs = Object.entries(ownershipTags(owner)).map(([tag, wanted]) => ({ wanted, value: found.get(tag) }));
  if (pairs.some(({ wanted, value }) => value !== undefined && value !== wanted)) return "other-owner";
  return pairs.every(({ value }) => value !== undefined) ? "ours" : "untagged";
}

/**
 * Whether a component of a Kubernetes cluster made it, and whose.
 * "this-cluster" names our cluster; "other-cluster" names another; "unnamed-cluster" is surely Kubernetes' work, but the tags do not say of
 * which cluster: it belongs to ours only where its group is wholly ours.
 */
export type KubernetesOrigin = "this-cluster" | "other-cluster" | "unnamed-cluster" | "none";

/** Tag names that end with the infra id: the installer's and machine API's (also put on disks by the CSI driver), and Cluster API's. */
const lifecyclePrefixes = ["kubernetes.io_cluster.", "sigs.k8s.io_cluster-api-provider-azure_cluster_"];

/** Tags whose value is the cloud provider's `--cluster-name`, which HyperShift sets to the infra id; the second is the older name of the first. */
const clusterNameTags = ["k8s-azure-cluster-name", "kubernetes-cluster-name"];

/** What the cloud provider calls a cluster that it was given no name for. */
const unsetClusterName = "kubernetes";

/** Tags of the cloud provider (`k8s-azure-service`, `-dns-label-service`, `-owner-service`) and of the CSI drivers (`-created-by`, `created-for-pv-name`, ...). */
const unnamedPrefixes = ["k8s-azure-", "kubernetes.io-created-for-"];

/** What the tags say. Sources: cloud-provider-azure pkg/consts, azuredisk-csi-driver pkg/azureconstants, Cluster API's "owned" lifecycle tag. */
export function madeByKubernetes(tags: Tags, cluster: ClusterKey): KubernetesOrigin {
  const origins = lowerCaseKeys(tags).map(([tag, value]) => originOf(tag, value, cluster));
  // One word for another cluster outweighs any for ours: what two clusters claim is not ours to remove.
  const strongest = (["other-cluster", "this-cluster", "unnamed-cluster"] as const).find((origin) => origins.includes(origin));
  return strongest ?? "none";
}

function originOf(tag: string, value: string, { name, infraId }: ClusterKey): KubernetesOrigin {
  const prefix = lifecyclePrefixes.find((candidate) => tag.startsWith(candidate));
  if (prefix !== undefined) {
    // "shared" says used by, not made by.
    if (value !== "owned") return "none";
    return tag === `${prefix}${infraId}`.toLowerCase() ? "this-cluster" : "other-cluster";
  }
  if (clusterNameTags.includes(tag)) {
    if (value === infraId) return "this-cluster";
    // Two clusters may share a name, never an infra id.
    return value === name || value === unsetClusterName ? "unnamed-cluster" : "other-cluster";
  }
  return unnamedPrefixes.some((candidate) => tag.startsWith(candidate)) ? "unnamed-cluster" : "none";
}

/** Azure compares tag names without regard to casing, values with it. */
function lowerCaseKeys(tags: Tags): readonly (readonly [string, string])[] {
  return Object.entries(tags ?? {}).flatMap(([tag, value]) => (value === undefined ? [] : [[tag.toLowerCase(), value] as const]));
}
