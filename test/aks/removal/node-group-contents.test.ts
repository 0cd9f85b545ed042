/** Which contents of a node resource group AKS created for itself, with the cluster and without it. */
import { expect, test } from "vitest";
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { foreignInNodeGroup, nodeGroupRefusal } from "../../../src/aks/removal/node-group-contents.js";
import { aksClusterIds } from "../../harness/aks-cluster.js";

const { nodeGroup } = aksClusterIds();
const guid = "0aa11bb2-1111-4222-8333-0123456789ab";
const idOf = (type: string, name: string) => `${nodeGroup}/providers/${type}/${name}`;
const resource = (type: string, name: string, more: GenericResourceExpanded = {}): GenericResourceExpanded => {
  return { id: idOf(type, name), type, name, ...more };
};
const network = (type: string, name: string, more?: GenericResourceExpanded) => resource(`Microsoft.Network/${type}`, name, more);
const identity = (name: string) => resource("Microsoft.ManagedIdentity/userAssignedIdentities", name);
const compute = (type: string, name: string, more?: GenericResourceExpanded) => resource(`Microsoft.Compute/${type}`, name, more);

const pool = { "aks-managed-poolName": "system" };
const scaleSet = compute("virtualMachineScaleSets", "aks-system-12345678-vmss", { tags: pool });
const endpoint = network("privateEndpoints", "kube-apiserver");
const linkService = network("privateLinkServices", "pls-a1b2", { tags: { "k8s-azure-owner-service": "hypershift-sharedingress/router" } });
const node = `${scaleSet.id ?? ""}/virtualMachines/0`;
const osDisk = `aks-system-123456aks-system-1234567OS__1_${"0a".repeat(16)}`;
const service = { "k8s-azure-service": "default/web", "k8s-azure-cluster-name": "kubernetes" };
const claim = (name: string) => ({
  "kubernetes.io-created-for-pvc-namespace": "monitoring",
  "kubernetes.io-created-for-pvc-name": name,
  "kubernetes.io-created-for-pv-name": "pvc-1",
});
/** AKS copies them from its group to resources, and so does a policy. */
const copied = { "aks-managed-cluster-name": "mgmt", "aks-managed-cluster-rg": "mgmt" };

type Row = readonly [what: string, one: GenericResourceExpanded, others?: readonly GenericResourceExpanded[]];

const own: readonly Row[] = [
  ["a scale set", scaleSet],
  ["a scale set of Windows nodes", compute("virtualMachineScaleSets", "akswin", { tags: { "AKS-managed-poolname": "win" } })],
  ["the disk of a node", compute("disks", osDisk, { managedBy: node.toUpperCase() }), [scaleSet]],
  [
    "a part of a scale set",
    { id: `${scaleSet.id ?? ""}/extensions/a`, type: "Microsoft.Compute/virtualMachineScaleSets/extensions", name: "a" },
    [scaleSet],
  ],
  ["the load balancer", network("loadBalancers", "kubernetes")],
  ["the internal load balancer", network("loadBalancers", "Kubernetes-Internal")],
  ["the load balancer of an API server in the network", network("loadBalancers", "kube-apiserver")],
  ["an outbound address", network("publicIPAddresses", guid, { tags: { "aks-managed-type": "aks-slb-managed-outbound-ip" } })],
  ["the address of a service", network("publicIPAddresses", `kubernetes-a${"0".repeat(31)}`, { tags: service })],
  ["the address of a service, of an earlier version", network("publicIPAddresses", "kubernetes-a0", { tags: { service: "default/web" } })],
  ["the IPv6 address of a service", network("publicIPAddresses", "kubernetes-a0-IPv6", { tags: service })],
  ["the security group", network("networkSecurityGroups", "aks-agentpool-12345678-nsg")],
  ["the route table", network("routeTables", "aks-agentpool-12345678-routetable")],
  ["the network", network("virtualNetworks", "aks-vnet-12345678")],
  ["the identity of the nodes", identity("mgmt-agentpool")],
  ["the identity of the secrets provider", identity("azurekeyvaultsecretsprovider-mgmt")],
  ["the identity of an add-on, in another casing", identity("OmsAgent-MGMT")],
  ["the private endpoint of a private cluster", endpoint],
  ["its network interface", network("networkInterfaces", `kube-apiserver.nic.${guid}`), [endpoint]],
  ["its private DNS zone", network("privateDnsZones", `${guid}.privatelink.eastus.azmk8s.io`)],
  ["the private link service of a service", linkService],
  ["its network interface", network("networkInterfaces", `pls-a1b2.nic.${guid}`), [linkService]],
];

