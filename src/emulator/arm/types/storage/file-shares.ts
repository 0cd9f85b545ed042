/** File shares as ARM sees them, without their data plane: soft-deleted under their service's policy, and restored. */
import { z } from "zod";
import { ApiError, notImplemented } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { known, oneOf, readContent } from "../../body-schema.js";
import { ofResource } from "../../endpoint.js";
import { storageNotFound } from "../../errors.js";
import { removeTree } from "../../removal.js";
import { keyOf, nameOf } from "../../resource-id.js";
import { type ArmCall, defineType } from "../../resource-type.js";
import { childrenOf, parentResource } from "../../uses.js";
import { accountType, storageVersions } from "./account-body.js";
import { requireProvisioned } from "./account-keys.js";
import { accountOf } from "./blob-containers.js";

const dayMs = 86_400_000;

const readOnly = [
  ...["accessTierChangeTime", "accessTierStatus", "deleted", "deletedTime", "includedBurstIops", "lastModifiedTime", "leaseDuration"],
  ...["leaseState", "leaseStatus", "maxBurstCreditsForIops", "nextAllowedProvisionedBandwidthDowngradeTime"],
  ...["nextAllowedProvisionedIopsDowngradeTime", "nextAllowedQuotaDowngradeTime", "remainingRetentionDays", "shareUsageBytes"],
  ...["snapshotTime", "version"],
];

const properties = known(
  {
    metadata: z.record(z.string(), z.string()).optional(),
    shareQuota: z.int().min(1).max(102_400).optional(),
    enabledProtocols: oneOf("SMB", "NFS").optional(),
    accessTier: oneOf("TransactionOptimized", "Hot", "Cool", "Premium").optional(),
    rootSquash: oneOf("NoRootSquash", "RootSquash", "AllSquash").optional(),
    provisionedIops: z.int().optional(),
    provisionedBandwidthMibps: z.int().optional(),
    fileSharePaidBursting: z.record(z.string(), z.unknown()).optional(),
    signedIdentifiers: z.array(z.record(z.string(), z.unknown())).optional(),
  },
  readOnly,
);

const body = known({ properties: properties.optional() }, ["id", "name", "type", "etag"]);

const typeName = `${accountType}/fileServices/shares`;
const sinceLeases = ["leaseStatus", "leaseState", "accessTierChangeTime"];

export const fileShares = defineType<z.output<typeof body>>({
  name: typeName,
  apiVersions: storageVersions,
  // Of the versions in between, there is no recording.
  versionDifferences: sinceLeases.map((member) => ({ member, since: "2021-01-01" })),
  verbs: ["read", "write", "tags", "delete"],
  kind: "proxy",
  namePattern: /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  nameRule: "It must have 3 to 63 lower-case letters, digits or single hyphens, and begin and end with a letter or digit.",
  missingRefusal: storageNotFound("Share"),
  etag: "quoted",
  body,
  latency: { put: "container.put", delete: "container.put" },
  checkPut: ({ state, id }) => requireProvisioned(accountOf(state, id)),
  storedProperties: ({ call, state, id, body: { properties: sent }, existing }) => {
    refuseSnapshots(call);
    const now = new Date(call.now).toISOString();
    // The oldest kind of account has no access tiers.
    const hasTiers = accountOf(state, id).beside?.["kind"] !== "Storage";
    return {
      ...(hasTiers && { accessTier: "TransactionOptimized", accessTierChangeTime: now }),
      shareQuota: 102_400,
      leaseStatus: "unlocked",
      leaseState: "available",
      signedIdentifiers: [],
      ...existing?.properties,
      ...sent,
      lastModifiedTime: now,
    };
  },
  patch: {
    properties,
    apply: ({ now }, _share, sent) => ({ ...sent, lastModifiedTime: new Date(now).toISOString() }),
  },
  presentedProperties: (state, share, _answered, { now }) => {
    const { deletedAt, ...own } = share.properties;
    if (typeof deletedAt !== "number") return own;
    const left = retentionDays(state, share) - Math.floor((now - deletedAt) / dayMs);
    return { ...own, remainingRetentionDays: Math.max(0, left) };
  },
  // Azure answers what was sent, and nothing to an empty body.
  presentedByPut: ({ call, body: { properties: sent } }, { id, name, type }) => ({
    id,
    name,
    type,
    ...(Object.keys(call.request.body as object).length > 0 && { properties: sent ?? {} }),
  }),
  presentedByPatch: (sent, { id, name, type }) => ({ id, name, type, ...(sent as object) }),
  presentedInList: ({ properties: all, ...rest }) => {
    const { signedIdentifiers: _ofSingle, metadata: _ofExpanded, ...own } = all as Record<string, unknown>;
    return { ...rest, properties: { enabledProtocols: "SMB", accessTier: "TransactionOptimized", ...own } };
  },
  selectListed: (query, found) => {
    const expanded = (query.get("$expand") ?? "").toLowerCase().split(",");
    return expanded.includes("deleted") ? found : found.filter(({ properties: own }) => own["deleted"] !== true);
  },
  removeAtEnd({ state, now, uuid }, share) {
    removeTree(state, share.id);
    if (retentionDays(state, share) > 0) keepDeleted(state, share, { now, version: uuid().replaceAll("-", "").slice(0, 16).toUpperCase() });
    return undefined;
  },
});

