/** The server: hosts, decoding, envelopes, tokens, throttling and the proxy, over real TLS. */
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { connect as tlsConnect } from "node:tls";
import { expect, test, vi } from "vitest";
import { authenticate } from "../../src/emulator/core/authenticate.js";
import { scaleRetryAfter } from "../../src/emulator/core/reaction.js";
import { readLocalSettings } from "../../src/emulator/core/local-settings.js";
import { stateSnapshot, wellKnown } from "../../src/emulator/index.js";
import { openState } from "../../src/emulator/open.js";
import { faultsFile, openLocalServer, type LocalServer } from "./local-server.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const arm = "management.azure.com";
const subscription = `/subscriptions/${wellKnown.subscriptionId}`;
const groupVersion = "api-version=2025-04-01";
const dnsGroup = `${subscription}/resourceGroups/dns?${groupVersion}`;
const group = (name: string): string => `${subscription}/resourceGroups/${name}?${groupVersion}`;
const putGroup = { method: "PUT", body: { location: "eastus" } };

test("a path with a double slash and an encoded parameter name reaches its resource", async () => {
  const server = await openLocalServer();
  const reply = await server.call(arm, `/${subscription}/resourcegroups/dns?api%2Dversion=2025-04-01`, { token: await server.token() });
  expect(reply).toMatchObject({ status: 200, body: { name: "dns" } });
});

test("every answer carries request IDs, and echoes the client's own", async () => {
  const server = await openLocalServer();
  const reply = await server.call(arm, dnsGroup, { token: await server.token(), headers: { "x-ms-client-request-id": "mine" } });
  expect(reply.headers).toMatchObject({
    "x-ms-request-id": expect.any(String),
    "x-ms-correlation-request-id": expect.any(String),
    date: expect.any(String),
    "x-ms-client-request-id": "mine",
  });
});

test("the operation log names the request of each write", async () => {
  const server = await openLocalServer();
  const made = await server.call(arm, group("a"), { ...putGroup, token: await server.token() });
  const { operationLog = [] } = await stateSnapshot(server.directory, { operationLog: true });
  expect(operationLog.map(({ request }) => request)).toEqual([made.headers["x-ms-request-id"]]);
});

test("a route that is not emulated is 501 with its name", async () => {
  const server = await openLocalServer();
  const notEmulated = { status: 501, body: { error: { code: "NotImplementedByEmbeddedAzure" } } };
  expect(await server.call("login.microsoftonline.com", "/common/other")).toMatchObject({ status: 501 });
  expect(
    await server.call("graph.microsoft.com", "/v1.0/devices", { token: await server.token("https://graph.microsoft.com") }),
  ).toMatchObject(notEmulated);
  // Whatever its body is: the route comes first.
  const deployment = `${subscription}/resourceGroups/dns/providers/Microsoft.Example/things/x/validate?api-version=2025-04-01`;
  const headers = { "content-type": "application/json" };
  expect(await server.call(arm, deployment, { method: "POST", body: "{", headers, token: await server.token() })).toMatchObject(
    notEmulated,
  );
});

test("a body that is not JSON, of another type or over the limit is refused in ARM's envelope", async () => {
  const server = await openLocalServer();
  const token = await server.token();
  const put = (body: string, type = "application/json") =>
    server.call(arm, group("a"), { method: "PUT", token, body, headers: { "content-type": type } });
  expect(await put("{")).toMatchObject({ status: 400, body: { error: { code: "InvalidRequestContent" } } });
  expect(await put("<a/>", "text/xml")).toMatchObject({ status: 415, body: { error: { code: "UnsupportedMediaType" } } });
  expect(await put(" ".repeat(4 * 1024 * 1024 + 1))).toMatchObject({ status: 413, body: { error: { code: "RequestContentTooLarge" } } });
});

test("without a token, with one that was changed, or with one for Graph, ARM answers 401 by its own codes", async () => {
  const server = await openLocalServer();
  const token = await server.token();
  const [head = "", payload = "", signature = ""] = token.split(".");
  const tampered = [
    head,
    Buffer.from(Buffer.from(payload, "base64url").toString().replace(wellKnown.clientId, wellKnown.tenantId)).toString("base64url"),
    signature,
  ];
  const code = (reply: { status: number; body: unknown }) => [reply.status, (reply.body as { error: { code: string } }).error.code];
  expect(code(await server.call(arm, dnsGroup))).toEqual([401, "AuthenticationFailed"]);
  expect(code(await server.call(arm, dnsGroup, { token: tampered.join(".") }))).toEqual([401, "InvalidAuthenticationToken"]);
  const other = await server.call(arm, dnsGroup, { token: await server.token("https://graph.microsoft.com") });
  expect(code(other)).toEqual([401, "InvalidAuthenticationTokenAudience"]);
  expect(other.headers["www-authenticate"]).toContain(`authorization_uri="https://login.microsoftonline.com/${wellKnown.tenantId}"`);
  expect(code(await server.call("graph.microsoft.com", "/v1.0/applications", { token }))).toEqual([401, "InvalidAuthenticationToken"]);
});

