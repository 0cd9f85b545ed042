/** Options that several commands take together. */
import type { OptionName } from "../options.js";

export const everywhere = ["color", "debug", "config"] as const satisfies readonly OptionName[];

/** What asks Azure something. */
export const reads = [
  ...everywhere,
  "azureCreds",
  "subscription",
  "cloud",
  "output",
  "timeout",
  "concurrency",
] as const satisfies readonly OptionName[];

/** What makes or removes something. */
export const changes = [...reads, "location", "dryRun", "yes", "events"] as const satisfies readonly OptionName[];

/** Where the resources of a cluster are, and what they are named. */
export const placement = [
  "naming",
  "singleResourceGroup",
  "vnetId",
  "subnetId",
  "networkSecurityGroupId",
  "dnsZoneRgName",
] as const satisfies readonly OptionName[];

/** Which resources a cluster has: who shows, draws or verifies them needs it as well as who creates them. */
export const infrastructure = [
  ...placement,
  "egress",
  "resourceGroupTags",
  "vnetCidr",
  "subnetCidr",
  "assignCustomHcpRoles",
  "disableClusterCapabilities",
] as const satisfies readonly OptionName[];

/** Which identities there are, in files. */
export const identityFiles = ["managedIdentitiesFile", "dataPlaneIdentitiesFile"] as const satisfies readonly OptionName[];

/** Which set of identities. */
export const identitySet = ["persistentResourceGroupName", "keyVaultName"] as const satisfies readonly OptionName[];

/** What the identities that are created are to be. */
export const madeIdentities = ["keyVaultReaderObjectId", "enableKms", "keySize", "validityMonths"] as const satisfies readonly OptionName[];

/** Where an issuer is, and what it is named. */
export const issuerPlace = ["oidcResourceGroupName", "storageAccountName", "blobContainerName"] as const satisfies readonly OptionName[];

/** What manifests are printed as, and where to. */
export const manifests = ["manifestFile", "manifestFormat"] as const satisfies readonly OptionName[];
