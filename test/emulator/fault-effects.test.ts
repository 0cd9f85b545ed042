/** The effects of fault rules on an answer, as a client of plain HTTPS receives them. */
import { request } from "node:https";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { agentFor, stateSnapshot, wellKnown } from "../../src/emulator/index.js";
import { parseFaultRules } from "../../src/emulator/core/fault-rules.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { faultsFile, openLocalServer, type LocalServer } from "./local-server.js";

const groups = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups`;
const target = `${groups}/new?api-version=2025-04-01`;

interface Received {
  readonly status?: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** How it ended: whole, by the code of an error, or by the patience of the client. */
  readonly end: string;
}

interface Patience {
  readonly bytes?: number;
  readonly milliseconds?: number;
}

/** PUTs a resource group, to a server whose only fault is `effect`. */
async function putUnder(
  effect: object,
  patience: Patience = {},
): Promise<Received & { readonly created: boolean; readonly directory: string }> {
  const directory = temporaryDirectory().path;
  const faults = faultsFile(directory, [{ method: "PUT", ...effect }]);
  const server = await openLocalServer({ directory, environment: { ARO_HCP_LOCAL_FAULTS: faults } });
  const received = await receive(server, await server.token(), patience);
  return { ...received, created: await isCreated(directory), directory };
}

async function isCreated(directory: string): Promise<boolean> {
  const { resources } = await stateSnapshot(directory);
  return Object.keys(resources).some((id) => id.endsWith("/resourcegroups/new"));
}

function receive(server: LocalServer, token: string, patience: Patience): Promise<Received> {
  const agent = agentFor(server);
  return new Promise<Received>((resolve) => {
    const chunks: Buffer[] = [];
    let head: Pick<Received, "status" | "headers"> = { headers: {} };
    const finish = (end: string): void => {
      resolve({ ...head, bytes: Buffer.concat(chunks), end });
      sent.destroy();
    };
    const headers = { host: "management.azure.com", authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request({ agent, host: "management.azure.com", path: target, method: "PUT", headers }, (answer) => {
      head = { status: answer.statusCode ?? 0, headers: answer.headers };
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (Buffer.concat(chunks).length > (patience.bytes ?? Infinity)) finish("enough");
      });
      answer.on("end", () => finish("whole"));
      answer.on("error", (error: NodeJS.ErrnoException) => finish(String(error.code)));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => finish(String(error.code)));
    sent.end(JSON.stringify({ location: "eastus" }));
    const { milliseconds } = patience;
    if (milliseconds !== undefined) sent.once("finish", () => setTimeout(() => finish("silence"), milliseconds));
  }).finally(() => agent.destroy());
}

const page = "<html><body>Bad gateway</body></html>";

for (const cut of ["reset", "fin"] as const) {
  test(`an answer of the service is cut in mid-way by ${cut}, with a length, chunked and compressed; the service has its effect`, async () => {
    const stated = await putUnder({ cut });
    expect(stated).toMatchObject({ status: 201, end: "ECONNRESET", created: true });
    expect(stated.bytes.length).toBe(Math.floor(Number(stated.headers["content-length"]) / 2));
    expect(stated.bytes.toString()).toMatch(/^\{"id":/);

    const chunked = await putUnder({ cut, chunked: true });
    expect(chunked).toMatchObject({ end: "ECONNRESET", bytes: stated.bytes, headers: { "transfer-encoding": "chunked" } });

    const compressed = await putUnder({ cut, gzip: true });
    expect(compressed).toMatchObject({ end: "ECONNRESET", headers: { "content-encoding": "gzip" } });
    expect(compressed.bytes.length).toBe(Math.floor(Number(compressed.headers["content-length"]) / 2));
    expect(compressed.bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });
}

test("an answer of the rule is cut too, and without two bytes of body it never begins", async () => {
  expect(await putUnder({ cut: "fin", answer: { status: 502, body: page } })).toMatchObject({
    status: 502,
    bytes: Buffer.from(page.slice(0, page.length / 2)),
    created: false,
  });
  expect(await putUnder({ cut: "fin", answer: { status: 200, body: 5 } })).toMatchObject({ end: "ECONNRESET", headers: {} });
});

test.each<[string, { body?: unknown; base64?: string; headers?: Record<string, string> }, string | Buffer]>([
  ["a page", { body: page, headers: { "content-type": "text/html" } }, page],
  ["nothing", {}, ""],
  ["an empty object", { body: {} }, "{}"],
  ["null", { body: null }, "null"],
  ["a number", { body: 5 }, "5"],
  ["half a document", { body: '{"value":[', headers: { "content-type": "application/json" } }, '{"value":['],
  ["any bytes", { base64: "/wCA" }, Buffer.from([0xff, 0x00, 0x80])],
])("a rule answers with %s", async (_what, answer, body) => {
  const received = await putUnder({ answer: { status: 200, ...answer } });
  expect(received).toMatchObject({ status: 200, end: "whole", bytes: Buffer.from(body), created: false });
  expect(received.headers).toMatchObject(answer.headers ?? {});
});

test("a whole answer may be compressed", async () => {
  const { bytes, end } = await putUnder({ gzip: true });
  expect({ end, body: JSON.parse(gunzipSync(bytes).toString()) as unknown }).toMatchObject({ end: "whole", body: { name: "new" } });
});

test("a connection that hangs has no answer, with and without the effect of the service", async () => {
  expect(await putUnder({ hang: true }, { milliseconds: 200 })).toMatchObject({ end: "silence", headers: {}, created: false });
  const after = await putUnder({ hang: true, when: "after" }, { milliseconds: 200 });
  expect(after).toMatchObject({ end: "silence", headers: {} });
  await expect.poll(() => isCreated(after.directory)).toBe(true);
});

test("an endless answer lasts until the client hangs up", async () => {
  const { bytes, end } = await putUnder({ endless: true, answer: { status: 200, body: page } }, { bytes: 1_000_000 });
  expect({ end, begins: bytes.toString().startsWith(page + page) }).toEqual({ end: "enough", begins: true });
  const compressed = await putUnder({ endless: true, gzip: true }, { bytes: 30_000 });
  expect(compressed).toMatchObject({ end: "enough", created: true, headers: { "content-encoding": "gzip" } });
});

test.each([
  [{ reset: true, hang: true }, /more than one of answer, reset, hang, kill/],
  [{ cut: "reset", endless: true }, /both cut and endless/],
  [{ reset: true, gzip: true }, /no answer that cut, endless, gzip or chunked could change/],
  [{ answer: { status: 200, body: {}, base64: "AA==" } }, /both body and base64/],
  [{ answer: { status: 200, base64: "?" } }, /base64/],
  [{}, /has no effect/],
])("a rule that contradicts itself is refused: %j", (rule, words) => {
  expect(() => parseFaultRules(JSON.stringify([rule]))).toThrow(words);
});
