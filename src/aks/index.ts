/** What other features use of AKS clusters. */
export { aksClusterOwns } from "./domain/cluster-resource.js";
export { kubeconfigClusterId } from "./files/cluster-kubeconfig.js";
export { aksClusterSpec } from "./inputs/aks-cluster-spec.js";
export { clusterAsFound, type ClusterRecord, withClusterRecord } from "./inputs/aks-recorded-options.js";
export { aksClusterGraph } from "./steps/graph.js";
