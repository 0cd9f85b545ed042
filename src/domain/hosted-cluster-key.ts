/** The key of a HostedCluster, and the namespace of its control plane. */

export interface HostedClusterKey {
  readonly namespace: string;
  readonly name: string;
}

/** The namespace in which HyperShift runs the control plane. A namespace is a single DNS label, so periods of the name are replaced. */
export function controlPlaneNamespace({ namespace, name }: HostedClusterKey): string {
  return `${namespace}-${name.replaceAll(".", "-")}`;
}
