/** Distribution and infrastructure of a connected cluster, from its nodes: the values of az for the same nodes. */
import { expect, test } from "vitest";
import { contradicts, distributions, infrastructures, platformOf, type NodeFacts } from "../../../src/arc/domain/distribution.js";

const labelled = (label: string, providerID?: string): NodeFacts => ({
  metadata: { labels: { "kubernetes.io/os": "linux", [label]: "" } },
  ...(providerID !== undefined && { spec: { providerID } }),
});
const annotated = (annotations: Record<string, string>): NodeFacts => ({ metadata: { annotations } });

test.each<[string, readonly NodeFacts[], readonly string[]]>([
  ["OpenShift in Azure", [labelled("node.openshift.io/os_id", "azure:///subscriptions/x")], ["openshift", "azure"]],
  ["OpenShift on AWS", [labelled("node.openshift.io/os_id", "aws:///us-east-1a/i-0")], ["openshift", "aws"]],
  ["OpenShift on vSphere", [labelled("node.openshift.io/os_id", "vsphere://4230")], ["openshift", "vsphere"]],
  ["OpenShift without a provider", [labelled("node.openshift.io/os_id")], ["openshift", "generic"]],
  ["OpenShift on a provider that az does not know", [labelled("node.openshift.io/os_id", "openstack:///1")], ["openshift", "generic"]],
  ["a second node that shows what the first does not", [{}, labelled("node.openshift.io/os_id", "azure:///x")], ["openshift", "azure"]],
  ["AKS", [labelled("kubernetes.azure.com/node-image-version", "azure:///x")], ["aks", "azure"]],
  ["GKE", [labelled("cloud.google.com/gke-nodepool", "gce://x")], ["gke", "gcp"]],
  ["EKS", [labelled("eks.amazonaws.com/nodegroup", "aws:///x")], ["eks", "aws"]],
  ["minikube", [labelled("minikube.k8s.io/version")], ["minikube", "generic"]],
  ["kind", [{ spec: { providerID: "kind://docker/kind/worker" } }], ["kind", "generic"]],
  ["k3s", [{ spec: { providerID: "k3s://worker" } }], ["k3s", "generic"]],
  ["AKS Edge Essentials", [annotated({ "node.aksedge.io/distro": "aks_edge_k8s" })], ["aks_edge_k8s", "generic"]],
  ["RKE", [annotated({ "rke.cattle.io/internal-ip": "10.0.0.4" })], ["rancher_rke", "generic"]],
  ["nodes that show nothing", [{}, {}], ["generic", "generic"]],
  ["no nodes", [], ["openshift", "azure"]],
])("%s", (_name, nodes, expected) => {
  const { distribution, infrastructure } = platformOf(nodes);
  expect([distribution, infrastructure]).toEqual(expected);
  expect(distributions).toContain(distribution);
  expect(infrastructures).toContain(infrastructure);
});

test("nodes contradict Azure only if they show something, in any case", () => {
  expect(contradicts("OpenShift", "openshift")).toBe(false);
  expect(contradicts("azure_stack_hci", "generic")).toBe(false);
  expect(contradicts("azure", "aws")).toBe(true);
  expect(contradicts(undefined, "aws")).toBe(true);
});
