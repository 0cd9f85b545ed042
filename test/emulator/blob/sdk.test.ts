/** The unmodified SDK for blobs against the emulator: large and small uploads, folders, signatures, stored policies. */
import {
  AnonymousCredential,
  BlobSASPermissions,
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { expect, test } from "vitest";
import { seedState } from "../../../src/emulator/index.js";
import { all, sdkAccess } from "../sdk-access.js";
import { openStorage, serviceThrough, type Storage } from "./storage.js";

/** Bytes that differ from place to place. */
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 256));
const refused = (statusCode: number, code: string) => ({ statusCode, code });

test.each([
  ["in one request", 100, {}],
  ["in one request of more than the state document holds", 200_000, {}],
  ["in blocks", 1_000_000, { maxSingleShotSize: 1000, blockSize: 300_000, concurrency: 3 }],
])("content uploaded %s is downloaded as it was, in whole and in part", async (_, length, options) => {
  const { container } = await openStorage();
  const content = bytes(length);
  const blob = container.getBlockBlobClient("large/file.bin");
  await blob.uploadData(content, { ...options, blobHTTPHeaders: { blobContentType: "application/x-test" }, metadata: { a: "1" } });
  expect((await blob.downloadToBuffer()).equals(content)).toBe(true);
  expect((await blob.downloadToBuffer(10, 50)).equals(content.subarray(10, 60))).toBe(true);
  expect((await blob.downloadToBuffer(length - 5)).equals(content.subarray(-5))).toBe(true);
  expect(await blob.getProperties()).toMatchObject({ contentLength: length, contentType: "application/x-test", metadata: { a: "1" } });
});

test("everybody downloads a blob of blocks, and its blocks can be listed", async () => {
  const storage = await openStorage();
  const content = bytes(500_000);
  const blob = storage.container.getBlockBlobClient("parts");
  await blob.uploadData(content, { maxSingleShotSize: 1, blockSize: 200_000 });
  const { committedBlocks = [] } = await blob.getBlockList("all");
  expect(committedBlocks.map(({ size }) => size)).toEqual([200_000, 200_000, 100_000]);
  expect((await anonymousText(storage, "parts")).length).toBe(content.length);
});

async function anonymousText({ server }: Storage, name: string): Promise<Buffer> {
  const reader = serviceThrough(server, new AnonymousCredential()).getContainerClient("oidc").getBlobClient(name);
  return reader.downloadToBuffer();
}

test("folders are listed one level at a time, page by page", async () => {
  const { container, server } = await openStorage();
  for (const name of ["a", "dir/b", "dir/c", "dir/sub/d", "z & <ü>"]) await container.getBlockBlobClient(name).upload("x", 1);
  const level = async (prefix: string) =>
    (await all(container.listBlobsByHierarchy("/", { prefix }))).map(({ kind, name }) => `${kind} ${name}`);
  expect(await level("")).toEqual(["prefix dir/", "blob a", "blob z & <ü>"]);
  expect((await level("dir/")).sort()).toEqual(["blob dir/b", "blob dir/c", "prefix dir/sub/"]);
  await seedState(server.directory, { knobs: { pageSize: 2 } });
  const pages: string[][] = [];
  for await (const { segment } of container.listBlobsFlat().byPage({ maxPageSize: 3 }))
    pages.push(segment.blobItems.map(({ name }) => name));
  expect(pages).toEqual([["a", "dir/b"], ["dir/c", "dir/sub/d"], ["z & <ü>"]]);
});

test("names with spaces, percent signs, doubled and trailing slashes stay as they are", async () => {
  const { container } = await openStorage();
  const names = ["a b", "100%", "two//slashes", "end/", "ü/é", "plus+sign", "__proto__", "constructor"];
  for (const name of names) await container.getBlockBlobClient(name).upload(name, Buffer.byteLength(name));
  expect((await all(container.listBlobsFlat())).map(({ name }) => name)).toEqual([...names].sort());
  for (const name of names) expect((await container.getBlobClient(name).downloadToBuffer()).toString()).toBe(name);
});

test("blocks are staged for blobs with names of Object.prototype", async () => {
  const { container } = await openStorage();
  for (const name of ["__proto__", "constructor"]) {
    const blob = container.getBlockBlobClient(name);
    await blob.stageBlock("AAAA", name, name.length);
    expect(await all(container.listBlobsFlat({ includeUncommitedBlobs: true }))).toMatchObject([{ name }]);
    await blob.commitBlockList(["AAAA"]);
    await blob.setMetadata({ made: "here" });
    expect((await blob.downloadToBuffer()).toString()).toBe(name);
    await blob.delete();
    expect(await blob.exists()).toBe(false);
  }
});

