/** Every emulated resource type. */
import { resourceGroups } from "../resource-groups.js";
import { foreignTypes } from "./foreign.js";
import { agentPools } from "./container-service/agent-pools.js";
import { maintenanceConfigurations } from "./container-service/maintenance.js";
import { managedClusters } from "./container-service/managed-clusters.js";
import { trustedAccessRoleBindings } from "./container-service/trusted-access.js";
import { connectedClusters } from "./kubernetes/connected-clusters.js";
import { extensions } from "./kubernetes-configuration/extensions.js";
import { deletedVaults } from "./key-vaults/deleted-vaults.js";
import { vaultKeys, vaultKeyVersions } from "./key-vaults/vault-keys.js";
import { vaultConnections } from "./key-vaults/private-connections.js";
import { vaults } from "./key-vaults/vaults.js";
import { federatedIdentityCredentials } from "./managed-identity/federated-credentials.js";
import { userAssignedIdentities } from "./managed-identity/managed-identities.js";
import { networkInterfaces } from "./network/interfaces.js";
import { applicationSecurityGroups, networkSecurityGroups, securityRules } from "./network/security-groups.js";
import { loadBalancers } from "./network/load-balancers.js";
import { natGateways } from "./network/nat-gateways.js";
import { virtualNetworkPeerings } from "./network/peerings.js";
import { privateDnsZoneGroups } from "./network/private-dns-zone-groups.js";
import { privateEndpoints } from "./network/private-endpoints.js";
import { privateLinkServices } from "./network/private-link-services.js";
import { publicIpAddresses } from "./network/public-addresses.js";
import { publicIpPrefixes } from "./network/public-prefixes.js";
import { routes, routeTables } from "./network/route-tables.js";
import { serviceEndpointPolicies, serviceEndpointPolicyDefinitions } from "./network/service-endpoint-policies.js";
import { subnets, virtualNetworks } from "./network/virtual-networks.js";
import { privateDnsZones, privateRecordSets, virtualNetworkLinks } from "./dns/private-zones.js";
import { dnsZones, publicRecordSets } from "./dns/public-zones.js";
import { openShiftClusters } from "./red-hat-open-shift/clusters.js";
import { accountParts } from "./storage/account-parts.js";
import { storageAccounts } from "./storage/accounts.js";
import { containers } from "./storage/blob-containers.js";
import { fileShares } from "./storage/file-shares.js";
import { otherStorageTypes } from "./storage/other-services.js";
import { storageServices } from "./storage/services.js";
import type { StoredResource } from "../../state/state.js";
import { defineType, type ResourceType, type TypeRegistry } from "../resource-type.js";

export const emulatedTypes = typeRegistry([
  resourceGroups,
  virtualNetworks,
  subnets,
  virtualNetworkPeerings,
  networkSecurityGroups,
  securityRules,
  publicIpAddresses,
  publicIpPrefixes,
  loadBalancers,
  networkInterfaces,
  natGateways,
  privateEndpoints,
  privateDnsZoneGroups,
  privateLinkServices,
  applicationSecurityGroups,
  routeTables,
  routes,
  serviceEndpointPolicies,
  serviceEndpointPolicyDefinitions,
  dnsZones,
  ...publicRecordSets,
  privateDnsZones,
  ...privateRecordSets,
  virtualNetworkLinks,
  userAssignedIdentities,
  federatedIdentityCredentials,
  vaults,
  vaultKeys,
  vaultKeyVersions,
  vaultConnections,
  deletedVaults,
  storageAccounts,
  ...accountParts,
  ...storageServices,
  containers,
  fileShares,
  ...otherStorageTypes,
  managedClusters,
  agentPools,
  maintenanceConfigurations,
  trustedAccessRoleBindings,
  connectedClusters,
  extensions,
  openShiftClusters,
  ...foreignTypes,
]);

/** Finds the declaration of a resource type by its name, in any case. */
function typeRegistry(all: readonly ResourceType[]): TypeRegistry {
  const byName = new Map(all.map((type) => [type.name.toLowerCase(), type]));
  const named = (name: string) => byName.get(name.toLowerCase());
  return { all, named, of: (resource) => named(resource.type) ?? foreignType(resource) };
}

function foreignType({ type, location }: StoredResource): ResourceType {
  return defineType({
    name: type,
    apiVersions: [],
    verbs: ["read", "tags", "delete"],
    kind: location === undefined ? "proxy" : "tracked",
    namePattern: /./,
    nameRule: "any name",
    latency: { put: "read", delete: "read" },
  });
}
