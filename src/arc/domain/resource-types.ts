/** The rows of the Azure resource types of Azure Arc. Part of the table of resource types, which checks them. */

export const arcTypes = {
  connectedCluster: {
    type: "Microsoft.Kubernetes/connectedClusters",
    label: "connected cluster",
    heldBy: ["arcExtension"],
    az: "connectedk8s",
    use: {
      step: "connected-cluster",
      part: "arc",
      group: "arc",
      verbs: ["read", "write"],
      location: "regional",
      quota: "not published",
    },
  },
  arcExtension: {
    type: "Microsoft.KubernetesConfiguration/extensions",
    label: "cluster extension",
    heldBy: [],
    az: "k8s-extension",
    use: { step: "arc-extension", part: "arc", group: "arc", verbs: ["read", "write"], location: "global" },
  },
} as const;
