/** The distribution and infrastructure of a connected cluster, named as `az connectedk8s connect` does. */

/** Azure accepts any text; az knows these. */
export const distributions = [
  ...["generic", "openshift", "rancher_rke", "kind", "k3s", "minikube", "gke", "eks", "aks", "aks_management", "aks_workload"],
  ...["aks_engine", "aks_edge_k3s", "aks_edge_k8s", "capz", "tkg"],
] as const;
export const infrastructures = [
  ...["generic", "azure", "aws", "gcp", "azure_stack_hci", "azure_stack_hub", "azure_stack_edge", "vsphere", "windows_server"],
] as const;

type Distribution = (typeof distributions)[number];
type Infrastructure = (typeof infrastructures)[number];

/** The platform as Azure names it. */
export interface ClusterPlatform {
  readonly distribution: string;
  readonly infrastructure: string;
}

interface DetectedPlatform extends ClusterPlatform {
  readonly distribution: Distribution;
  readonly infrastructure: Infrastructure;
}

/** The members of a node that show them. */
export interface NodeFacts {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly providerID?: string };
}

/** The platform if no nodes can be read: this program connects OpenShift clusters, and those of ARO are in Azure. */
const withoutNodes: DetectedPlatform = { distribution: "openshift", infrastructure: "azure" };

/** The kind that az gives to nodes that show no other. */
const unknown = "generic";

/** The first node that shows something decides. */
export function platformOf(nodes: readonly NodeFacts[]): DetectedPlatform {
  if (nodes.length === 0) return withoutNodes;
  const first = <T>(read: (node: NodeFacts) => T | undefined) => nodes.map(read).find((found) => found !== undefined) ?? unknown;
  return { distribution: first(distributionOf), infrastructure: first(infrastructureOf) };
}

/** Whether what Azure has contradicts what the nodes show. */
export function contradicts(azure: string | undefined, nodes: string): boolean {
  return nodes !== unknown && azure?.toLowerCase() !== nodes;
}

const byLabel: Readonly<Record<string, Distribution>> = {
  "node.openshift.io/os_id": "openshift",
  "kubernetes.azure.com/node-image-version": "aks",
  "cloud.google.com/gke-nodepool": "gke",
  "cloud.google.com/gke-os-distribution": "gke",
  "eks.amazonaws.com/nodegroup": "eks",
  "minikube.k8s.io/version": "minikube",
};
const edgeAnnotation = "node.aksedge.io/distro";
const rancherAnnotations = ["rke.cattle.io/external-ip", "rke.cattle.io/internal-ip"];

function distributionOf(node: NodeFacts): Distribution | undefined {
  const { labels = {}, annotations = {} } = node.metadata ?? {};
  const label = Object.keys(byLabel).find((name) => name in labels);
  if (label !== undefined) return byLabel[label];
  const named = [annotations[edgeAnnotation], providerOf(node)];
  const distribution = (["aks_edge_k3s", "aks_edge_k8s", "kind", "k3s"] as const).find((one) => named.includes(one));
  return distribution ?? (rancherAnnotations.some((name) => name in annotations) ? "rancher_rke" : undefined);
}

function infrastructureOf(node: NodeFacts): Infrastructure | undefined {
  const provider = providerOf(node);
  return provider === "gce" ? "gcp" : infrastructures.find((one) => one !== unknown && one === provider);
}

/** `azure:///subscriptions/...` */
function providerOf({ spec }: NodeFacts): string | undefined {
  return spec?.providerID?.split(":", 1)[0]?.toLowerCase();
}
