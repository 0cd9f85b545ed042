/** The services of a storage account as ARM sees them: every account has each of them from the start, with its settings. */
import { z } from "zod";
import type { StoredResource } from "../../../state/state.js";
import { defineType, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { known } from "../../body-schema.js";
import { requireProvisioned } from "./account-keys.js";
import { accountOf } from "./blob-containers.js";
import { accountType, storageVersions } from "./account-body.js";

const cors = z.strictObject({ corsRules: z.array(z.record(z.string(), z.unknown())).optional() }).optional();

/** Deleted blobs and containers are not kept. */
const noRetention = z.strictObject({ enabled: z.literal(false), allowPermanentDelete: z.literal(false).optional() }).optional();

/** File shares have no content here. */
const shareRetention = z.strictObject({ enabled: z.boolean(), days: z.int().min(1).max(365).optional() }).optional();

interface Service {
  readonly name: string;
  readonly skuOfParent?: true;
  /** What can be changed in addition to the rules of cross-origin requests. */
  readonly changeable: z.ZodRawShape;
  readonly defaults: Readonly<Record<string, unknown>>;
}

const noRules = { cors: { corsRules: [] } };

const blobService: Service = {
  name: "blobServices",
  skuOfParent: true,
  changeable: {
    isVersioningEnabled: z.literal(false).optional(),
    deleteRetentionPolicy: noRetention,
    containerDeleteRetentionPolicy: noRetention,
  },
  defaults: { ...noRules, deleteRetentionPolicy: { allowPermanentDelete: false, enabled: false } },
};

const services: readonly Service[] = [
  blobService,
  {
    name: "fileServices",
    skuOfParent: true,
    changeable: { shareDeleteRetentionPolicy: shareRetention },
    defaults: { ...noRules, protocolSettings: { smb: {} }, shareDeleteRetentionPolicy: { enabled: true, days: 7 } },
  },
  {
    name: "queueServices",
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

function serviceType({ name, changeable, skuOfParent }: Service): ResourceType {
  const body = known({ properties: z.strictObject({ cors, ...changeable }).optional() }, ["id", "name", "type", "sku"]);
  return defineType<ResourceBody & z.output<typeof body>>({
    name: `${accountType}/${name}`,
    apiVersions: storageVersions,
    verbs: ["read", "write"],
    kind: "proxy",
    ...(skuOfParent && { skuOfParent }),
    // Every account has it from the start.
    createdStatus: 200,
    namePattern: /^default$/,
    nameRule: "It must be 'default'.",
    body,
    latency: { put: "storage.update", delete: "storage.update" },
    checkPut: ({ state, id }) => requireProvisioned(accountOf(state, id)),
    storedProperties: ({ body: { properties }, existing }) => ({ ...existing?.properties, ...properties }),
    // Azure answers what was sent: with an ID only if there are properties.
    presentedByPut: ({ body: { properties } }, answered) =>
      properties === undefined
        ? { name: answered["name"] }
        : { id: answered["id"], name: answered["name"], type: answered["type"], properties },
  });
}
