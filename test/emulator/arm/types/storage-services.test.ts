/** The services of a storage account as ARM sees them: settings, containers, shares, queues and tables. */
import { expect, test } from "vitest";
import { accountBody, refusal, withGroup } from "./storage-bodies.js";

test("a missing container is answered with the code of the blob service", () => {
  const { arm, account, container } = withGroup();
  arm.put(account, accountBody());
  expect(arm.get(container)).toMatchObject(refusal(404, "ContainerNotFound"));
});

test("the answer to a PUT of a container has properties only if they were sent, and each read shows something of its own", () => {
  const { arm, account, container } = withGroup();
  arm.put(account, accountBody());
  const type = "Microsoft.Storage/storageAccounts/blobServices/containers";
  const made = { id: container, name: "demo", type };
  const unused = { deleted: false, remainingRetentionDays: 0, hasImmutabilityPolicy: false, hasLegalHold: false };
  const first = arm.put(container, { properties: { publicAccess: "None" } });
  expect(first).toMatchObject({ status: 201 });
  expect(first.body).toEqual({ ...made, properties: { ...unused, publicAccess: "None" } });
  expect(arm.put(container, {})).toMatchObject({ status: 200 });
  expect(arm.put(container, {}).body).toEqual(made);
  const legalHold = { hasLegalHold: false, tags: [] };
  expect(arm.get(container).body).toMatchObject({ ...made, properties: { publicAccess: "None", leaseState: "Available", legalHold } });
  const { value } = arm.get(container.slice(0, container.lastIndexOf("/"))).body as { value: object[] };
  expect(value).toMatchObject([{ ...made, properties: { ...unused, immutableStorageWithVersioning: { enabled: false } } }]);
  expect(value[0]).not.toHaveProperty("properties.legalHold");
});

/** The service, what can be set, and what a read shows beside that. */
const settings = [
  [
    "blobServices",
    { cors: { corsRules: [] } },
    { sku: { name: "Standard_LRS" }, properties: { deleteRetentionPolicy: { enabled: false } } },
  ],
  [
    "fileServices",
    { shareDeleteRetentionPolicy: { enabled: true, days: 1 } },
    { sku: { name: "Standard_LRS" }, properties: { protocolSettings: { smb: {} } } },
  ],
  ["queueServices", { cors: { corsRules: [] } }, { properties: { logging: { version: "1.0", read: false } } }],
  ["tableServices", { cors: { corsRules: [] } }, { properties: {} }],
] as const;

test.each(settings)("a PUT of %s is answered with what was sent, and a read with all settings", (name, sent, { properties, ...beside }) => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const service = `${account}/${name}/default`;
  const named = { id: service, name: "default", type: `Microsoft.Storage/storageAccounts/${name}` };
  expect(arm.put(service, { properties: sent }).body).toEqual({ ...named, properties: sent });
  expect(arm.get(service).body).toMatchObject({ ...named, ...beside, properties: { ...properties, ...sent } });
  expect(arm.put(service, {}, { unrecorded: true }).body).toEqual({ name: "default" });
  expect(arm.get(service).body).toMatchObject({ properties: sent });
});

/** The collection, the status of a creation and of a deletion, an invalid name, the code of a missing one, and a property of a new one. */
const services = [
  ["fileServices/default/shares", 201, 200, "a--b", "ShareNotFound", { shareQuota: 102_400, accessTier: "TransactionOptimized" }],
  ["queueServices/default/queues", 200, 204, "Data", "QueueNotFound", {}],
  ["tableServices/default/tables", 200, 204, "a-b", "TableNotFound", { tableName: "data" }],
] as const;

test.each(services)("an account has %s, which are created, listed, and deleted", (path, created, deleted, invalid, missing, properties) => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const collection = `${account}/${path}`;
  expect(arm.get(collection)).toMatchObject({ status: 200, body: { value: [] } });
  expect(arm.get(`${collection}/data`)).toMatchObject(refusal(404, missing));
  expect(arm.put(`${collection}/${invalid}`, {})).toMatchObject({ status: 400 });
  expect(arm.put(`${collection}/data`, { properties: {} })).toMatchObject({ status: created, body: { name: "data" } });
  expect(arm.get(collection)).toMatchObject({ body: { value: [{ id: `${collection}/data`, name: "data", properties }] } });
  expect(arm.delete(`${collection}/data`)).toMatchObject({ status: deleted });
  expect(arm.get(collection)).toMatchObject({ body: { value: [] } });
  expect(arm.get(collection.slice(0, collection.lastIndexOf("/")))).toMatchObject({ body: { name: "default" } });
});

test("shares, queues and tables are deleted with their account", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  for (const [path] of services) arm.put(`${account}/${path}/data`, {});
  arm.delete(account);
  expect(Object.keys(arm.state.resources).filter((key) => key.includes("storageaccounts"))).toEqual([]);
});

