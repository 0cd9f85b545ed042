/** The server's own routes: a test in any language starts from a known state, with the secret of the directory. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { resetState, seedState, stateSnapshot, wellKnown } from "../../src/emulator/index.js";
import { openState } from "../../src/emulator/open.js";
import { containerThrough, openStorage } from "./blob/storage.js";
import { callThrough, faultsFile, openLocalServer, type LocalServer, type Reply, type Sent } from "./local-server.js";
import { firstLine } from "../../tools/cli-process.js";
import { testEmulator } from "../harness/test-emulator.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const arm = "management.azure.com";
const subscription = `/subscriptions/${wellKnown.subscriptionId}`;
const group = (name: string): string => `${subscription}/resourceGroups/${name}`;
const versioned = (name: string): string => `${group(name)}?api-version=2025-04-01`;

const secretOf = (server: LocalServer): string =>
  (JSON.parse(readFileSync(server.credentialsFile, "utf8")) as { clientSecret: string }).clientSecret;

/** `POST /emulator/reset` and its like. */
function own(server: LocalServer, route: string, sent: Sent = {}): Promise<Reply> {
  const [method = "", target = ""] = route.split(" ");
  return server.call("localhost", target, { method, token: secretOf(server), ...sent });
}

async function keep(server: LocalServer): Promise<string> {
  const reply = await own(server, "POST /emulator/snapshots");
  expect(reply.status).toBe(201);
  return (reply.body as { id: string }).id;
}

async function restore(server: LocalServer, id: string): Promise<void> {
  expect(await own(server, `POST /emulator/snapshots/${id}/restore`)).toMatchObject({ status: 204, body: "" });
}

async function putGroup(server: LocalServer, token: string, name: string): Promise<number> {
  const reply = await server.call(arm, versioned(name), { method: "PUT", body: { location: "eastus" }, token });
  return reply.status;
}

const statusOf = async (server: LocalServer, token: string, name: string): Promise<number> =>
  (await server.call(arm, versioned(name), { token })).status;

/** The whole state, word for word. */
const stateOf = (directory: string): Promise<string> =>
  openState(directory).transact((state) => ({ value: JSON.stringify(state), commit: false }));

test("a reset gives a fresh state, and a client keeps its token", async () => {
  const server = await openLocalServer();
  const fresh = (await own(server, "GET /emulator/state")).body;
  const token = await server.token();
  expect(await putGroup(server, token, "a")).toBe(201);
  expect((await own(server, "GET /emulator/state")).body).not.toEqual(fresh);
  expect(await own(server, "POST /emulator/reset")).toMatchObject({ status: 204, body: "" });
  expect((await own(server, "GET /emulator/state")).body).toEqual(fresh);
  expect(await statusOf(server, token, "a")).toBe(404);
});

test("the state is what local status prints", async () => {
  const server = await openLocalServer();
  await putGroup(server, await server.token(), "a");
  const { status, headers, body } = await own(server, "GET /emulator/state");
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect(body).toEqual(await stateSnapshot(server.directory));
});

test("a seed document is added, whatever type of content the client names", async () => {
  const server = await openLocalServer();
  const body = JSON.stringify({ resources: { [group("a")]: { location: "eastus" } } });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect(await own(server, "POST /emulator/seed", { body, headers })).toMatchObject({ status: 204 });
  expect(await statusOf(server, await server.token(), "a")).toBe(200);
});

test("a refused seed document adds nothing, and is refused in the words of local seed", async () => {
  const server = await openLocalServer();
  const before = await stateOf(server.directory);
  const network = `${group("a")}/providers/Microsoft.Network/virtualNetworks/n`;
  for (const document of [
    { resources: { [group("a")]: { location: "eastus" }, [network]: { location: "eastus", properties: { addressSpace: 1 } } } },
    { resources: { [group("a")]: { location: "eastus" } }, arcAgents: { [network]: {} } },
    { resource: {} },
  ]) {
    const said = await seedState(server.directory, document).catch((error: Error) => error.message);
    expect(await own(server, "POST /emulator/seed", { body: document })).toMatchObject({
      status: 400,
      body: { error: { code: "InvalidSeedDocument", message: said } },
    });
  }
  expect(await own(server, "POST /emulator/seed", { body: "{ secret" })).toMatchObject({
    status: 400,
    body: { error: { code: "InvalidRequestContent", message: expect.not.stringContaining("secret") } },
  });
  expect(await stateOf(server.directory)).toBe(before);
});

