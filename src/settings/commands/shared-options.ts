/** Options that several commands share. */
import type { OptionName } from "../options.js";

export const everywhere = ["color", "plain", "debug", "config"] as const satisfies readonly OptionName[];

/** Every command that sends requests to Azure. */
const connects = [...everywhere, "azureCreds", "subscription", "cloud", "timeout", "concurrency"] as const satisfies readonly OptionName[];

/** Every command that shows, creates, changes or deletes resources. */
export const reads = [...connects, "output"] as const satisfies readonly OptionName[];

/** Every command that runs checks. */
export const verifies = [...connects, "verifyOutput", "only", "events", "report"] as const satisfies readonly OptionName[];

const writes = [
  ...reads,
  "dryRun",
  "plannedExitCode",
  "plan",
  "yes",
  "events",
  "report",
  "timings",
] as const satisfies readonly OptionName[];

/** Every command that creates resources. */
export const creates = [...writes, "location", "roleCommands"] as const satisfies readonly OptionName[];

/** Every command that changes or deletes existing resources. */
export const changes = [...writes, "unusedLocation"] as const satisfies readonly OptionName[];

/** The location and the names of a cluster's resources. */
const placement = [
  "naming",
  "singleResourceGroup",
  "vnetId",
  "subnetId",
  "networkSecurityGroupId",
  "dnsZoneRgName",
] as const satisfies readonly OptionName[];

/** How the workers reach the internet. Each option has the key of its setting. */
export const egressOptions = [
  "egress",
  "outboundAddresses",
  "publicIpPrefixId",
  "natGatewayId",
  "routeTableId",
  "expectedNodes",
] as const satisfies readonly OptionName[];

/** The resources of a cluster: for show, graph and verify as well as for create. */
export const infrastructure = [
  ...placement,
  ...egressOptions,
  "resourceGroupTags",
  "vnetCidr",
  "subnetCidr",
  "assignCustomHcpRoles",
  "disableClusterCapabilities",
] as const satisfies readonly OptionName[];

/** The identity files. */
export const identityFiles = ["managedIdentitiesFile", "dataPlaneIdentitiesFile"] as const satisfies readonly OptionName[];

/** The identity set. */
export const identitySet = ["identitiesName", "commonGroup", "keyVaultName", "setVaultId"] as const satisfies readonly OptionName[];

/** The identities to create. */
export const madeIdentities = [
  "keyVaultReaderObjectId",
  "managementClusterJson",
  "enableKms",
  "purgeProtection",
  "keySize",
  "validityMonths",
  "objectEncoding",
] as const satisfies readonly OptionName[];

/** The location and the names of an issuer. */
export const issuerPlace = ["oidcResourceGroupName", "storageAccountName", "blobContainerName"] as const satisfies readonly OptionName[];

/** The format and the file of manifests. */
export const manifests = ["manifestFile", "manifestFormat"] as const satisfies readonly OptionName[];

/** What a HostedCluster and its NodePools have beyond the infrastructure. */
export const hostedClusterChoices = [
  "controlPlaneAvailabilityPolicy",
  "infraAvailabilityPolicy",
  "etcdStorageClass",
  "etcdStorageSize",
  "annotations",
  "fips",
  "clusterCidr",
  "serviceCidr",
  "externalDnsDomain",
  "endpointAccess",
  "privateNatSubnetId",
  "privateAllowedSubscriptions",
  "podNetworkInstance",
  "nodePoolReplicas",
  "nodePoolAutoscaling",
  "availabilityZones",
  "instanceType",
  "nodeArchitecture",
  "imageId",
  "imageGeneration",
  "marketplacePublisher",
  "marketplaceOffer",
  "marketplaceSku",
  "marketplaceVersion",
  "rootDiskSize",
  "diskStorageAccountType",
  "diskEncryptionSetId",
  "ephemeralDisk",
  "encryptionAtHost",
  "diagnosticsStorageAccountType",
  "diagnosticsStorageAccountUri",
  "nodeUpgradeType",
  "autoRepair",
] as const satisfies readonly OptionName[];
