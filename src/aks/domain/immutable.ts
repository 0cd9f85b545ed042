/** The properties of AKS clusters and agent pools that a create sets and never changes. */

export interface Immutable {
  readonly path: RegExp;
  /** The property in a sentence: "node resource group". */
  readonly what: string;
  readonly because: string;
  /** The option that sets it; without one, a value of a pool is in `--system-pool` or `--user-pool`. */
  readonly flag?: `--${string}`;
}

const network = "AKS sets the network of a cluster at its creation, and never changes it";
const nodes = "AKS sets it when it creates the pool's scale set, and never changes it";

export const immutableOfCluster: readonly Immutable[] = [
  {
    path: /^nodeResourceGroup$/,
    what: "node resource group",
    because: "AKS creates the node resource group together with the cluster, and moves no node to another group",
    flag: "--node-resource-group-name",
  },
  { path: /^networkProfile\.serviceCidr$/, what: "service range", because: network, flag: "--aks-service-cidr" },
  { path: /^networkProfile\.dnsServiceIP$/, what: "address of DNS", because: network, flag: "--aks-service-cidr" },
  { path: /^networkProfile\.(?:networkPlugin|ipFamilies)/, what: "network plugin", because: network },
  {
    path: /^networkProfile\.(?:networkDataplane|networkPolicy)$/,
    what: "data plane of the network",
    because: "changing it recreates every node of a running cluster",
  },
  { path: /^networkProfile\.loadBalancerSku$/, what: "load balancer", because: network },
  { path: /^enableRbac$/, what: "Kubernetes RBAC", because: "AKS sets it at the creation of the cluster, and never changes it" },
  {
    path: /^identityProfile\./,
    what: "identity of the nodes",
    because: "changing it recreates every node of a running cluster",
    flag: "--kubelet-identity-id",
  },
];

export const immutableOfPool: readonly Immutable[] = [
  { path: /(?:^|\.)vmSize$/, what: "VM size", because: nodes },
  { path: /(?:^|\.)availabilityZones$/, what: "zones", because: nodes },
  { path: /(?:^|\.)(?:osDiskSizeGB|osDiskType|kubeletDiskType)$/, what: "OS disk", because: nodes },
  { path: /(?:^|\.)maxPods$/, what: "maximum number of pods for each node", because: nodes },
  { path: /(?:^|\.)vnetSubnetID$/, what: "node subnet", because: nodes, flag: "--node-subnet-id" },
  { path: /(?:^|\.)podSubnetID$/, what: "pod subnet", because: nodes, flag: "--pod-subnet-id" },
  { path: /(?:^|\.)enableEncryptionAtHost$/, what: "encryption at the host", because: nodes, flag: "--preset" },
  { path: /(?:^|\.)(?:osType|typePropertiesType|type)$/, what: "operating system or type", because: nodes },
  { path: /(?:^|\.)osSKU$/, what: "operating system", because: "changing it reimages every node of the pool" },
];

/** Sent only in the PUT that creates the cluster. */
export const setAtCreation = /^(?:location|dnsPrefix|servicePrincipalProfile|supportPlan|tags)(?:\.|$)/;
