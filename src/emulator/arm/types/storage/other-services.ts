/** File shares, queues and tables as ARM sees them, without their data planes. */
import { z } from "zod";
import { storageNotFound } from "../../errors.js";
import { defineType, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { known, oneOf } from "../../body-schema.js";
import { requireProvisioned } from "./account-keys.js";
import { accountOf } from "./blob-containers.js";
import { accountType, storageVersions } from "./account-body.js";

type ContentType = Pick<
  ResourceType,
  "namePattern" | "nameRule" | "missingRefusal" | "createdStatus" | "deletedStatus" | "etag" | "storedProperties"
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

const shareBody = known(
  {
    properties: known(
      {
        metadata,
        shareQuota: z.int().min(1).max(102_400).optional(),
        enabledProtocols: oneOf("SMB", "NFS").optional(),
        accessTier: oneOf("TransactionOptimized", "Hot", "Cool", "Premium").optional(),
      },
      ["lastModifiedTime", "leaseStatus", "leaseState", "deleted", "remainingRetentionDays"],
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
  storedProperties: ({ call, body, existing }) => ({
    accessTier: "TransactionOptimized",
    shareQuota: 5120,
    enabledProtocols: "SMB",
    leaseStatus: "unlocked",
    leaseState: "available",
    ...existing?.properties,
    ...(body.properties as object | undefined),
    lastModifiedTime: new Date(call.now).toISOString(),
  }),
});

const queues = contentType({
  ...hyphenated,
  name: "queueServices/queues",
  missingRefusal: storageNotFound("Queue"),
  createdStatus: 200,
  deletedStatus: 204,
  body: known({ properties: known({ metadata }, ["approximateMessageCount"]).optional() }, ["id", "name", "type"]),
  storedProperties: ({ body, existing }) => ({ ...existing?.properties, ...(body.properties as object | undefined) }),
});

const tables = contentType({
  name: "tableServices/tables",
  namePattern: /^[A-Za-z][A-Za-z0-9]{2,62}$/,
  nameRule: "It must have 3 to 63 letters or digits and begin with a letter.",
  missingRefusal: storageNotFound("Table"),
  createdStatus: 200,
  deletedStatus: 204,
  body: known({ properties: z.strictObject({ signedIdentifiers: z.array(z.unknown()).optional() }).optional() }, ["id", "name", "type"]),
  storedProperties: ({ name, body, existing }) => ({
    ...existing?.properties,
    ...(body.properties as object | undefined),
    tableName: name,
  }),
});

export const otherStorageTypes: readonly ResourceType[] = [fileShares, queues, tables];
