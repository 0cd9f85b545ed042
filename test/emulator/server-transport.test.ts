/** How answers travel: header names and sets, compression, connections, and the bodies that Resource Manager reads. */
import { request } from "node:https";
import { gunzipSync } from "node:zlib";
import { ResourceManagementClient } from "@azure/arm-resources";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { onTestFinished, expect, test } from "vitest";
import { responseBodyPolicy, responseBodyPolicyName } from "../../src/azure/response-body.js";
import { agentFor, wellKnown } from "../../src/emulator/index.js";
import { openLocalServer, type LocalServer } from "./local-server.js";
import { all, sdkAccess } from "./sdk-access.js";

const arm = "management.azure.com";
const graph = "graph.microsoft.com";
const group = (name: string): string => `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${name}?api-version=2025-04-01`;

interface RawReply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** As spelled on the wire. */
  readonly names: readonly string[];
  readonly bytes: Buffer;
  /** The client's port, which names the connection. */
  readonly port: number | undefined;
}

/** Requests over one agent, whose answers are not decoded. */
async function rawClient(server: LocalServer) {
  const agent = agentFor(server);
  onTestFinished(() => agent.destroy());
  return async (host: string, target: string, method = "GET", body?: string, accepts?: string): Promise<RawReply> => {
    const token = await server.token(`https://${host}`);
    const headers = {
      host,
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(accepts !== undefined && { "accept-encoding": accepts }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ agent, host, path: target, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        const port = answer.socket.localPort;
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode,
            headers: answer.headers as Record<string, string>,
            names: answer.rawHeaders.filter((_, index) => index % 2 === 0),
            bytes: Buffer.concat(chunks),
            port,
          }),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  };
}

test("header names are spelled as Azure spells them, in sets of Azure's size", async () => {
  const send = await rawClient(await openLocalServer());
  const read = await send(arm, group("dns"));
  const ofArm = ["Cache-Control", "Pragma", "Expires", "Content-Type", "Strict-Transport-Security", "X-Content-Type-Options", "Vary"];
  expect(read.names).toEqual(expect.arrayContaining([...ofArm, "X-Cache", "X-MSEdge-Ref", "x-ms-request-id", "x-ms-routing-request-id"]));
  const size = Object.entries(read.headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  expect(size).toBeGreaterThan(600);
  expect(size).toBeLessThan(1500);
  const network = group("dns").replace(
    "?api-version=2025-04-01",
    "/providers/Microsoft.Network/virtualNetworks/net?api-version=2025-05-01",
  );
  const body = JSON.stringify({ location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } });
  const put = await send(arm, network, "PUT", body);
  expect(put.names).toEqual(expect.arrayContaining(["Azure-AsyncOperation", "Azure-AsyncNotification"]));
  expect((await send(graph, "/v1.0/applications")).names).toEqual(
    expect.arrayContaining(["request-id", "client-request-id", "OData-Version"]),
  );
});

test("what Resource Manager and Graph answer with 200 is compressed for clients that accept gzip, and nothing else is", async () => {
  const send = await rawClient(await openLocalServer());
  for (const [host, target] of [
    [arm, group("dns")],
    [graph, "/v1.0/applications"],
  ] as const) {
    const plain = await send(host, target);
    expect([plain.headers["content-encoding"], plain.headers["vary"]]).toEqual([undefined, "Accept-Encoding"]);
    const compressed = await send(host, target, "GET", undefined, "br;q=1, GZIP ;q=0.5");
    expect(compressed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(compressed.bytes).toString()).toBe(plain.bytes.toString());
    const refused = await send(host, target, "GET", undefined, "gzip;q=0, deflate");
    expect(refused.headers["content-encoding"]).toBeUndefined();
  }
  for (const [status, method, name] of [
    [201, "PUT", "new"],
    [404, "GET", "missing"],
  ] as const) {
    const reply = await send(arm, group(name), method, method === "PUT" ? '{"location":"eastus"}' : undefined, "gzip, deflate");
    expect([reply.status, reply.headers["content-encoding"], reply.headers["vary"]]).toEqual([status, undefined, undefined]);
  }
});

test("requests one after the other share a connection", async () => {
  const send = await rawClient(await openLocalServer());
  const ports = [];
  for (const name of ["dns", "missing", "dns"]) ports.push((await send(arm, group(name))).port);
  expect(new Set(ports).size).toBe(1);
});

test("a compressed answer passes the SDK's client and our policy that reads bodies", async () => {
  const server = await openLocalServer();
  const { credential, options } = sdkAccess(server);
  const client = new ResourceManagementClient(credential, wellKnown.subscriptionId, options);
  const encodings: (string | undefined)[] = [];
  const observe: PipelinePolicy = {
    name: "observe",
    async sendRequest(sent, next) {
      const response = await next(sent);
      encodings.push(response.headers.get("content-encoding"));
      return response;
    },
  };
  expect((await all(client.resourceGroups.list())).map(({ name }) => name)).toEqual([wellKnown.dnsGroup]);
  client.pipeline.addPolicy(responseBodyPolicy({}), { afterPhase: "Sign" });
  client.pipeline.addPolicy(observe, { afterPhase: "Sign", afterPolicies: [responseBodyPolicyName] });
  expect((await all(client.resourceGroups.list())).map(({ name }) => name)).toEqual([wellKnown.dnsGroup]);
  expect(encodings).toEqual(["gzip"]);
});

test("Resource Manager reads a byte order mark, comments and trailing commas, but not what stands in strings; Graph does not", async () => {
  const send = await rawClient(await openLocalServer());
  const body = `\uFEFF{ // where
    "location": "eastus", /* and
    by whom */ "tags": { "a": "x, } // y", "b": "\\"/* z */", },
  }`;
  const made = await send(arm, group("new"), "PUT", body);
  expect([made.status, JSON.parse(made.bytes.toString())]).toEqual([
    201,
    expect.objectContaining({ tags: { a: "x, } // y", b: '"/* z */' } }) as object,
  ]);
  expect((await send(arm, group("new"), "PUT", "{ /* open")).status).toBe(400);
  expect((await send(graph, "/v1.0/applications", "POST", '{"displayName":"a",}')).status).toBe(400);
});
