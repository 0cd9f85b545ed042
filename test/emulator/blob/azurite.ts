/** Azurite, Microsoft's own emulator of blobs, as a referee: in this process, in memory, on a loopback port. */
import { request, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { host } from "./storage.js";

/** The part of Azurite's server that is used here; the package declares no types. */
interface BlobServer {
  readonly httpServer: Server;
  readonly accountDataStore: { getAccount(name: string): { name: string; key1: Buffer; key2: Buffer } | undefined };
  start(): Promise<void>;
  close(): Promise<void>;
}

type Constructor<Made> = new (...parameters: unknown[]) => Made;

export interface RefereeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** With the account of the tests, under the key of the emulator. */
export async function openAzurite(key: string): Promise<(target: string, sent: Sent) => Promise<RefereeReply>> {
  const load = createRequire(import.meta.url);
  const { default: Configuration } = load("azurite/dist/src/blob/BlobConfiguration.js") as { default: Constructor<object> };
  const { default: Server } = load("azurite/dist/src/blob/BlobServer.js") as { default: Constructor<BlobServer> };
  const server = new Server(new Configuration(...configuration));
  const bytes = Buffer.from(key, "base64");
  server.accountDataStore.getAccount = (name) => ({ name, key1: bytes, key2: bytes });
  await server.start();
  onTestFinished(() => server.close());
  const { port } = server.httpServer.address() as AddressInfo;
  return (target, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = {
        host,
        ...headers,
        ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
        connection: "close",
      };
      const asked = request({ host: "127.0.0.1", port, method, path: target, headers: sent }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      asked.on("error", reject);
      asked.end(body);
    });
}

/** Positional, as Azurite has them. No log, no disk, any version of the service, hostnames as Azure's. */
const configuration = [
  "127.0.0.1",
  0,
  ...[5, "", "", []], // keep-alive seconds; where the database, its extents and the blobs would be on disk
  ...[false, undefined, false, undefined], // access log and debug log
  ...[false, true], // loose, skipApiVersionCheck
  ...["", "", "", undefined], // certificate, key, password, OAuth
  false, // disableProductStyleUrl
  true, // isMemoryPersistence
] as const;
