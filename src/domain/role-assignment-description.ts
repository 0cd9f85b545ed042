/** The description of a role assignment of a cluster: who made it, and for which cluster. */
import type { ClusterKey } from "./names.js";

/** "aro-hcp: cluster demo/x7k2". It only finds: whoever may assign roles may write the same. */
export function clusterDescription({ name, infraId }: ClusterKey): string {
  return `aro-hcp: cluster ${name}/${infraId}`;
}

export function describedCluster(description: string | undefined): ClusterKey | undefined {
  const [, name, infraId] = /^aro-hcp: cluster ([^/\s]+)\/([^/\s]+)$/.exec(description ?? "") ?? [];
  return name === undefined || infraId === undefined ? undefined : { name, infraId };
}