const foreign: readonly Row[] = [
  ["a volume", compute("disks", "pvc-1", { tags: claim("data-0") })],
  ["a volume on a node", compute("disks", "pvc-1", { tags: claim("data-0"), managedBy: node }), [scaleSet]],
  ["a volume with the name of a node's disk", compute("disks", osDisk, { tags: claim("data-0"), managedBy: node }), [scaleSet]],
  ["a disk of others on a node", compute("disks", "theirs", { managedBy: node }), [scaleSet]],
  ["a disk with the name of a node's disk", compute("disks", osDisk), [scaleSet]],
  ["a snapshot of a volume", compute("snapshots", "snapshot-1", { tags: { "k8s-azure-created-by": "kubernetes-azure-dd" } })],
  [
    "a storage account of the CSI driver",
    resource("Microsoft.Storage/storageAccounts", "f0a1", { tags: { "k8s-azure-created-by": "azure" } }),
  ],
  ["a SQL server with the tags of the group", resource("Microsoft.Sql/servers", "theirs", { tags: copied })],
  [
    "a load balancer of others with the tags of AKS's",
    network("loadBalancers", "theirs", { tags: { ...copied, "aks-managed-type": "aks-slb" } }),
  ],
  ["an address of others", network("publicIPAddresses", "theirs", { tags: copied })],
  ["an address of others that a service uses", network("publicIPAddresses", "theirs", { tags: service })],
  ["an address with the name of a service's alone", network("publicIPAddresses", "kubernetes-a0")],
  ["a scale set of others", compute("virtualMachineScaleSets", "aks-theirs", { tags: copied })],
  ["a virtual machine", compute("virtualMachines", "jump")],
  ["a network of others", network("virtualNetworks", "aks-vnet-theirs")],
  ["a security group of others", network("networkSecurityGroups", "theirs-nsg")],
  ["an identity of others", identity("payroll")],
  ["the identity of another cluster's nodes", identity("svc-agentpool")],
  ["a private endpoint of others", network("privateEndpoints", "vault")],
  ["its network interface", network("networkInterfaces", `vault.nic.${guid}`), [network("privateEndpoints", "vault")]],
  ["a network interface with a name like one of AKS's", network("networkInterfaces", `kube-apiserver.nic.${guid}`), []],
  ["a private DNS zone of others", network("privateDnsZones", "privatelink.eastus.azmk8s.io")],
  ["a private link service of others", network("privateLinkServices", "pls-theirs")],
];

const rows = [
  ...own.map(([what, one, others]) => ({ what, one, others: others ?? [], isOwn: true })),
  ...foreign.map(([what, one, others]) => ({ what, one, others: others ?? [], isOwn: false })),
].map((row) => [row.what, row] as const);

const live: ManagedCluster = { location: "eastus", nodeResourceGroup: "mgmt-nodes", addonProfiles: {} };

test.each(rows)("%s", (_what, { one, others, isOwn }) => {
  const contents = [...others, one];
  for (const cluster of [live, undefined]) {
    const found = foreignInNodeGroup("mgmt-nodes", { clusterName: "mgmt", live: cluster, contents });
    expect(found.some(({ id }) => id === one.id)).toBe(!isOwn);
  }
});

test("the identity that the cluster names for an add-on is AKS's while the cluster exists", () => {
  const one = identity("new-addon");
  const addonProfiles = { newAddOn: { enabled: true, identity: { resourceId: one.id?.toUpperCase() ?? "" } } };
  const of = (cluster: ManagedCluster | undefined) =>
    foreignInNodeGroup("mgmt-nodes", { clusterName: "mgmt", live: cluster, contents: [one] });
  expect(of({ ...live, addonProfiles })).toEqual([]);
  expect(of(undefined)).toHaveLength(1);
});

test("each one is named with its type, and a volume with its claim", () => {
  const contents = [compute("disks", "pvc-1", { tags: claim("data-0") }), resource("Microsoft.Sql/servers", "theirs")];
  const found = foreignInNodeGroup("mgmt-nodes", { clusterName: "mgmt", live, contents });
  expect(found.map(({ title, why }) => `${title}: ${why}`)).toEqual([
    "disk pvc-1: deleted with resource group mgmt-nodes (volume of claim monitoring/data-0)",
    "Microsoft.Sql/servers theirs: deleted with resource group mgmt-nodes (AKS did not create it)",
  ]);
  const refusal = nodeGroupRefusal("mgmt", found);
  expect([refusal?.code, refusal?.because]).toEqual(["ARO-OWN-004", found.map(({ id }) => id).join(", ")]);
  expect(nodeGroupRefusal("mgmt", [])).toBeUndefined();
});