test("a restore puts back what was changed, deleted and added, in its order, as often as it is asked for", async () => {
  const server = await openLocalServer();
  const token = await server.token();
  for (const name of ["a", "b", "c"]) await putGroup(server, token, name);
  const before = await stateOf(server.directory);
  const id = await keep(server);
  for (let round = 0; round < 2; round++) {
    await server.call(arm, versioned("a"), { method: "DELETE", token });
    await server.call(arm, versioned("b"), { method: "PUT", body: { location: "eastus", tags: { round: String(round) } }, token });
    await putGroup(server, token, "d");
    expect(await statusOf(server, token, "a")).toBe(404);
    await restore(server, id);
    expect(await stateOf(server.directory)).toBe(before);
    expect(await Promise.all(["a", "b", "c", "d"].map((name) => statusOf(server, token, name)))).toEqual([200, 200, 200, 404]);
  }
  await own(server, "POST /emulator/reset");
  await restore(server, id);
  expect(await stateOf(server.directory)).toBe(before);
});

test("a snapshot holds the content of blobs, whose files other processes remove meanwhile", async () => {
  const { server, container } = await openStorage();
  const contents = new Map([
    ["large", Buffer.alloc(100_000, "large")],
    ["small", Buffer.from("small")],
    ["stays", Buffer.alloc(100_000, "stays")],
  ]);
  for (const [name, content] of contents) await container.getBlockBlobClient(name).uploadData(content);
  const files = () => readdirSync(join(server.directory, "state", "content"));
  const id = await keep(server);
  const other = containerThrough(await openLocalServer({ directory: server.directory }));
  const expectAll = async () => {
    for (const [name, content] of contents) {
      for (const through of [container, other])
        expect((await through.getBlobClient(name).downloadToBuffer()).equals(content), name).toBe(true);
    }
    expect(files()).toHaveLength(2);
  };

  await other.getBlockBlobClient("large").uploadData(Buffer.alloc(80_000, "other"));
  await other.getBlobClient("small").delete();
  await restore(server, id);
  await expectAll();

  resetState(server.directory);
  expect(files()).toEqual([]);
  await restore(server, id);
  await expectAll();
});

test("every process on the directory sees a restore at its next request, and its own writes before it are gone", async () => {
  const server = await openLocalServer();
  const other = await openLocalServer({ directory: server.directory });
  const token = await server.token();
  await putGroup(other, token, "a");
  const id = await keep(server);
  await Promise.all(Array.from({ length: 20 }, (_, nth) => putGroup(nth % 2 === 0 ? server : other, token, `b${String(nth)}`)));
  await restore(server, id);
  const listed = await other.call(arm, `${subscription}/resourceGroups?api-version=2025-04-01`, { token });
  expect((listed.body as { value: { name: string }[] }).value.map(({ name }) => name)).toEqual(["dns", "a"]);
  expect(await putGroup(other, token, "b1")).toBe(201);
});

test("a server in a process of its own restores the state for this process too", async () => {
  const azure = await testEmulator();
  const served = await azure.start(["local", "serve"]);
  const { port } = new URL((JSON.parse(await firstLine(served)) as { https: string }).https);
  const other = await openLocalServer({ directory: azure.directory });
  const server = { ...other, call: callThrough({ port: Number(port), ca: other.ca }) };
  const token = await other.token();
  const id = await keep(server);
  await putGroup(other, token, "a");
  await restore(server, id);
  expect(await statusOf(other, token, "a")).toBe(404);
  expect(await putGroup(other, token, "b")).toBe(201);
  expect(await statusOf(server, token, "b")).toBe(200);
  expect((await own(other, `POST /emulator/snapshots/${id}/restore`)).status).toBe(404);
});

test("restores among the writes of two processes lose none and mix none", async () => {
  const server = await openLocalServer();
  const other = await openLocalServer({ directory: server.directory });
  const token = await server.token();
  const id = await keep(server);
  await Promise.all([
    ...Array.from({ length: 10 }, () => restore(server, id)),
    ...Array.from({ length: 20 }, async (_, nth) => expect(await putGroup(other, token, `b${String(nth)}`)).toBe(201)),
  ]);
  await restore(server, id);
  expect((await own(other, "GET /emulator/state")).body).toEqual((await own(server, "GET /emulator/state")).body);
  expect(Object.keys((await stateSnapshot(server.directory)).resources).filter((name) => name.endsWith("b1"))).toEqual([]);
});

