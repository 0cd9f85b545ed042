/** How a body is read to its end, from a server of plain HTTP: every read settles. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createDefaultHttpClient, createPipelineRequest, type PipelineRequest } from "@azure/core-rest-pipeline";
import { describe, expect, test } from "vitest";
import { largestBodyBytes, responseBodyPolicy } from "../../src/azure/response-body.js";
import { lostConnectionCodes } from "../../src/azure/retry-rules.js";

/** Sends one request to a server that answers so, as the SDKs do. */
async function send(respond: (response: ServerResponse) => void, changes: Partial<PipelineRequest> = {}) {
  const server = createServer((_, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/x`;
  const request = createPipelineRequest({ url, allowInsecureConnection: true, ...changes });
  request.headers.set("accept-encoding", "gzip,deflate");
  const client = createDefaultHttpClient();
  const response = await responseBodyPolicy({})
    .sendRequest(request, (sent) => client.sendRequest(sent))
    .finally(() => {
      server.close();
      server.closeAllConnections();
    });
  expect(response.request).toBe(request);
  expect(request.headers.get("accept-encoding")).toBe("gzip,deflate");
  return response;
}

const words = "answer ".repeat(1000);

test.each([
  ["gzip", gzipSync(words)],
  ["GZIP", gzipSync(words)],
  ["x-gzip", gzipSync(words)],
  ["deflate", deflateSync(words)],
  ["br", brotliCompressSync(words)],
  ["identity", Buffer.from(words)],
])("a body in %s is decoded", async (encoding, body) => {
  const response = await send((to) => to.writeHead(200, { "content-encoding": encoding }).end(body));
  expect(response.bodyAsText).toBe(words);
  expect(response.headers.get("content-length")).toBe(String(words.length));
});

test("a body that the SDK wants as a stream is a whole one", async () => {
  const response = await send((to) => to.end(words), { streamResponseStatusCodes: new Set([200]) });
  expect(response.bodyAsText).toBeUndefined();
  expect(await text(response.readableStreamBody ?? expect.fail())).toBe(words);
});

test("an empty body may claim to be compressed", async () => {
  expect((await send((to) => to.writeHead(200, { "content-encoding": "gzip" }).end())).bodyAsText).toBe("");
});

describe("a body that does not go on ends with the signal of the request", () => {
  test.each([
    ["plain", {}, Buffer.from(words)],
    ["compressed", { "content-encoding": "gzip" }, gzipSync(words).subarray(0, 20)],
  ])("%s", async (_title, headers, body) => {
    const controller = new AbortController();
    const sent = send(
      (to) => {
        to.writeHead(200, headers);
        to.write(body, () => setTimeout(() => controller.abort(), 10));
      },
      { abortSignal: controller.signal },
    );
    await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  });
});

test("a body that announces too much is not read", async () => {
  const sent = send((to) => to.writeHead(200, { "content-length": String(largestBodyBytes + 1) }).flushHeaders());
  await expect(sent).rejects.toMatchObject({ code: "ARO-NET-004" });
});

test("bytes that are not HTTP are not from Azure", async () => {
  const sent = send((to) => to.socket?.end("not HTTP at all\r\n\r\n"));
  await expect(sent).rejects.toMatchObject({ code: "ARO-NET-003" });
});

describe("a response that is cut off anywhere is a lost connection", () => {
  const body = JSON.stringify({ value: words.slice(0, 40) });
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nx-ms-request-id: r\r\n`;
  const zipped = gzipSync(body);
  const chunks = `${(20).toString(16)}\r\n${body.slice(0, 20)}\r\n${(body.length - 20).toString(16)}\r\n${body.slice(20)}\r\n0\r\n\r\n`;

  test.each<[string, Buffer]>([
    ["with a length", Buffer.from(`${head}Content-Length: ${String(body.length)}\r\n\r\n${body}`)],
    ["in chunks", Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`)],
    [
      "compressed",
      Buffer.concat([Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${String(zipped.length)}\r\n\r\n`), zipped]),
    ],
  ])("%s", async (_title, whole) => {
    const outcomes = new Set<unknown>();
    for (const end of ["end", "resetAndDestroy"] as const) {
      for (let cut = 0; cut < whole.length; cut += 1) {
        const sent = send(({ socket }) => socket?.write(whole.subarray(0, cut), () => socket[end]()));
        outcomes.add(
          await sent.then(
            ({ bodyAsText }) => `${String(cut)} ${end}: ${bodyAsText ?? ""}`,
            ({ code }: { readonly code?: unknown }) =>
              lostConnectionCodes.has(String(code)) ? "lost" : `${String(cut)} ${end}: ${String(code)}`,
          ),
        );
      }
    }
    expect([...outcomes]).toEqual(["lost"]);
  });
});