test("a container is public only in an account that allows it", () => {
  const { arm, account, container } = withGroup();
  arm.put(account, accountBody());
  const publicOne = { properties: { publicAccess: "Blob" } };
  expect(arm.put(container, publicOne)).toMatchObject(refusal(409, "PublicAccessNotPermitted"));
  expect(arm.put(container, {}).status).toBe(201);
  expect(arm.get(container)).toMatchObject({ status: 200, body: { properties: { publicAccess: "None" } } });
  expect(arm.send("PATCH", container, publicOne)).toMatchObject(refusal(409, "PublicAccessNotPermitted"));
  arm.send("PATCH", account, { properties: { allowBlobPublicAccess: true } });
  const metadata = { aro_hcp: "demo" };
  expect(arm.send("PATCH", container, { properties: { publicAccess: "Blob", metadata } })).toMatchObject({
    status: 200,
    body: { etag: expect.stringMatching(/^"/), properties: { publicAccess: "Blob", metadata } },
  });
  expect(arm.put(container.replace(/demo$/, "No_Good"), {})).toMatchObject(refusal(400, "InvalidResourceName"));
  expect(arm.delete(container).status).toBe(200);
  expect(arm.delete(container).status).toBe(204);
});

test("the settings of blobs, and of shares, are those of the published description", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const blobs = {
    changeFeed: { enabled: true, retentionInDays: 7 },
    containerDeleteRetentionPolicy: { enabled: true, days: 7 },
    deleteRetentionPolicy: { enabled: true, days: 1 },
    isVersioningEnabled: true,
    lastAccessTimeTrackingPolicy: { enable: true, name: "AccessTimeTracking", trackingGranularityInDays: 1, blobType: ["blockBlob"] },
    restorePolicy: { enabled: true, days: 5 },
  };
  const blobService = `${account}/blobServices/default`;
  expect(arm.put(blobService, { properties: blobs })).toMatchObject({ status: 200 });
  const permanence = { ...blobs.deleteRetentionPolicy, allowPermanentDelete: false };
  expect(arm.get(blobService).body).toMatchObject({ properties: { ...blobs, deleteRetentionPolicy: permanence } });
  const smb = { multichannel: { enabled: false }, versions: "SMB3.1.1;", channelEncryption: "AES-256-GCM;" };
  expect(arm.put(`${account}/fileServices/default`, { properties: { protocolSettings: { smb } } })).toMatchObject({ status: 200 });
  expect(arm.get(`${account}/fileServices/default`).body).toMatchObject({ properties: { protocolSettings: { smb } } });
});

test("static websites are a setting since 2025-06-01", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const read = (apiVersion: string) => arm.get(`${account}/blobServices/default`, { apiVersion, unrecorded: true }).body;
  expect(read("2025-06-01")).toMatchObject({ properties: { staticWebsite: { enabled: false } } });
  expect(read("2025-01-01")).not.toHaveProperty("properties.staticWebsite");
});

test("a share is changed, soft-deleted, listed as deleted and restored", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const shares = `${account}/fileServices/default/shares`;
  arm.put(`${shares}/data`, { properties: { shareQuota: 5 } });
  expect(arm.send("PATCH", `${shares}/data`, { properties: { shareQuota: 10 } }).body).toMatchObject({ properties: { shareQuota: 10 } });
  expect(arm.get(`${shares}/data`).body).toMatchObject({ properties: { shareQuota: 10, accessTier: "TransactionOptimized" } });
  arm.delete(`${shares}/data`);
  expect(arm.get(`${shares}/data`).status).toBe(404);
  const listed = (query = "") =>
    (arm.get(`${shares}${query}`).body as { value: { id: string; name: string; properties: { version?: string } }[] }).value;
  expect(listed()).toEqual([]);
  arm.pass(24 * 3600);
  const [deleted] = listed("?$expand=deleted");
  const version = deleted?.properties.version ?? "";
  expect(deleted).toMatchObject({ name: "data", properties: { deleted: true, remainingRetentionDays: 6, leaseState: "broken" } });
  expect(deleted?.id).toBe(`${shares}/data_${version}`);
  const restored = { deletedShareName: "data", deletedShareVersion: version };
  expect(arm.send("POST", `${shares}/data/restore`, restored).status).toBe(200);
  expect(listed("?$expand=deleted")).toMatchObject([{ name: "data", properties: { shareQuota: 10, leaseState: "available" } }]);
  arm.put(`${account}/fileServices/default`, { properties: { shareDeleteRetentionPolicy: { enabled: false } } });
  arm.delete(`${shares}/data`);
  expect(listed("?$expand=deleted")).toEqual([]);
});

test("the answer to a PUT of a share, queue or table has less than a read", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const share = `${account}/fileServices/default/shares/data`;
  const sent = { accessTier: "Hot", shareQuota: 10, metadata: { a: "1" } };
  expect(arm.put(share, {}).body).not.toHaveProperty("properties");
  expect(arm.put(share, { properties: sent }).body).toEqual({
    id: share,
    name: "data",
    type: "Microsoft.Storage/storageAccounts/fileServices/shares",
    properties: sent,
  });
  expect(arm.get(share).body).toMatchObject({ properties: { ...sent, signedIdentifiers: [], leaseState: "available" } });
  expect(arm.put(`${share}?$expand=snapshots`, {}, { unrecorded: true }).status).toBe(501);
  const queue = `${account}/queueServices/default/queues/data`;
  expect(arm.put(queue, {}).body).toMatchObject({ properties: { metadata: {} } });
  expect(arm.put(queue, {}).body).not.toHaveProperty("properties.approximateMessageCount");
  expect(arm.get(queue).body).toMatchObject({ properties: { metadata: {}, approximateMessageCount: 0 } });
  const table = `${account}/tableServices/default/tables/data`;
  expect(arm.put(table, {}).body).not.toHaveProperty("properties.signedIdentifiers");
  expect(arm.get(table).body).toMatchObject({ properties: { tableName: "data", signedIdentifiers: [] } });
});
