/** A management cluster as its output file describes it. */
import type { KnownAksCluster } from "../../../src/files/aks-cluster-output.js";

export const subscriptionId = "11111111-1111-1111-1111-111111111111";
const group = `/subscriptions/${subscriptionId}/resourceGroups/mgmt`;
const identities = "providers/Microsoft.ManagedIdentity/userAssignedIdentities";

/** What a create knows before its first step. */
export const newCluster: KnownAksCluster = {
  kind: "management-cluster",
  name: "mgmt",
  cloud: "AzurePublicCloud",
  subscriptionId,
  tenantId: "22222222-2222-2222-2222-222222222222",
  location: "eastus",
};

export const addOn = {
  id: `${group}-nodes/${identities}/azurekeyvaultsecretsprovider-mgmt`,
  clientId: "33333333-3333-3333-3333-333333333333",
  objectId: "44444444-4444-4444-4444-444444444444",
};

export const createdCluster: KnownAksCluster = {
  ...newCluster,
  resourceGroupName: "mgmt",
  nodeResourceGroupName: "mgmt-nodes",
  clusterId: `${group}/providers/Microsoft.ContainerService/managedClusters/mgmt`,
  oidcIssuerUrl: "https://eastus.oic.prod-aks.azure.com/22222222-2222-2222-2222-222222222222/55555555-5555-5555-5555-555555555555/",
  keyVaultAddOn: addOn,
  egressAddresses: [
    {
      id: `${group}/providers/Microsoft.Network/publicIPAddresses/mgmt-outbound-ip`,
      ipAddress: "20.0.0.7",
      ipTags: [{ type: "FirstPartyUsage", tag: "/NonProd" }],
    },
  ],
  vaultIds: [],
};
