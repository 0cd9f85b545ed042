/** Rules that an account keeps for its blobs, without effect: nothing is tiered, deleted, reported or copied by them. */
import { z } from "zod";
import { known, oneOf } from "../../body-schema.js";

const days = z.number().min(0);
const text = z.array(z.string());

const action = known({
  daysAfterCreationGreaterThan: days.optional(),
  daysAfterLastAccessTimeGreaterThan: days.optional(),
  daysAfterLastTierChangeGreaterThan: days.optional(),
  daysAfterModificationGreaterThan: days.optional(),
}).optional();

const actions = { tierToCool: action, tierToArchive: action, tierToCold: action, tierToHot: action, delete: action };

const tagFilter = known({ name: z.string(), op: z.string(), value: z.string() });

const lifecycleRule = known({
  enabled: z.boolean().default(true),
  name: z.string(),
  type: oneOf("Lifecycle"),
  definition: known({
    actions: known({
      baseBlob: known({ ...actions, enableAutoTierToHotFromCool: z.boolean().optional() }).optional(),
      snapshot: known(actions).optional(),
      version: known(actions).optional(),
    }),
    filters: known({ prefixMatch: text.optional(), blobTypes: text, blobIndexMatch: z.array(tagFilter).optional() }).optional(),
  }),
});

export const managementPolicy = { policy: known({ rules: z.array(lifecycleRule) }) };

const inventoryRule = known({
  enabled: z.boolean(),
  name: z.string(),
  destination: z.string(),
  definition: known({
    filters: known({
      prefixMatch: text.optional(),
      excludePrefix: text.optional(),
      blobTypes: text.optional(),
      includeBlobVersions: z.boolean().optional(),
      includeSnapshots: z.boolean().optional(),
      includeDeleted: z.boolean().optional(),
      creationTime: known({ lastNDays: z.int().optional() }).optional(),
    }).optional(),
    format: oneOf("Csv", "Parquet"),
    schedule: oneOf("Daily", "Weekly"),
    objectType: oneOf("Blob", "Container"),
    schemaFields: text,
  }),
});

export const inventoryPolicy = {
  policy: known({ enabled: z.boolean(), type: oneOf("Inventory"), rules: z.array(inventoryRule) }, ["destination"]),
};

export const replicationPolicy = {
  sourceAccount: z.string(),
  destinationAccount: z.string(),
  rules: z
    .array(
      known({
        ruleId: z.string().optional(),
        sourceContainer: z.string(),
        destinationContainer: z.string(),
        filters: known({ prefixMatch: text.optional(), minCreationTime: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  metrics: known({ enabled: z.boolean().optional() }).optional(),
};
