/** Every emulated resource type. */
import { typeRegistry } from "../type-registry.js";
import { resourceGroups } from "../resource-groups.js";
import { foreignTypes } from "./foreign.js";
import { agentPools } from "./container-service/agent-pools.js";
import { managedClusters } from "./container-service/managed-clusters.js";
import { deletedVaults } from "./key-vaults/deleted-vaults.js";
import { vaultKeys, vaultKeyVersions } from "./key-vaults/vault-keys.js";
import { vaults } from "./key-vaults/vaults.js";
import { federatedIdentityCredentials } from "./federated-credentials.js";
import { userAssignedIdentities } from "./managed-identities.js";
import { networkInterfaces } from "./network/interfaces.js";
import { loadBalancers } from "./network/load-balancers.js";
import { natGateways } from "./network/nat-gateways.js";
import { publicIpAddresses } from "./network/public-addresses.js";
import { networkSecurityGroups, securityRules } from "./network/security-groups.js";
import { subnets, virtualNetworks } from "./network/virtual-networks.js";
import { privateDnsZones, virtualNetworkLinks } from "./private-dns.js";
import { dnsZones, recordSets } from "./public-dns.js";
import { storageAccounts } from "./storage/accounts.js";
import { blobServices, containers } from "./storage/containers.js";
import { otherStorageTypes } from "./storage/other-services.js";

export const emulatedTypes = typeRegistry([
  resourceGroups,
  virtualNetworks,
  subnets,
  networkSecurityGroups,
  securityRules,
  publicIpAddresses,
  loadBalancers,
  networkInterfaces,
  natGateways,
  dnsZones,
  ...recordSets,
  privateDnsZones,
  virtualNetworkLinks,
  userAssignedIdentities,
  federatedIdentityCredentials,
  vaults,
  vaultKeys,
  vaultKeyVersions,
  deletedVaults,
  storageAccounts,
  blobServices,
  containers,
  ...otherStorageTypes,
  managedClusters,
  agentPools,
  ...foreignTypes,
]);
