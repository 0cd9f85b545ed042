/** What a client can set of a storage account: every member of the published descriptions. */
import { z } from "zod";
import { known, oneOf } from "../../body-schema.js";

const rules = z.array(z.record(z.string(), z.unknown()));

const encryption = known({
  keySource: oneOf("Microsoft.Storage", "Microsoft.Keyvault").optional(),
  requireInfrastructureEncryption: z.boolean().optional(),
  services: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  identity: known({ userAssignedIdentity: z.string().optional(), federatedIdentityClientId: z.string().optional() }).optional(),
  keyvaultproperties: known({ keyname: z.string().optional(), keyversion: z.string().optional(), keyvaulturi: z.string().optional() }, [
    "currentVersionedKeyIdentifier",
    "lastKeyRotationTimestamp",
    "currentVersionedKeyExpirationTimestamp",
  ]).optional(),
});

const routingPreference = known({
  routingChoice: oneOf("MicrosoftRouting", "InternetRouting").optional(),
  publishMicrosoftEndpoints: z.boolean().optional(),
  publishInternetEndpoints: z.boolean().optional(),
});

const directory = known({
  directoryServiceOptions: oneOf("None", "AADDS", "AD", "AADKERB"),
  activeDirectoryProperties: z.record(z.string(), z.string()).optional(),
  defaultSharePermission: z.string().optional(),
  smbOAuthSettings: known({ isSmbOAuthEnabled: z.boolean() }).optional(),
});

const immutability = known({
  enabled: z.boolean().optional(),
  immutabilityPolicy: known({
    immutabilityPeriodSinceCreationInDays: z.int().min(1).max(146_000).optional(),
    state: oneOf("Unlocked", "Locked", "Disabled").optional(),
    allowProtectedAppendWrites: z.boolean().optional(),
  }).optional(),
});

/** Changeable at any time. Settings of what the emulator does not have, such as file shares over SMB, are stored and answered. */
export const changeable = {
  accessTier: oneOf("Hot", "Cool", "Cold", "Premium").optional(),
  allowBlobPublicAccess: z.boolean().optional(),
  allowCrossTenantDelegationSas: z.boolean().optional(),
  allowCrossTenantReplication: z.boolean().optional(),
  allowedCopyScope: oneOf("PrivateLink", "AAD").optional(),
  allowSharedKeyAccess: z.boolean().optional(),
  azureFilesIdentityBasedAuthentication: directory.optional(),
  customDomain: known({ name: z.string(), useSubDomainName: z.boolean().optional() }).optional(),
  defaultToOAuthAuthentication: z.boolean().optional(),
  dualStackEndpointPreference: known({ publishIpv6Endpoint: z.literal(false).optional() }).optional(),
  enableExtendedGroups: z.boolean().optional(),
  encryption: encryption.optional(),
  immutableStorageWithVersioning: immutability.optional(),
  isLocalUserEnabled: z.boolean().optional(),
  isSftpEnabled: z.boolean().optional(),
  keyPolicy: z.strictObject({ keyExpirationPeriodInDays: z.int().min(0) }).optional(),
  largeFileSharesState: oneOf("Disabled", "Enabled").optional(),
  minimumTlsVersion: oneOf("TLS1_0", "TLS1_1", "TLS1_2", "TLS1_3").optional(),
  networkAcls: z
    .strictObject({
      bypass: z.string().optional(),
      defaultAction: oneOf("Allow", "Deny"),
      ipRules: rules.optional(),
      ipv6Rules: rules.optional(),
      resourceAccessRules: rules.optional(),
      virtualNetworkRules: rules.optional(),
    })
    .optional(),
  publicNetworkAccess: oneOf("Enabled", "Disabled", "SecuredByPerimeter").optional(),
  routingPreference: routingPreference.optional(),
  sasPolicy: known({ sasExpirationPeriod: z.string(), expirationAction: oneOf("Log", "Block") }).optional(),
  supportsHttpsTrafficOnly: z.boolean().optional(),
};

/** Decided at the creation. */
export const fixed = {
  dnsEndpointType: oneOf("Standard").optional(),
  isHnsEnabled: z.boolean().optional(),
  isNfsV3Enabled: z.boolean().optional(),
};

/** Read-only members that a client sends back after it read and changed an account. */
export const readOnlyProperties = [
  "accountMigrationInProgress",
  "blobRestoreStatus",
  "creationTime",
  "failoverInProgress",
  "geoReplicationStats",
  "isSkuConversionBlocked",
  "keyCreationTime",
  "lastGeoFailoverTime",
  "primaryEndpoints",
  "primaryExtendedLocation",
  "primaryLocation",
  "privateEndpointConnections",
  "provisioningState",
  "secondaryEndpoints",
  "secondaryLocation",
  "statusOfPrimary",
  "statusOfSecondary",
  "storageAccountSkuConversionStatus",
];