test("a token older than an hour is refused with the code on which clients renew it", async () => {
  const server = await openLocalServer();
  const headers = { authorization: `Bearer ${await server.token()}` };
  const state = await openState(server.directory).transact((it) => ({ value: it, commit: false }));
  const request = { method: "GET", host: arm, path: [], target: "/", query: new URLSearchParams(), headers, body: undefined } as const;
  const inTwoHours = Date.now() + 7_200_000;
  expect(() => authenticate({ state, request, now: inTwoHours })).toThrow(
    expect.objectContaining({
      status: 401,
      code: "ExpiredAuthenticationToken",
      message: expect.stringMatching(/^The access token expiry UTC time '\d+\/\d+\/\d{4} \d+:\d\d:\d\d [AP]M' is earlier than/),
    }),
  );
});

test("both of ARM's audiences are accepted, with and without their slash", async () => {
  const server = await openLocalServer();
  for (const audience of [
    "https://management.azure.com",
    "https://management.azure.com/",
    "https://management.core.windows.net",
    "https://management.core.windows.net/",
  ]) {
    expect((await server.call(arm, dnsGroup, { token: await server.token(audience) })).status, audience).toBe(200);
  }
});

test("the certificate names every host of Azure and is verified by the directory's own authority", async () => {
  const server = await openLocalServer();
  for (const servername of ["management.azure.com", "a.vault.azure.net", "b.blob.core.windows.net", "localhost"]) {
    await new Promise<void>((resolve, reject) => {
      const socket = tlsConnect({ host: "127.0.0.1", port: server.port, servername, ca: server.ca }, () => resolve(void socket.end()));
      socket.on("error", reject);
    });
  }
  const unowned = new Promise((resolve, reject) => {
    tlsConnect({ host: "127.0.0.1", port: server.port, servername: "example.com", ca: server.ca }, () => resolve(undefined)).on(
      "error",
      reject,
    );
  });
  await expect(unowned).rejects.toThrow(/altnames/);
  expect(statSync(join(server.directory, "authority.pem")).mode & 0o077).toBe(0);
  expect(statSync(join(server.directory, "server.pem")).mode & 0o077).toBe(0);
});

/** What a client does that obeys HTTPS_PROXY: CONNECT, then TLS to the real name inside. */
async function throughProxy(server: LocalServer, authority: string, address = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = plainRequest({ host: address, port: server.proxyPort, method: "CONNECT", path: authority });
    asked.on("error", reject);
    asked.on("connect", (answer, socket) => {
      if (answer.statusCode !== 200) return resolve(answer.statusCode ?? 0);
      const [host = ""] = authority.split(":");
      const inner = request(
        { createConnection: () => tlsConnect({ socket, servername: host, ca: server.ca }), host, path: dnsGroup },
        (reply) => {
          socket.destroy();
          resolve(reply.statusCode ?? 0);
        },
      );
      inner.on("error", reject).end();
    });
    asked.end();
  });
}

test("the proxy tunnels to Azure's hosts and to the server itself, TLS verified end to end, and refuses all others", async () => {
  const server = await openLocalServer({ proxy: true });
  expect(await throughProxy(server, "management.azure.com:443")).toBe(401);
  expect(await throughProxy(server, `localhost:${String(server.port)}`)).toBe(401);
  expect(await throughProxy(server, `localhost:${String(server.proxyPort)}`)).toBe(403);
  expect(await throughProxy(server, "example.com:443")).toBe(403);
  expect(await throughProxy(server, "management.azure.com:22")).toBe(403);
  expect(await throughProxy(server, "a.b.vault.azure.net:443")).toBe(403);
});

test("the proxy listens for other computers only on request, and the server itself never", async () => {
  const other = "127.0.0.2";
  const closed = await openLocalServer({ proxy: true });
  await expect(throughProxy(closed, "management.azure.com:443", other)).rejects.toThrow("ECONNREFUSED");
  const open = await openLocalServer({ proxy: true, proxyAddress: "0.0.0.0" });
  expect(await throughProxy(open, "management.azure.com:443", other)).toBe(401);
  await expect(throughProxy({ ...open, proxyPort: open.port }, "management.azure.com:443", other)).rejects.toThrow("ECONNREFUSED");
  await expect(openLocalServer({ proxy: true, proxyAddress: "192.0.2.1" })).rejects.toThrow("cannot listen on port 0 of 192.0.2.1");
});

