/** Blobs: written by role, read by everybody where that is allowed, and the same in every process. */
import { expect, test } from "vitest";
import { stateSnapshot, seedState } from "../../../src/emulator/index.js";
import { openState } from "../../../src/emulator/open.js";
import { openLocalServer } from "../local-server.js";
import { all } from "../sdk-access.js";
import { account, containerThrough, grant, host, openStorage } from "./storage.js";

const jwks = '{"keys":[]}';
const path = "openid/v1/jwks";
const json = { blobHTTPHeaders: { blobContentType: "application/json", blobCacheControl: "public, max-age=300" } };
const refused = (statusCode: number, code: string) => ({ statusCode, code });
const publicly = {
  status: 200,
  body: { keys: [] },
  headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
};

test("a blob that was written by role is read by everybody, with its headers", async () => {
  const { container, server } = await openStorage();
  const { etag } = await container.getBlockBlobClient(path).upload(jwks, jwks.length, { ...json, metadata: { made: "here" } });
  const read = await server.call(host, `/oidc/${path}`);
  expect(read).toMatchObject({ ...publicly, headers: { ...publicly.headers, etag, "x-ms-meta-made": "here" } });
  expect(await server.call(host, `/oidc/${encodeURIComponent(path)}`)).toMatchObject({ status: 200 });
  expect(await server.call(host, `/oidc/${path}`, { method: "HEAD" })).toMatchObject({
    status: 200,
    headers: { "content-length": String(jwks.length) },
  });
});

test("another process has the same blob under the same etag, and a write under that etag takes", async () => {
  const { container, server } = await openStorage();
  const { etag } = await container.getBlockBlobClient(path).upload(jwks, jwks.length, json);
  const other = await openLocalServer({ directory: server.directory });
  expect(await other.call(host, `/oidc/${path}`)).toMatchObject({ ...publicly, headers: { ...publicly.headers, etag } });
  const elsewhere = containerThrough(other).getBlockBlobClient(path);
  const changed = await elsewhere.upload("{}", 2, { ...json, conditions: { ifMatch: etag ?? "" } });
  await expect(container.getBlockBlobClient(path).upload("x", 1, { conditions: { ifMatch: etag ?? "" } })).rejects.toMatchObject(
    refused(412, "ConditionNotMet"),
  );
  expect(await server.call(host, `/oidc/${path}`)).toMatchObject({ status: 200, body: {}, headers: { etag: changed.etag } });
  await elsewhere.delete();
  expect(await server.call(host, `/oidc/${path}`)).toMatchObject({ status: 404, headers: { "x-ms-error-code": "BlobNotFound" } });
});

