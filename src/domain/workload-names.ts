/** The names of a cluster's workload identities, equal to those of HyperShift's `create iam azure`. */
import { controlPlaneComponents, type ControlPlaneComponent } from "./components.js";
import type { ClusterKey } from "./names.js";
import { ownedBy } from "./ownership.js";
import type { Tags } from "./tags.js";
import { sameText } from "../text/same-text.js";

export function workloadIdentityName({ name, infraId }: ClusterKey, { workload }: ControlPlaneComponent): string {
  return `${name}-${workload.name}-${infraId}`;
}

export interface WorkloadCredential {
  readonly name: string;
  readonly subject: string;
}

/** The federated identity credentials of an identity, one for each service account. */
export function workloadCredentials({ name }: ClusterKey, { workload }: ControlPlaneComponent): WorkloadCredential[] {
  const stem = `${name}-${workload.credential ?? workload.name}-fed-id`;
  return Object.entries(workload.subjects).map(([ending, subject]) => ({ name: `${stem}${ending}`, subject }));
}

/** The component whose identity has this name, whatever its tags are. */
export function workloadComponent(cluster: ClusterKey, name: string | undefined): ControlPlaneComponent | undefined {
  return controlPlaneComponents.find((component) => sameText(workloadIdentityName(cluster, component), name));
}

/** The component of a workload identity; undefined if the cluster does not own it. */
export function ownWorkloadIdentity(
  cluster: ClusterKey,
  { name, tags }: { readonly name: string; readonly tags?: Tags },
): ControlPlaneComponent | undefined {
  return ownedBy(tags, { iam: cluster }) === "ours" ? workloadComponent(cluster, name) : undefined;
}
