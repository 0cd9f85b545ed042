/** The services of a storage account as ARM sees them: every account has each of them from the start, with its settings. */
import { z } from "zod";
import type { StoredResource } from "../../../state/state.js";
import { defineType, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { isRecord, known } from "../../body-schema.js";
import type { VersionDifference } from "../../version-difference.js";
import { requireProvisioned } from "./account-keys.js";
import { accountOf } from "./blob-containers.js";
import { accountType, storageVersions } from "./account-body.js";

const cors = z.strictObject({ corsRules: z.array(z.record(z.string(), z.unknown())).optional() }).optional();

const days = z.int().min(1).max(365).optional();
const retention = known({ enabled: z.boolean().optional(), days, allowPermanentDelete: z.boolean().optional() }).optional();

/** Settings without effect here: of versions, change feeds, points in time, and access over SMB and NFS. */
const blobSettings = {
  automaticSnapshotPolicyEnabled: z.boolean().optional(),
  changeFeed: known({ enabled: z.boolean().optional(), retentionInDays: z.int().min(1).max(146_000).optional() }).optional(),
  containerDeleteRetentionPolicy: retention,
  defaultServiceVersion: z.string().optional(),
  deleteRetentionPolicy: retention,
  isVersioningEnabled: z.boolean().optional(),
  lastAccessTimeTrackingPolicy: known({
    enable: z.boolean(),
    name: z.string().optional(),
    trackingGranularityInDays: z.int().optional(),
    blobType: z.array(z.string()).optional(),
  }).optional(),
  restorePolicy: known({ enabled: z.boolean(), days }, ["lastEnabledTime", "minRestoreTime"]).optional(),
  staticWebsite: known({
    enabled: z.boolean(),
    indexDocument: z.string().optional(),
    defaultIndexDocumentPath: z.string().optional(),
    errorDocument404Path: z.string().optional(),
  }).optional(),
};

const transit = known({ required: z.boolean().optional() }).optional();
const protocolSettings = known({
  smb: known({
    multichannel: known({ enabled: z.boolean().optional() }).optional(),
    versions: z.string().optional(),
    authenticationMethods: z.string().optional(),
    kerberosTicketEncryption: z.string().optional(),
    channelEncryption: z.string().optional(),
    encryptionInTransit: transit,
  }).optional(),
  nfs: known({ encryptionInTransit: transit }).optional(),
}).optional();

interface Service {
  readonly name: string;
  readonly skuOfParent?: true;
  /** What can be changed in addition to the rules of cross-origin requests. */
  readonly changeable: z.ZodRawShape;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly versionDifferences?: readonly VersionDifference[];
}

const noRules = { cors: { corsRules: [] } };

const blobService: Service = {
  name: "blobServices",
  skuOfParent: true,
  changeable: blobSettings,
  defaults: { ...noRules, staticWebsite: { enabled: false }, deleteRetentionPolicy: { allowPermanentDelete: false, enabled: false } },
  versionDifferences: [{ member: "staticWebsite", since: "2025-06-01" }],
};

const services: readonly Service[] = [
  blobService,
  {
    name: "fileServices",
    skuOfParent: true,
    changeable: { shareDeleteRetentionPolicy: retention, protocolSettings },
    defaults: { ...noRules, protocolSettings: { smb: {} }, shareDeleteRetentionPolicy: { enabled: true, days: 7 } },
  },
  {
    name: "queueServices",
    // Of the versions in between, there is no recording.
    versionDifferences: [{ member: "logging", since: "2021-06-01" }],
    changeable: {},
    defaults: {
      ...noRules,
      logging: { version: "1.0", delete: false, read: false, write: false, retentionPolicy: { enabled: false } },
    },
  },
  { name: "tableServices", changeable: {}, defaults: noRules },
];

export function defaultServices(accountId: string): StoredResource[] {
  return services.map((service) => defaultService(accountId, service));
}

export function defaultBlobService(accountId: string): StoredResource {
  return defaultService(accountId, blobService);
}

function defaultService(accountId: string, { name, defaults }: Service): StoredResource {
  return { id: `${accountId}/${name}/default`, name: "default", type: `${accountType}/${name}`, properties: { ...defaults } };
}

export const storageServices: readonly ResourceType[] = services.map(serviceType);

function serviceType({ name, changeable, skuOfParent, versionDifferences }: Service): ResourceType {
  const body = known({ properties: z.strictObject({ cors, ...changeable }).optional() }, ["id", "name", "type", "sku"]);
  return defineType<ResourceBody & z.output<typeof body>>({
    name: `${accountType}/${name}`,
    apiVersions: storageVersions,
    verbs: ["read", "write"],
    kind: "proxy",
    ...(skuOfParent && { skuOfParent }),
    ...(versionDifferences && { versionDifferences }),
    // Every account has it from the start.
    createdStatus: 200,
    namePattern: /^default$/,
    nameRule: "It must be 'default'.",
    body,
    latency: { put: "storage.update", delete: "storage.update" },
    checkPut: ({ state, id }) => requireProvisioned(accountOf(state, id)),
    storedProperties: ({ body: { properties }, existing }) => ({ ...existing?.properties, ...properties }),
    presentedProperties: (_state, { properties }) => withPermanence(properties),
    // Azure answers what was sent: with an ID only if there are properties.
    presentedByPut: ({ body: { properties } }, answered) =>
      properties === undefined
        ? { name: answered["name"] }
        : { id: answered["id"], name: answered["name"], type: answered["type"], properties },
  });
}

/** Whether deleted blobs can be removed for good is named in every answer but that to the write. */
function withPermanence(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const policy = properties["deleteRetentionPolicy"];
  return { ...properties, ...(isRecord(policy) && { deleteRetentionPolicy: { allowPermanentDelete: false, ...policy } }) };
}
