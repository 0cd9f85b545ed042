/** The operation groups of the SDK clients that this program calls; the build omits all others from the bundle. */
import type { AuthorizationManagementClient } from "@azure/arm-authorization";
import type { ContainerServiceClient } from "@azure/arm-containerservice";
import type { DnsManagementClient } from "@azure/arm-dns";
import type { KeyVaultManagementClient } from "@azure/arm-keyvault";
import type { SourceControlConfigurationClient } from "@azure/arm-kubernetesconfiguration";
import type { ManagedServiceIdentityClient } from "@azure/arm-msi";
import type { NetworkManagementClient } from "@azure/arm-network";
import type { PrivateDnsManagementClient } from "@azure/arm-privatedns";
import type { ResourceManagementClient } from "@azure/arm-resources";
import type { StorageManagementClient } from "@azure/arm-storage";

/** The keys are packages. A group that is not listed is a type error: the clients below have no others. */
export const sdkOperations = {
  "@azure/arm-authorization": ["roleAssignments", "roleDefinitions"],
  "@azure/arm-containerservice": ["agentPools", "maintenanceConfigurations", "managedClusters"],
  "@azure/arm-dns": ["recordSets", "zones"],
  "@azure/arm-keyvault": ["vaults", "keys"],
  "@azure/arm-kubernetesconfiguration": ["extensions"],
  "@azure/arm-msi": ["federatedIdentityCredentials", "userAssignedIdentities"],
  "@azure/arm-network": [
    "loadBalancers",
    "natGateways",
    "networkInterfaces",
    "networkSecurityGroups",
    "publicIPAddresses",
    "publicIPPrefixes",
    "routeTables",
    "securityRules",
    "subnets",
    "virtualNetworks",
  ],
  "@azure/arm-privatedns": ["privateZones", "virtualNetworkLinks"],
  "@azure/arm-resources": ["providers", "resourceGroups", "resources", "tagsOperations"],
  "@azure/arm-storage": ["blobContainers", "storageAccounts"],
} as const;

type Called<Client, Package extends keyof typeof sdkOperations> = Pick<
  Client,
  Extract<(typeof sdkOperations)[Package][number], keyof Client>
>;

export type AuthorizationClient = Called<AuthorizationManagementClient, "@azure/arm-authorization">;
export type AksClient = Called<ContainerServiceClient, "@azure/arm-containerservice">;
export type DnsClient = Called<DnsManagementClient, "@azure/arm-dns">;
export type KeyVaultClient = Called<KeyVaultManagementClient, "@azure/arm-keyvault">;
export type ArcExtensionClient = Called<SourceControlConfigurationClient, "@azure/arm-kubernetesconfiguration">;
export type IdentityClient = Called<ManagedServiceIdentityClient, "@azure/arm-msi">;
export type NetworkClient = Called<NetworkManagementClient, "@azure/arm-network">;
export type PrivateDnsClient = Called<PrivateDnsManagementClient, "@azure/arm-privatedns">;
export type ResourcesClient = Called<ResourceManagementClient, "@azure/arm-resources">;
export type StorageClient = Called<StorageManagementClient, "@azure/arm-storage">;