test("of two that write a blob which is not to exist yet, one does", async () => {
  const { container, server } = await openStorage();
  const other = containerThrough(await openLocalServer({ directory: server.directory }));
  const write = (from: typeof container) => from.getBlockBlobClient(path).upload(jwks, jwks.length, { conditions: { ifNoneMatch: "*" } });
  const outcomes = await Promise.allSettled([write(container), write(other), write(container), write(other)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(refused(409, "BlobAlreadyExists"));
});

test("blobs are listed with their properties by role, and not at all without a token", async () => {
  const { container, server } = await openStorage();
  await container.getBlockBlobClient(path).upload(jwks, jwks.length, json);
  const [listed] = await all(container.listBlobsFlat());
  expect(listed).toMatchObject({ name: path, properties: { contentType: "application/json" } });
  expect(await server.call(host, "/oidc?restype=container&comp=list")).toMatchObject({
    status: 404,
    headers: { "x-ms-error-code": "ResourceNotFound" },
  });
});

test.each([
  ["a private container", { publicAccess: "None" as const }, 404, "ResourceNotFound"],
  ["an account that permits no public access", { properties: {}, publicAccess: "None" as const }, 409, "PublicAccessNotPermitted"],
  [
    "an account that is closed to networks",
    { properties: { publicNetworkAccess: "Disabled" }, publicAccess: "None" as const },
    403,
    "AuthorizationFailure",
  ],
])("anonymous requests read nothing of %s", async (_, options, status, code) => {
  const { server } = await openStorage(options);
  const reply = await server.call(host, `/oidc/${path}`);
  expect(reply).toMatchObject({ status, headers: { "x-ms-error-code": code, "content-type": "application/xml" } });
  expect(reply.body).toContain(`\uFEFF<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code>`);
});

test("a container that everybody may list is listed by everybody, and public access can be taken away later", async () => {
  const { container, server } = await openStorage({ publicAccess: "Container" });
  await container.getBlockBlobClient(path).upload(jwks, jwks.length);
  expect(await server.call(host, "/oidc?restype=container&comp=list")).toMatchObject({ status: 200, body: expect.stringContaining(path) });
  const token = await server.token();
  const change = { method: "PATCH", token, body: { properties: { allowBlobPublicAccess: false } } };
  expect(await server.call("management.azure.com", `${account}?api-version=2025-01-01`, change)).toMatchObject({ status: 200 });
  expect(await server.call(host, `/oidc/${path}`)).toMatchObject({ status: 409 });
});

test("without the role, and until it has reached the data, nothing is written", async () => {
  const { container, server } = await openStorage({ granted: false });
  const write = () => container.getBlockBlobClient(path).upload(jwks, jwks.length);
  await expect(write()).rejects.toMatchObject(refused(403, "AuthorizationPermissionMismatch"));
  await seedState(server.directory, { knobs: { dataRightsLagSeconds: 3600 } });
  const id = `${account}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111?api-version=2022-04-01`;
  const roleDefinitionId = `${account.split("/resourceGroups")[0] ?? ""}/providers/Microsoft.Authorization/roleDefinitions/${grant.role}`;
  const body = { properties: { roleDefinitionId, principalId: grant.principalId, principalType: "ServicePrincipal" } };
  expect(await server.call("management.azure.com", id, { method: "PUT", token: await server.token(), body })).toMatchObject({
    status: 201,
  });
  await expect(write()).rejects.toMatchObject(refused(403, "AuthorizationPermissionMismatch"));
  await seedState(server.directory, { roleAssignments: [grant] });
  await write();
});

test("an anonymous request writes nothing, and a token for another audience or of nobody is refused", async () => {
  const { server } = await openStorage();
  const put = { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob", "x-ms-version": "2025-07-05" }, body: jwks };
  expect(await server.call(host, `/oidc/${path}`, put)).toMatchObject({
    status: 401,
    headers: { "x-ms-error-code": "NoAuthenticationInformation", "www-authenticate": expect.stringContaining("https://storage.azure.com") },
  });
  expect(await server.call(host, `/oidc/${path}`, { ...put, token: await server.token() })).toMatchObject({
    status: 401,
    headers: { "x-ms-error-code": "InvalidAuthenticationInfo" },
  });
});

test("a token is refused with a version from before tokens, and without a version", async () => {
  const { server } = await openStorage();
  const token = await server.token("https://storage.azure.com");
  for (const version of [undefined, "2017-07-29"]) {
    const headers = version === undefined ? {} : { "x-ms-version": version };
    const reply = await server.call(host, `/oidc?restype=container`, { token, headers });
    expect(reply).toMatchObject({ status: 403, headers: { "x-ms-error-code": "AuthenticationFailed" } });
    expect(reply.body).toContain("Authentication scheme Bearer is not supported in this version.");
  }
  const headers = { "x-ms-version": "2017-11-09" };
  expect(await server.call(host, `/oidc?restype=container`, { token, headers })).toMatchObject({ status: 200 });
});

test("a key of the account writes where keys are taken, a wrong one never", async () => {
  const { withKey, server } = await openStorage({ granted: false });
  await (await withKey()).getBlockBlobClient(path).upload(jwks, jwks.length, json);
  expect(await server.call(host, `/oidc/${path}`)).toMatchObject(publicly);
  const wrong = {
    authorization: `SharedKey demo:${Buffer.alloc(32).toString("base64")}`,
    "x-ms-version": "2025-07-05",
    "x-ms-date": new Date().toUTCString(),
  };
  expect(await server.call(host, `/oidc/${path}`, { headers: wrong })).toMatchObject({ status: 403 });
  const { withKey: withRefusedKey } = await openStorage({ properties: { allowSharedKeyAccess: false, allowBlobPublicAccess: true } });
  await expect((await withRefusedKey()).getBlockBlobClient(path).upload(jwks, jwks.length)).rejects.toMatchObject(
    refused(403, "KeyBasedAuthenticationNotPermitted"),
  );
});

test("a container is made and removed over the data plane, and is the same to ARM", async () => {
  const { withKey, server } = await openStorage();
  const container = (await withKey()).getBlockBlobClient("x").url;
  expect(container).toContain(host);
  const service = await withKey();
  await service.delete();
  const target = `${account}/blobServices/default/containers/oidc?api-version=2025-01-01`;
  expect(await server.call("management.azure.com", target, { token: await server.token() })).toMatchObject({ status: 404 });
  await service.create({ access: "blob", metadata: { a: "1" } });
  expect(await server.call("management.azure.com", target, { token: await server.token() })).toMatchObject({
    status: 200,
    body: { properties: { publicAccess: "Blob", metadata: { a: "1" } } },
  });
  expect(await service.getProperties()).toMatchObject({ blobPublicAccess: "blob", metadata: { a: "1" } });
});

test("an account that is created again under its old name is empty", async () => {
  const { container, server } = await openStorage();
  await container.getBlockBlobClient(path).upload(jwks, jwks.length);
  const token = await server.token();
  await server.call("management.azure.com", `${account}?api-version=2025-01-01`, { method: "DELETE", token });
  expect(await server.call(host, `/oidc/${path}`)).toMatchObject({ status: 502 });
  const body = { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: { allowBlobPublicAccess: true } };
  await server.call("management.azure.com", `${account}?api-version=2025-01-01`, { method: "PUT", token, body });
  await server.call("management.azure.com", `${account}/blobServices/default/containers/oidc?api-version=2025-01-01`, {
    method: "PUT",
    token,
    body: {},
  });
  await seedState(server.directory, { roleAssignments: [grant] });
  expect(await all(container.listBlobsFlat())).toEqual([]);
});

test("blobs that an older version kept, with Azurite beside it, are read and listed", async () => {
  const { container, server } = await openStorage();
  const content = Buffer.from(jwks).toString("base64");
  const old = { stamp: "s", content, etag: '"0x1"', lastModifiedAt: "Thu, 01 Jan 2026 00:00:00 GMT", contentType: "application/json" };
  const store = openState(server.directory);
  await store.transact((state) => {
    const holder = state.resources[`${account}/blobServices/default/containers/oidc`.toLowerCase()];
    if (holder !== undefined) holder.properties["blobs"] = { [path]: old };
    return { value: undefined, commit: true };
  });
  const headers = { etag: '"0x1"', "content-type": "application/json", "content-length": String(jwks.length) };
  expect(await server.call(host, `/oidc/${path}`)).toMatchObject({ status: 200, body: { keys: [] }, headers });
  expect(await all(container.listBlobsFlat())).toMatchObject([{ name: path, properties: { contentLength: jwks.length } }]);
});

test("what the emulator does not do is refused by name", async () => {
  const { container } = await openStorage();
  const blob = container.getBlockBlobClient(path);
  await blob.upload(jwks, jwks.length);
  await expect(blob.createSnapshot()).rejects.toMatchObject({ statusCode: 501 });
  await expect(container.getAppendBlobClient("log").create()).rejects.toMatchObject({ statusCode: 501 });
  await expect(blob.getBlobLeaseClient().acquireLease(15)).rejects.toMatchObject({ statusCode: 501 });
});

test("the snapshot of the state holds the blobs and is the same for the same content", async () => {
  const snapshots = await Promise.all(
    [1, 2].map(async () => {
      const { container, server } = await openStorage();
      await container.getBlockBlobClient(path).upload(jwks, jwks.length, json);
      return stateSnapshot(server.directory);
    }),
  );
  expect(JSON.stringify(snapshots[0]?.resources)).toContain(Buffer.from(jwks).toString("base64"));
  expect(snapshots[0]?.resources).toEqual(snapshots[1]?.resources);
});
