/** The sender of a request is known before its body is read, and a body is read up to the limit of its host. */
import { request } from "node:https";
import { createHttpHeaders, createPipelineRequest } from "@azure/core-rest-pipeline";
import { expect, onTestFinished, test } from "vitest";
import { agentFor, wellKnown } from "../../src/emulator/index.js";
import { openInProcess } from "../../src/emulator/open-in-process.js";
import { bodyLimit } from "../../src/emulator/core/body-limits.js";
import { readBody, readHead } from "../../src/emulator/core/read-request.js";
import { grant, host as blobs, openStorage } from "./blob/storage.js";
import { openLocalServer, type LocalServer } from "./local-server.js";
import { seedState } from "../../src/emulator/index.js";

const home = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo`;
const arm = { host: "management.azure.com", method: "PUT", target: `${home}?api-version=2025-04-01`, status: 401 } as const;
const vault = `${home}/providers/Microsoft.KeyVault/vaults/demo-vault`;
const hsm = `${home}/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`;
const cluster = `${home}/providers/Microsoft.Kubernetes/connectedClusters/demo`;

/** What a sender without a token may not write, whatever its body says. */
const writes = [
  arm,
  { host: "graph.microsoft.com", method: "POST", target: "/v1.0/applications", status: 401 },
  { host: "demo-vault.vault.azure.net", method: "PUT", target: "/secrets/a?api-version=7.6", status: 401 },
  { host: "demo-vault.vault.azure.net", method: "POST", target: "/keys/a/create?api-version=7.6", status: 401 },
  { host: "demo-hsm.managedhsm.azure.net", method: "POST", target: "/keys/a/create?api-version=7.6", status: 401 },
  { host: "absent.vault.azure.net", method: "PUT", target: "/secrets/a?api-version=7.6", status: 502 },
  { host: blobs, method: "PUT", target: "/oidc/a", status: 401 },
  { host: blobs, method: "PUT", target: "/oidc/a?comp=block&blockid=QQ==", status: 401 },
  { host: "eastus.arc-agents.invalid", method: "POST", target: cluster, status: 404 },
] as const;

const storage = `${home}/providers/Microsoft.Storage/storageAccounts/demo`;
const seed = {
  resources: {
    [home]: { location: "eastus" },
    [storage]: { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: { allowBlobPublicAccess: true } },
    [`${storage}/blobServices/default/containers/oidc`]: { properties: { publicAccess: "Blob" } },
    [vault]: { location: "eastus", properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" } } },
    [hsm]: { location: "eastus", properties: {} },
  },
};

async function seeded(): Promise<LocalServer> {
  const server = await openLocalServer();
  await seedState(server.directory, seed);
  return server;
}

test.each(writes)("the server refuses $method $host $target without a token before it has a byte of the body", async (write) => {
  const server = await seeded();
  expect(await statusWithoutBody(server, write, {})).toBe(write.status);
});

test.each(writes)("the emulator in this process does the same with $method $host $target", async ({ host, method, target, status }) => {
  const { directory } = await seeded();
  const emulator = await openInProcess({ directory, environment: {} }, () => undefined);
  onTestFinished(() => emulator.close());
  const body = (): never => {
    throw new Error("the body is read");
  };
  const headers = createHttpHeaders({ "content-type": "application/json" });
  const sent = createPipelineRequest({ url: `https://${host}${target}`, method, headers, body });
  expect((await emulator.send(sent)).status).toBe(status);
});

/** The status of the answer to a request whose body is announced and never sent. */
function statusWithoutBody(
  server: LocalServer,
  { host, method, target }: { readonly host: string; readonly method: string; readonly target: string },
  given: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const agent = agentFor(server);
  onTestFinished(() => agent.destroy());
  const headers = { host, "content-type": "application/json", "content-length": String(2 ** 28), "x-ms-blob-type": "BlockBlob", ...given };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host, path: target, method, headers }, (answer) => resolve(answer.statusCode));
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

test("a body that is announced as too large is refused before it is read", async () => {
  const server = await openLocalServer();
  expect(await statusWithoutBody(server, arm, { authorization: `Bearer ${await server.token()}` })).toBe(413);
  expect(
    await statusWithoutBody(server, { host: "login.microsoftonline.com", method: "POST", target: "/common/oauth2/v2.0/token" }, {}),
  ).toBe(413);
});

test("the connection of a refused sender serves its next request", async () => {
  const server = await openLocalServer();
  const refused = await server.call(arm.host, arm.target, { method: "PUT", body: "x".repeat(1_000_000) });
  const next = await server.call(arm.host, arm.target, { token: await server.token() });
  expect([refused.status, next.status]).toEqual([401, 404]);
});

test.each([
  ["management.azure.com", "PUT", "/", 4_194_304],
  ["graph.microsoft.com", "POST", "/", 4_194_304],
  ["login.microsoftonline.com", "POST", "/", 131_072],
  ["a.vault.azure.net", "PUT", "/", 262_144],
  ["a.managedhsm.azure.net", "PUT", "/", 262_144],
  ["a.blob.core.windows.net", "PUT", "/c/b", 4_194_304_000],
  ["a.blob.core.windows.net", "PUT", "/c/b?comp=block&blockid=QQ==", 4_194_304_000],
  ["a.blob.core.windows.net", "PUT", "/c/b?comp=blocklist", 8_388_608],
  ["a.blob.core.windows.net", "POST", "/?restype=service&comp=userdelegationkey", 8_388_608],
  ["eastus.arc-agents.invalid", "POST", "/", 65_536],
])("%s reads a body of %s %s up to %d bytes", (host, method, url, limit) => {
  expect(bodyLimit(readHead({ method, url, headers: { host } }))).toBe(limit);
});

test("a body without a length is kept up to the limit, and refused at its end", async () => {
  const head = readHead({ method: "PUT", url: "/secrets/a", headers: { host: "a.vault.azure.net" } });
  const chunks = Array.from({ length: 5 }, () => Buffer.alloc(65_536, " "));
  await expect(readBody(chunks, head)).rejects.toMatchObject({ status: 413 });
  await expect(readBody(chunks.slice(1), head)).resolves.toMatchObject({ method: "PUT" });
});

test("the longest secret fits, however its characters are written", async () => {
  const server = await openLocalServer();
  await seedState(server.directory, {
    ...seed,
    roleAssignments: [{ ...grant, scope: vault, role: "00482a5a-887f-4fb3-b363-3b7fe8e74483" }],
  });
  const token = await server.token("https://vault.azure.net");
  const put = (text: string) =>
    server.call("demo-vault.vault.azure.net", "/secrets/a?api-version=7.6", {
      method: "PUT",
      token,
      headers: { "content-type": "application/json" },
      body: `{"value":"${text}"}`,
    });
  expect((await put("\\u0061".repeat(25_600))).status).toBe(200);
});

test("GET and DELETE have no body: what is sent with them is not read", async () => {
  const { server } = await openStorage();
  const token = await server.token();
  for (const method of ["GET", "DELETE"]) {
    expect(await statusWithoutBody(server, { ...arm, method }, { authorization: `Bearer ${token}` })).toBe(method === "GET" ? 200 : 202);
  }
});