test("a deleted snapshot cannot be restored, and a server keeps twenty", async () => {
  const server = await openLocalServer();
  const ids = await Promise.all(Array.from({ length: 20 }, () => keep(server)));
  expect(new Set(ids).size).toBe(20);
  expect(await own(server, "POST /emulator/snapshots")).toMatchObject({
    status: 409,
    body: { error: { code: "TooManySnapshots", message: expect.stringContaining("DELETE /emulator/snapshots/ID") } },
  });
  const [id = ""] = ids;
  expect(await own(server, `DELETE /emulator/snapshots/${id}`)).toMatchObject({ status: 204 });
  for (const route of [`POST /emulator/snapshots/${id}/restore`, `DELETE /emulator/snapshots/${id}`]) {
    expect(await own(server, route)).toMatchObject({ status: 404, body: { error: { code: "SnapshotNotFound" } } });
  }
  await keep(server);
});

test("without the secret of the directory, each route is 401, says which file has it, and shows no path", async () => {
  const server = await openLocalServer();
  const before = await stateOf(server.directory);
  const routes = ["POST /emulator/reset", "POST /emulator/seed", "GET /emulator/state", "POST /emulator/snapshots", "GET /emulator/other"];
  for (const authorization of [undefined, "Bearer wrong", `Basic ${secretOf(server)}`, `Bearer ${await server.token()}`]) {
    for (const route of routes) {
      const [method = "", target = ""] = route.split(" ");
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await server.call("localhost", target, { method, headers });
      expect(answer).toMatchObject({
        status: 401,
        headers: { "www-authenticate": "Bearer" },
        body: { error: { code: "AuthenticationFailed", message: expect.stringContaining(basename(server.credentialsFile)) } },
      });
      expect(JSON.stringify(answer)).not.toContain(server.directory);
    }
  }
  expect(await stateOf(server.directory)).toBe(before);
});

test("the routes are of the server's own name only, and no fault, throttle or record knows them", async () => {
  const directory = temporaryDirectory().path;
  const record = join(directory, "traffic.ndjson");
  const faults = faultsFile(directory, [{ request: 1, answer: { status: 500 } }]);
  const environment = { ARO_HCP_LOCAL_RECORD: record, ARO_HCP_LOCAL_FAULTS: faults };
  const server = await openLocalServer({ directory, environment });
  writeFileSync(record, "");
  expect((await own(server, "GET /emulator/state")).status).toBe(200);
  expect(readFileSync(record, "utf8")).toBe("");
  expect((await server.call(arm, "/emulator/reset", { method: "POST" })).status).toBe(500);
  for (const host of [arm, "graph.microsoft.com", "login.microsoftonline.com", "demo.vault.azure.net", "demo.blob.core.windows.net"]) {
    expect((await server.call(host, "/emulator/reset", { method: "POST", token: secretOf(server) })).status).toBeGreaterThanOrEqual(400);
  }
  expect(await own(server, "POST /emulator/other")).toMatchObject({
    status: 404,
    body: { error: { code: "RouteNotFound", message: expect.stringContaining("POST /emulator/reset") } },
  });
});

test("a reset also replaces a damaged state; the other routes say that it is damaged", async () => {
  const server = await openLocalServer();
  const state = join(server.directory, "state");
  const epoch = readdirSync(state).find((name) => name.startsWith("epoch-")) ?? "";
  const other = await openLocalServer({ directory: server.directory });
  for (const name of readdirSync(join(state, epoch))) writeFileSync(join(state, epoch, name), "{");
  writeFileSync(join(state, epoch, "delta-1.json"), "{");
  expect(await own(other, "POST /emulator/snapshots")).toMatchObject({ status: 501, body: { error: { code: "EmulatorStateDamaged" } } });
  expect(await own(other, "POST /emulator/reset")).toMatchObject({ status: 204 });
  expect((await own(server, "GET /emulator/state")).status).toBe(200);
});