/** A deleted share has an ID of its own, but keeps its name. */
function keepDeleted(state: AzureState, share: StoredResource, { now, version }: { readonly now: number; readonly version: string }): void {
  const id = `${share.id}_${version}`;
  const deletedTime = new Date(now).toISOString();
  const said = { leaseState: "broken", version, deleted: true, deletedTime, deletedAt: now };
  state.resources[keyOf(id)] = { ...share, id, properties: { ...share.properties, ...said } };
}

/** For how long a deleted share can be restored; 0 if at once it cannot. */
function retentionDays(state: AzureState, { id }: StoredResource): number {
  const { shareDeleteRetentionPolicy } = parentResource(state, id).properties as {
    readonly shareDeleteRetentionPolicy?: { readonly enabled?: boolean; readonly days?: number };
  };
  return shareDeleteRetentionPolicy?.enabled === true ? (shareDeleteRetentionPolicy.days ?? 7) : 0;
}

function refuseSnapshots({ request }: ArmCall): void {
  if ((request.query.get("$expand") ?? "").toLowerCase().includes("snapshots"))
    throw notImplemented("A snapshot of a share is not emulated.");
}

const restoreBody = z.strictObject({ deletedShareName: z.string(), deletedShareVersion: z.string() });

export const restoreShareEndpoint = ofResource({
  method: "POST",
  type: accountType,
  path: "fileServices/default/shares/{share}/restore",
  versions: storageVersions,
  right: "fileServices/shares/restore/action",
  handle(call, account, { share = "" }) {
    const { deletedShareName, deletedShareVersion } = readContent(restoreBody, call.request.body, typeName);
    const service = `${account.id}/fileServices/default`;
    const wanted = `${deletedShareName}_${deletedShareVersion}`;
    const deleted = childrenOf(call.state, service, "shares").find(({ id }) => keyOf(nameOf(id)) === keyOf(wanted));
    if (deleted === undefined) throw storageNotFound("Share")(wanted, call);
    const id = `${service}/shares/${share}`;
    if (call.state.resources[keyOf(id)] !== undefined) {
      throw new ApiError(409, "ShareAlreadyExists", "The specified share already exists.");
    }
    const { version: _version, deleted: _deleted, deletedTime: _time, deletedAt: _at, ...own } = deleted.properties;
    removeTree(call.state, deleted.id);
    call.state.resources[keyOf(id)] = { ...deleted, id, name: share, properties: { ...own, leaseState: "available" } };
    return { status: 200, takes: call.sample("container.put") };
  },
});
