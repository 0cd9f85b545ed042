/** The body of a storage account's PUT and PATCH, Azure's defaults, and the API versions of its provider. */
import { z } from "zod";
import type { StoredResource } from "../../../state/state.js";
import { pairOf } from "../../regions.js";
import { isRecord, known, oneOf } from "../../body-schema.js";
import { versionsOf } from "../../api-versions.js";

const rules = z.array(z.record(z.string(), z.unknown()));

const encryption = z.strictObject({
  keySource: oneOf("Microsoft.Storage").optional(),
  requireInfrastructureEncryption: z.boolean().optional(),
  services: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

/** Changeable at any time. */
const changeable = {
  accessTier: oneOf("Hot", "Cool", "Cold", "Premium").optional(),
  allowBlobPublicAccess: z.boolean().optional(),
  allowCrossTenantReplication: z.boolean().optional(),
  allowedCopyScope: oneOf("PrivateLink", "AAD").optional(),
  allowSharedKeyAccess: z.boolean().optional(),
  defaultToOAuthAuthentication: z.boolean().optional(),
  encryption: encryption.optional(),
  isLocalUserEnabled: z.boolean().optional(),
  isSftpEnabled: z.literal(false).optional(),
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
  supportsHttpsTrafficOnly: z.boolean().optional(),
};

export const accountPatch: z.ZodType<Record<string, unknown>> = z.strictObject(changeable);

/** Read-only members that a client sends back after it read and changed an account. */
const readOnlyProperties = [
  "provisioningState",
  "primaryEndpoints",
  "primaryLocation",
  "statusOfPrimary",
  "secondaryEndpoints",
  "secondaryLocation",
  "statusOfSecondary",
  "creationTime",
  "keyCreationTime",
  "privateEndpointConnections",
];

/** Premium accounts, the other tier, are not emulated. */
export const accountSku = known(
  { name: oneOf("Standard_LRS", "Standard_GRS", "Standard_RAGRS", "Standard_ZRS", "Standard_GZRS", "Standard_RAGZRS") },
  ["tier"],
).transform(({ name }) => ({ name, tier: "Standard" }));

export const accountBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    sku: accountSku,
    kind: oneOf("StorageV2", "BlobStorage", "Storage"),
    properties: known(
      {
        ...changeable,
        dnsEndpointType: oneOf("Standard").optional(),
        isHnsEnabled: z.literal(false).optional(),
        isNfsV3Enabled: z.literal(false).optional(),
      },
      readOnlyProperties,
    ).optional(),
  },
  ["id", "name", "type", "etag", "systemData"],
);

/** In all api-versions. Shared keys are on, which absence means too. */
export const accountDefaults = {
  allowCrossTenantReplication: false,
  minimumTlsVersion: "TLS1_2",
  supportsHttpsTrafficOnly: true,
} as const;

/** Where an account of a geo-redundant SKU has its second copy, which some SKUs let clients read. */
function secondCopy({ name, properties, sku, beside }: StoredResource): Record<string, unknown> {
  const pair = pairOf(String(properties["primaryLocation"]));
  const redundancy = String(sku?.["name"]);
  if (!/_(RA)?GZ?RS$/.test(redundancy) || pair === undefined) return {};
  const { file: _onlyPrimary, ...secondaryEndpoints } = endpointsOf(`${name}-secondary`, beside?.["kind"] as Kind);
  return {
    secondaryLocation: pair,
    statusOfSecondary: "available",
    ...(redundancy.includes("_RA") && { secondaryEndpoints }),
  };
}

const servicesOf = {
  StorageV2: ["blob", "dfs", "file", "queue", "table", "web"],
  BlobStorage: ["blob", "dfs", "table"],
  Storage: ["blob", "file", "queue", "table"],
} as const;

type Kind = keyof typeof servicesOf;

export function endpointsOf(name: string, kind: Kind): Record<string, string> {
  return Object.fromEntries(
    servicesOf[kind].map((each) => [each, `https://${name}.${each === "web" ? "z13.web" : each}.core.windows.net/`]),
  );
}

const noRules = { ipRules: [], ipv6Rules: [], virtualNetworkRules: [] };

/** As answered: with the members that Azure always adds, and those that follow from the creation time. */
export function presentProperties(account: StoredResource): Record<string, unknown> {
  const { properties, createdAt = 0 } = account;
  const creationTime = new Date(createdAt).toISOString();
  const sent = (name: string): Record<string, unknown> => (isRecord(properties[name]) ? properties[name] : {});
  const service = { enabled: true, keyType: "Account", lastEnabledTime: creationTime };
  return {
    ...properties,
    ...secondCopy(account),
    creationTime,
    keyCreationTime: { key1: creationTime, key2: creationTime },
    networkAcls: { bypass: "AzureServices", defaultAction: "Allow", ...noRules, ...sent("networkAcls") },
    encryption: { keySource: "Microsoft.Storage", ...sent("encryption"), services: { blob: service, file: service } },
  };
}

/** The API versions of Microsoft.Storage, and the names of its types. */
export const storageVersions = versionsOf("Microsoft.Storage", { from: "2018-02-01" });

export const accountType = "Microsoft.Storage/storageAccounts";
export const containerType = `${accountType}/blobServices/containers`;
