/** The body of a storage account's PUT and PATCH, Azure's defaults, and the API versions of its provider. */
import { z } from "zod";
import type { StoredResource } from "../../../state/state.js";
import { identityBody } from "../../assigned-identities.js";
import { isRecord, known, oneOf } from "../../body-schema.js";
import { versionsOf } from "../../api-versions.js";
import { endpointsOf } from "./account-endpoints.js";
import { changeable, fixed, readOnlyProperties } from "./account-settings.js";

export const accountPatch: z.ZodType<Record<string, unknown>> = z.strictObject(changeable);

const skuName = oneOf(
  ...(["Standard_LRS", "Standard_GRS", "Standard_RAGRS", "Standard_ZRS", "Standard_GZRS", "Standard_RAGZRS"] as const),
  ...(["Premium_LRS", "Premium_ZRS"] as const),
  ...(["StandardV2_LRS", "StandardV2_GRS", "StandardV2_ZRS", "StandardV2_GZRS", "PremiumV2_LRS", "PremiumV2_ZRS"] as const),
);

export const accountSku = known({ name: skuName }, ["tier"]).transform(({ name }) => ({
  name,
  tier: isPremium(name) ? "Premium" : "Standard",
}));

function isPremium(sku: unknown): boolean {
  return String(sku).startsWith("Premium");
}

export const accountKind = oneOf("StorageV2", "BlobStorage", "Storage", "BlockBlobStorage", "FileStorage");

const edgeZone = known({ name: z.string(), type: oneOf("EdgeZone") });

export const accountBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    sku: accountSku,
    kind: accountKind,
    identity: identityBody.optional(),
    extendedLocation: edgeZone.optional(),
    zones: z.array(z.string()).optional(),
    properties: known({ ...changeable, ...fixed }, readOnlyProperties).optional(),
  },
  ["id", "name", "type", "etag", "systemData"],
);

/** In all api-versions. Shared keys are on, which absence means too. */
export const accountDefaults = {
  allowCrossTenantDelegationSas: false,
  allowCrossTenantReplication: false,
  minimumTlsVersion: "TLS1_2",
  supportsHttpsTrafficOnly: true,
} as const;

const noRules = { ipRules: [], ipv6Rules: [], virtualNetworkRules: [] };

/** As answered: with the members that Azure always adds, and those that follow from the creation time. */
export function presentProperties(account: StoredResource): Record<string, unknown> {
  const { properties, createdAt = 0 } = account;
  const creationTime = new Date(createdAt).toISOString();
  const sent = (name: string): Record<string, unknown> => (isRecord(properties[name]) ? properties[name] : {});
  return {
    ...properties,
    ...endpointsOf(account),
    creationTime,
    networkAcls: { bypass: "AzureServices", defaultAction: "Allow", ...noRules, ...sent("networkAcls") },
    encryption: {
      keySource: "Microsoft.Storage",
      ...sent("encryption"),
      services: encryptedServices(sent("encryption")["services"], creationTime),
    },
  };
}

/** Blobs and files have keys of the account in any case; queues and tables only if a creation asks for it. */
function encryptedServices(sent: unknown, lastEnabledTime: string): Record<string, unknown> {
  const services = isRecord(sent) ? sent : {};
  const named = ["blob", "file", ...["queue", "table"].filter((each) => each in services)];
  return Object.fromEntries(
    named.map((each) => [each, { enabled: true, keyType: "Account", ...(services[each] as object | undefined), lastEnabledTime }]),
  );
}

/** The API versions of Microsoft.Storage, and the names of its types. */
export const storageVersions = versionsOf("Microsoft.Storage", { from: "2018-02-01" });

export const accountType = "Microsoft.Storage/storageAccounts";
export const containerType = `${accountType}/blobServices/containers`;