test("the time scale shortens how long clients must wait", () => {
  expect(scaleRetryAfter({ "Retry-After": "17" }, 1)).toEqual({ "retry-after": "17" });
  expect(scaleRetryAfter({ "Retry-After": "30" }, 10)).toEqual({
    "retry-after": "3",
    "retry-after-ms": "3000",
    "x-ms-retry-after-ms": "3000",
  });
  expect(scaleRetryAfter({ "Retry-After": "10" }, 60)).toEqual({ "retry-after-ms": "167", "x-ms-retry-after-ms": "167" });
});

test("without latency, clients that read milliseconds wait a second at most", () => {
  expect(scaleRetryAfter({ "Retry-After": "17" }, 1, "none")).toEqual({
    "retry-after": "17",
    "retry-after-ms": "1000",
    "x-ms-retry-after-ms": "1000",
  });
  expect(scaleRetryAfter({ "Retry-After": "1" }, 1, "none")).toEqual({ "retry-after": "1" });
});

test("invalid settings are errors that name their variable", async () => {
  const directory = temporaryDirectory().path;
  await expect(readLocalSettings({ ARO_HCP_LOCAL_LATENCY: "slow" })).rejects.toThrow(/ARO_HCP_LOCAL_LATENCY is "slow"/);
  await expect(readLocalSettings({ ARO_HCP_LOCAL_TIME_SCALE: "-1" })).rejects.toThrow(/ARO_HCP_LOCAL_TIME_SCALE/);
  await expect(readLocalSettings({ ARO_HCP_LOCAL_FAULTS: join(directory, "none") })).rejects.toThrow(/ARO_HCP_LOCAL_FAULTS.*ENOENT/);
  await expect(readLocalSettings({ ARO_HCP_LOCAL_FAULTS: faultsFile(directory, [{ kil: true }]) })).rejects.toThrow(
    /ARO_HCP_LOCAL_FAULTS.*kil/,
  );
  const huge = join(directory, "huge.json");
  writeFileSync(huge, "[]");
  truncateSync(huge, 16 * 1024 * 1024 + 1);
  await expect(readLocalSettings({ ARO_HCP_LOCAL_FAULTS: huge })).rejects.toThrow(/ARO_HCP_LOCAL_FAULTS: .* is larger than 16777216 bytes/);
  await expect(readLocalSettings({ ARO_HCP_LOCAL_RECORD: directory })).rejects.toThrow(/ARO_HCP_LOCAL_RECORD: .* is not a regular file/);
});

test("the record has each request once, word for word, without any credential", async () => {
  const directory = temporaryDirectory().path;
  const record = join(directory, "traffic.ndjson");
  const server = await openLocalServer({ directory, environment: { ARO_HCP_LOCAL_RECORD: record } });
  const token = await server.token();
  await server.call(arm, group("a"), { ...putGroup, token });
  await server.call(arm, group("nothing"), { token });
  const text = readFileSync(record, "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ method, status }) => [method, status])).toEqual([
    ["POST", 200],
    ["PUT", 201],
    ["GET", 404],
  ]);
  expect(lines[1]).toMatchObject({
    url: `https://management.azure.com${group("a")}`,
    requestHeaders: { authorization: "***" },
    requestBody: { location: "eastus" },
    responseHeaders: { "x-ms-request-id": expect.any(String), "content-type": "application/json; charset=utf-8" },
    responseBody: { name: "a" },
  });
  const { clientSecret } = JSON.parse(readFileSync(server.credentialsFile, "utf8")) as { clientSecret: string };
  expect(text).not.toContain(clientSecret);
  expect(text).not.toContain(token);
  expect(statSync(record).mode & 0o077).toBe(0);
});

test("the record has the keys of a storage account in their form, but not their values", async () => {
  const directory = temporaryDirectory().path;
  const record = join(directory, "traffic.ndjson");
  const server = await openLocalServer({ directory, environment: { ARO_HCP_LOCAL_RECORD: record } });
  const token = await server.token();
  const account = `${subscription}/resourceGroups/a/providers/Microsoft.Storage/storageAccounts/recorded`;
  const version = "api-version=2025-08-01";
  await server.call(arm, group("a"), { ...putGroup, token });
  const body = { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} };
  await server.call(arm, `${account}?${version}`, { method: "PUT", body, token });
  const listed = await vi.waitFor(async () => {
    const reply = await server.call(arm, `${account}/listKeys?${version}`, { method: "POST", token });
    expect(reply.status).toBe(200);
    return reply.body as { readonly keys: readonly { readonly value: string }[] };
  });
  const text = readFileSync(record, "utf8");
  const line = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
  expect(line).toMatchObject({
    responseBody: {
      keys: [
        { keyName: "key1", value: "***" },
        { keyName: "key2", value: "***" },
      ],
    },
  });
  for (const { value } of listed.keys) expect(text).not.toContain(value);
});
