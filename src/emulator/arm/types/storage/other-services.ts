/** File shares, queues and tables as ARM sees them, without their data planes. */
import { z } from "zod";
import { notImplemented } from "../../../core/service.js";
import { storageNotFound } from "../../errors.js";
import { type ArmCall, defineType, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { isRecord, known, oneOf } from "../../body-schema.js";
import { requireProvisioned } from "./account-keys.js";
import { accountOf } from "./blob-containers.js";
import { accountType, storageVersions } from "./account-body.js";

type ContentType = Pick<
  ResourceType,
  | "namePattern"
  | "nameRule"
  | "missingRefusal"
  | "createdStatus"
  | "deletedStatus"
  | "etag"
  | "storedProperties"
  | "presentedProperties"
  | "presentedByPut"
  | "presentedInList"
> & {
  readonly name: string;
  readonly body: z.ZodType<ResourceBody>;
};

function contentType({ name, ...type }: ContentType): ResourceType {
  return defineType({
    ...type,
    name: `${accountType}/${name}`,
    apiVersions: storageVersions,
    verbs: ["read", "write", "delete"],
    kind: "proxy",
    latency: { put: "container.put", delete: "container.put" },
    checkPut: ({ state, id }) => requireProvisioned(accountOf(state, id)),
  });
}

const metadata = z.record(z.string(), z.string()).optional();
const hyphenated = {
  namePattern: /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  nameRule: "It must have 3 to 63 lower-case letters, digits or single hyphens, and begin and end with a letter or digit.",
};

const shareReadOnly = [
  ...["accessTierChangeTime", "accessTierStatus", "deleted", "deletedTime", "includedBurstIops", "lastModifiedTime", "leaseDuration"],
  ...["leaseState", "leaseStatus", "maxBurstCreditsForIops", "nextAllowedProvisionedBandwidthDowngradeTime"],
  ...["nextAllowedProvisionedIopsDowngradeTime", "nextAllowedQuotaDowngradeTime", "remainingRetentionDays", "shareUsageBytes"],
  ...["snapshotTime", "version"],
];

const shareBody = known(
  {
    properties: known(
      {
        metadata,
        shareQuota: z.int().min(1).max(102_400).optional(),
        enabledProtocols: oneOf("SMB", "NFS").optional(),
        accessTier: oneOf("TransactionOptimized", "Hot", "Cool", "Premium").optional(),
        rootSquash: oneOf("NoRootSquash", "RootSquash", "AllSquash").optional(),
        provisionedIops: z.int().optional(),
        provisionedBandwidthMibps: z.int().optional(),
        fileSharePaidBursting: z.record(z.string(), z.unknown()).optional(),
        signedIdentifiers: z.array(z.record(z.string(), z.unknown())).optional(),
      },
      shareReadOnly,
    ).optional(),
  },
  ["id", "name", "type", "etag"],
);

const fileShares = contentType({
  ...hyphenated,
  name: "fileServices/shares",
  missingRefusal: storageNotFound("Share"),
  etag: "quoted",
  body: shareBody,
  storedProperties: ({ call, body, existing }) => {
    refuseSnapshots(call);
    const now = new Date(call.now).toISOString();
    return {
      accessTier: "TransactionOptimized",
      accessTierChangeTime: now,
      shareQuota: 102_400,
      leaseStatus: "unlocked",
      leaseState: "available",
      signedIdentifiers: [],
      ...existing?.properties,
      ...(body.properties as object | undefined),
      lastModifiedTime: now,
    };
  },
  // Azure answers what was sent, and nothing to an empty body.
  presentedByPut: ({ call, body: { properties } }, { id, name, type }) => ({
    id,
    name,
    type,
    ...(Object.keys(call.request.body as object).length > 0 && { properties: properties ?? {} }),
  }),
  presentedInList: ({ properties, ...rest }) => {
    const { signedIdentifiers: _ofSingle, metadata: _ofExpanded, ...own } = properties as Record<string, unknown>;
    return { ...rest, properties: { enabledProtocols: "SMB", ...own } };
  },
});

function refuseSnapshots({ request }: ArmCall): void {
  if ((request.query.get("$expand") ?? "").toLowerCase().includes("snapshots"))
    throw notImplemented("A snapshot of a share is not emulated.");
}

const queues = contentType({
  ...hyphenated,
  name: "queueServices/queues",
  missingRefusal: storageNotFound("Queue"),
  createdStatus: 200,
  deletedStatus: 204,
  body: known({ properties: known({ metadata }, ["approximateMessageCount"]).optional() }, ["id", "name", "type"]),
  storedProperties: ({ body, existing }) => ({ metadata: {}, ...existing?.properties, ...(body.properties as object | undefined) }),
  presentedProperties: (_state, { properties }) => ({ ...properties, approximateMessageCount: 0 }),
  presentedByPut: (_put, { properties, ...rest }) => ({ ...rest, properties: withoutMember(properties, "approximateMessageCount") }),
  presentedInList: ({ properties, ...rest }) => ({ ...rest, properties: withoutMember(properties, "approximateMessageCount") }),
});

const tables = contentType({
  name: "tableServices/tables",
  namePattern: /^[A-Za-z][A-Za-z0-9]{2,62}$/,
  nameRule: "It must have 3 to 63 letters or digits and begin with a letter.",
  missingRefusal: storageNotFound("Table"),
  createdStatus: 200,
  deletedStatus: 204,
  body: known({ properties: known({ signedIdentifiers: z.array(z.unknown()).optional() }, ["tableName"]).optional() }, [
    "id",
    "name",
    "type",
  ]),
  storedProperties: ({ name, body, existing }) => ({
    signedIdentifiers: [],
    ...existing?.properties,
    ...(body.properties as object | undefined),
    tableName: name,
  }),
  presentedByPut: ({ body }, { properties, ...rest }) => ({
    ...rest,
    properties: hasIdentifiers(body.properties) ? properties : withoutMember(properties, "signedIdentifiers"),
  }),
});

function hasIdentifiers(sent: unknown): boolean {
  return isRecord(sent) && "signedIdentifiers" in sent;
}

function withoutMember(properties: unknown, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties as object).filter(([name]) => name !== member));
}

export const otherStorageTypes: readonly ResourceType[] = [fileShares, queues, tables];
