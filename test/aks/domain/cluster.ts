/** A cluster as options choose it, and the IDs of what it uses, for tests of its properties. */
import { chosenPools, type PoolChoice } from "../../../src/aks/domain/choices.js";
import type { ClusterKind } from "../../../src/domain/cluster-kind.js";
import type { AksClusterSpec } from "../../../src/aks/domain/cluster-spec.js";
import { presetFacts } from "../../../src/aks/domain/presets.js";
import type { ClusterParts } from "../../../src/aks/domain/properties.js";

const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/mgmt/providers";
const uuid = "00000000-0000-4000-8000-000000000001";
export const networkIds = {
  vnet: `${group}/Microsoft.Network/virtualNetworks/mgmt-vnet`,
  addresses: `${group}/Microsoft.Network/publicIPAddresses`,
};
const identities = `${group}/Microsoft.ManagedIdentity/userAssignedIdentities`;

export const parts: ClusterParts = {
  nodeSubnetId: `${networkIds.vnet}/subnets/ClusterSubnet-001`,
  podSubnetId: `${networkIds.vnet}/subnets/PodSubnet-001`,
  outboundAddressId: `${networkIds.addresses}/mgmt-outbound-ip`,
  clusterIdentityId: `${identities}/mgmt-msi`,
  kubelet: { id: `${identities}/mgmt-kubelet-msi`, clientId: uuid, objectId: uuid },
  etcdKeyId: undefined,
  kubernetesVersion: undefined,
};

export function clusterSpec(
  choice: PoolChoice,
  more: Partial<AksClusterSpec> = {},
  kind: ClusterKind = "management-cluster",
): AksClusterSpec {
  const { features, podSubnetCidr } = presetFacts[choice.preset];
  return {
    cluster: { kind, name: "mgmt" },
    ...{ subscriptionId: "5b5c0000-0000-4000-8000-000000000001", tenantId: uuid, location: "eastus" },
    group: { name: "mgmt", isExisting: false },
    nodeGroupName: "mgmt-nodes",
    securityGroupName: "mgmt-node-nsg",
    features,
    kubernetesVersion: undefined,
    network: {
      vnetCidr: "10.128.0.0/14",
      nodeSubnetCidr: "10.128.8.0/21",
      podSubnetCidr,
      serviceCidr: "10.130.0.0/16",
      dnsServiceIp: "10.130.0.10",
    },
    existing: {},
    purgeProtection: "new",
    egressIpTags: [],
    pools: chosenPools(kind, choice).pools,
    ...{ vaultIds: [], adminGroupIds: [], registryIds: [], tags: {}, ingress: undefined },
    ...more,
  };
}
