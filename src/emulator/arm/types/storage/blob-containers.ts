/** Blob containers as ARM sees them, with the content that the data plane stores. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { storageNotFound } from "../../errors.js";
import { keyOf, parentOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { known, oneOf } from "../../body-schema.js";
import { requireProvisioned } from "./account-keys.js";
import { containerType, storageVersions } from "./account-body.js";

const metadata = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string());
const containerProperties = {
  publicAccess: oneOf("None", "Blob", "Container").optional(),
  metadata: metadata.optional(),
  defaultEncryptionScope: z.string().optional(),
  denyEncryptionScopeOverride: z.boolean().optional(),
  enableNfsV3AllSquash: z.boolean().optional(),
  enableNfsV3RootSquash: z.boolean().optional(),
  immutableStorageWithVersioning: known({ enabled: z.boolean() }, ["timeStamp", "migrationState"]).optional(),
};

const containerBody = known(
  {
    properties: known(containerProperties, [
      ...["version", "deleted", "deletedTime", "remainingRetentionDays", "lastModifiedTime", "leaseStatus", "leaseState", "leaseDuration"],
      ...["hasImmutabilityPolicy", "hasLegalHold", "immutabilityPolicy", "legalHold"],
    ]).optional(),
  },
  ["id", "name", "type", "etag"],
);

export const containers = defineType<z.output<typeof containerBody>>({
  name: containerType,
  missingRefusal: storageNotFound("Container"),
  apiVersions: storageVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "proxy",
  namePattern: /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  nameRule: "It must have 3 to 63 lower-case letters, digits or single hyphens, and begin and end with a letter or digit.",
  body: containerBody,
  etag: "quoted",
  latency: { put: "container.put", delete: "container.put" },
  checkPut({ state, id, body }) {
    requireProvisioned(accountOf(state, id));
    checkPublicAccess(state, id, body.properties?.publicAccess);
  },
  storedProperties: ({ call, body, existing }) => containerContent(call.now, { ...existing?.properties, ...body.properties }),
  patch: {
    properties: z.strictObject(containerProperties),
    apply: ({ state, now }, { id, properties }, sent) => {
      checkPublicAccess(state, id, sent["publicAccess"]);
      return containerContent(now, { ...properties, ...sent });
    },
  },
  presentedByPut: ({ body: { properties } }, { id, name, type }) => ({
    id,
    name,
    type,
    ...(properties && { properties: { ...unused, ...properties } }),
  }),
  presentedProperties: (_state, { properties }) => {
    const { blobs: _blobs, uncommittedBlocks: _blocks, signedIdentifiers: _policies, lastModifiedAt, ...own } = properties;
    return { ...own, legalHold: { hasLegalHold: false, tags: [] }, lastModifiedTime: new Date(Number(lastModifiedAt)).toISOString() };
  },
  presentedInList({ properties, ...rest }) {
    const { legalHold: _onlySingle, ...own } = properties as Record<string, unknown>;
    return { ...rest, properties: { immutableStorageWithVersioning: { enabled: false }, ...own } };
  },
});

/** What a container without deletion, retention and legal holds says of them. */
const unused = { deleted: false, remainingRetentionDays: 0, hasImmutabilityPolicy: false, hasLegalHold: false };

export function containerContent(now: number, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...unused,
    defaultEncryptionScope: "$account-encryption-key",
    denyEncryptionScopeOverride: false,
    publicAccess: "None",
    leaseStatus: "Unlocked",
    leaseState: "Available",
    blobs: {},
    ...properties,
    lastModifiedAt: now,
  };
}

/** The account of a service or of something in it. */
export function accountOf(state: AzureState, id: string): StoredResource {
  const parent = parentOf(id) ?? "";
  const account = state.resources[keyOf(parent.endsWith("/default") ? (parentOf(parent) ?? "") : parent)];
  if (account === undefined) throw new Error(`no storage account holds ${id}`);
  return account;
}

/** @throws ApiError 409 PublicAccessNotPermitted */
function checkPublicAccess(state: AzureState, id: string, publicAccess: unknown): void {
  if (publicAccess === undefined || publicAccess === "None") return;
  if (accountOf(state, id).properties["allowBlobPublicAccess"] === true) return;
  throw new ApiError(409, "PublicAccessNotPermitted", "Public access is not permitted on this storage account.");
}
