/** The two kinds of AKS clusters that run ARO HCP: one hosts the control planes, the other the services in front of them. */
export const clusterKinds = ["management-cluster", "service-cluster"] as const;
/** The noun of the commands, and the name of the ownership tag after `aro-hcp-`. */
export type ClusterKind = (typeof clusterKinds)[number];

export interface AksClusterKey {
  readonly kind: ClusterKind;
  readonly name: string;
}

interface KindFacts {
  readonly label: string;
  readonly other: ClusterKind;
  /** The key of its name and of its output file in results. */
  readonly resultKey: "managementCluster" | "serviceCluster";
  /** The setting that names the output file of its create. */
  readonly fileKey: "managementClusterFile" | "serviceClusterFile";
  /** The value of `--cluster-type`, as Azure/ARO-HCP calls it. */
  readonly type: "mgmt" | "svc";
  /** The name of its nodes' network security group, as in Azure/ARO-HCP and in earlier versions: the same for all clusters of the kind. */
  readonly formerSecurityGroup: string;
}

export const kindFacts: Readonly<Record<ClusterKind, KindFacts>> = {
  "management-cluster": {
    label: "management cluster",
    other: "service-cluster",
    resultKey: "managementCluster",
    fileKey: "managementClusterFile",
    type: "mgmt",
    formerSecurityGroup: "mgmt-cluster-node-nsg",
  },
  "service-cluster": {
    label: "service cluster",
    other: "management-cluster",
    resultKey: "serviceCluster",
    fileKey: "serviceClusterFile",
    type: "svc",
    formerSecurityGroup: "svc-cluster-node-nsg",
  },
};

/** The kind that a command is about; undefined for any other command. */
export function aksKindOf(command: string): ClusterKind | undefined {
  return clusterKinds.find((kind) => command.endsWith(` ${kind}`));
}