test("a signature for a blob, one by a stored policy, and one by a principal's key allow what they say", async () => {
  const storage = await openStorage({ publicAccess: "None" });
  const { container, server } = storage;
  await container.getBlockBlobClient("one").upload("1", 1);
  const key = new StorageSharedKeyCredential("demo", await storage.key());
  const expiresOn = new Date(Date.now() + 3600_000);
  const through = (query: string, name = "one") =>
    serviceThrough(server, new AnonymousCredential(), query).getContainerClient("oidc").getBlockBlobClient(name);
  const common = { containerName: "oidc", blobName: "one" };
  const reading = generateBlobSASQueryParameters({ ...common, permissions: BlobSASPermissions.parse("r"), expiresOn }, key);
  expect((await through(reading.toString()).downloadToBuffer()).toString()).toBe("1");
  await expect(through(reading.toString()).upload("2", 1)).rejects.toMatchObject(refused(403, "AuthorizationPermissionMismatch"));
  await expect(through(reading.toString(), "two").download()).rejects.toMatchObject(refused(403, "AuthenticationFailed"));
  const expired = { ...common, permissions: BlobSASPermissions.parse("r"), expiresOn: new Date(Date.now() - 1000) };
  await expect(through(generateBlobSASQueryParameters(expired, key).toString()).download()).rejects.toMatchObject(
    refused(403, "AuthenticationFailed"),
  );

  const byKey = await storage.withKey();
  await byKey.setAccessPolicy(undefined, [{ id: "readers", accessPolicy: { startsOn: new Date(0), expiresOn, permissions: "r" } }]);
  expect(await byKey.getAccessPolicy()).toMatchObject({ signedIdentifiers: [{ id: "readers", accessPolicy: { permissions: "r" } }] });
  const named = generateBlobSASQueryParameters({ containerName: "oidc", identifier: "readers" }, key);
  expect((await through(named.toString()).downloadToBuffer()).toString()).toBe("1");
  await byKey.setAccessPolicy(undefined, []);
  await expect(through(named.toString()).download()).rejects.toMatchObject(refused(403, "AuthenticationFailed"));

  const service = serviceThrough(server, sdkAccess(server).credential);
  const delegation = await service.getUserDelegationKey(new Date(Date.now() - 1000), expiresOn);
  const permissions = ContainerSASPermissions.parse("racw");
  const delegated = generateBlobSASQueryParameters({ containerName: "oidc", permissions, expiresOn }, delegation, "demo").toString();
  await through(delegated, "two").upload("2", 1);
  const createOnly = generateBlobSASQueryParameters(
    { containerName: "oidc", permissions: ContainerSASPermissions.parse("c"), expiresOn },
    key,
  ).toString();
  await through(createOnly, "three").upload("3", 1);
  await expect(through(createOnly, "three").upload("4", 1)).rejects.toMatchObject(refused(403, "UnauthorizedBlobOverwrite"));
  await through(createOnly, "three").stageBlock("AAAA", "4", 1);
  await expect(through(createOnly, "three").commitBlockList(["AAAA"])).rejects.toMatchObject(refused(403, "UnauthorizedBlobOverwrite"));
  expect((await through(delegated, "two").downloadToBuffer()).toString()).toBe("2");
  await expect(through(delegated, "two").delete()).rejects.toMatchObject(refused(403, "AuthorizationPermissionMismatch"));
});

test("containers are listed, and the service's rules for other origins are kept", async () => {
  const storage = await openStorage();
  const service = serviceThrough(storage.server, new StorageSharedKeyCredential("demo", await storage.key()));
  await service.createContainer("another");
  expect((await all(service.listContainers())).map(({ name }) => name)).toEqual(["another", "oidc"]);
  const rule = { allowedOrigins: "https://a.example", allowedMethods: "GET", allowedHeaders: "*", exposedHeaders: "", maxAgeInSeconds: 60 };
  await service.setProperties({ cors: [rule] });
  expect((await service.getProperties()).cors).toMatchObject([{ allowedOrigins: "https://a.example", maxAgeInSeconds: 60 }]);
  await expect(service.setProperties({ staticWebsite: { enabled: true } })).rejects.toMatchObject({ statusCode: 501 });
  expect(await service.getAccountInfo()).toMatchObject({ skuName: "Standard_LRS", accountKind: "StorageV2" });
});

test("a blob is gone after its deletion, and its metadata, tags and tier can be changed before", async () => {
  const { container } = await openStorage();
  const blob = container.getBlockBlobClient("one");
  const { etag } = await blob.upload("1", 1, { tier: "Cool" });
  await blob.setMetadata({ b: "2" });
  await expect(blob.setMetadata({}, { conditions: { ifMatch: etag ?? "" } })).rejects.toMatchObject(refused(412, "ConditionNotMet"));
  await blob.setAccessTier("Archive");
  expect(await blob.getProperties()).toMatchObject({ metadata: { b: "2" }, accessTier: "Archive" });
  await expect(blob.download()).rejects.toMatchObject(refused(409, "BlobArchived"));
  await blob.delete();
  expect(await blob.exists()).toBe(false);
  await expect(blob.delete()).rejects.toMatchObject(refused(404, "BlobNotFound"));
});
