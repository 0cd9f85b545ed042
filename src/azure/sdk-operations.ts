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
import { rows } from "../domain/resource-catalogue.js";
import type { resourceTypes, ResourceTypeName, SdkOperations } from "../domain/resource-types.js";

/** Groups of operations on what is in no row of the resource types. */
const withoutRow = {
  "@azure/arm-authorization": ["roleDefinitions"],
  "@azure/arm-resources": ["providers", "resources", "tagsOperations"],
} as const;

type InRow = Extract<(typeof resourceTypes)[ResourceTypeName], { readonly sdk: SdkOperations }>["sdk"];
type Package = InRow["package"];
type GroupOf<P extends Package> =
  Extract<InRow, { readonly package: P }>["group"] | (P extends keyof typeof withoutRow ? (typeof withoutRow)[P][number] : never);

/** The keys are packages. */
export const sdkOperations: Readonly<Record<string, readonly string[]>> = allGroups();

function allGroups(): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  const listed = [
    ...rows.flatMap(({ sdk }) => sdk ?? []),
    ...Object.entries(withoutRow).flatMap(([name, list]) => list.map((group) => ({ package: name, group }))),
  ];
  for (const { package: name, group } of listed) groups[name] = [...new Set([...(groups[name] ?? []), group])];
  return groups;
}

/** A group that is not listed is a type error: the clients have no others. */
type Called<Client, P extends Package> = Pick<Client, Extract<GroupOf<P>, keyof Client>>;

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
