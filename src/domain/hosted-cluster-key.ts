/** Which HostedCluster is meant, and the namespace that its control plane runs in. */

/** A HostedCluster, by its own namespace and name. */
export interface HostedClusterKey {
  readonly namespace: string;
  readonly name: string;
}

/** Where HyperShift runs the control plane of a HostedCluster: a namespace is a single label, so the name's periods cannot stay. */
export function controlPlaneNamespace({ namespace, name }: HostedClusterKey): string {
  return `${namespace}-${name.replaceAll(".", "-")}`;
}
