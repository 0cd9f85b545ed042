/** Azurite, Microsoft's own emulator of blobs, in this process: in memory, on a loopback port, with accounts and keys as it is told. */
import { createHmac } from "node:crypto";
import { request, type IncomingHttpHeaders, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { ApiError } from "../../service.js";

export interface BlobExchange {
  readonly method: string;
  /** Lower-case host name: "demo.blob.core.windows.net". */
  readonly host: string;
  /** Raw path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface BlobReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Azurite {
  send(exchange: BlobExchange): Promise<BlobReply>;
  close(): Promise<void>;
}

/** The part of Azurite's server that is used here; the package declares no types. */
interface BlobServer {
  readonly httpServer: Server;
  readonly accountDataStore: { getAccount(name: string): { name: string; key1: Buffer; key2: Buffer } | undefined };
  start(): Promise<void>;
  close(): Promise<void>;
}

type Constructor<Made> = new (...parameters: unknown[]) => Made;

/** Base64 keys of an account. */
export type KeysOf = (account: string) => readonly [key1: string, key2: string] | undefined;

/** @throws ApiError 501 where Azurite is not installed: a production install leaves it out. */
export async function startAzurite(keysOf: KeysOf): Promise<Azurite> {
  const server = newServer();
  // Not from AZURITE_ACCOUNTS: the environment is the whole process's, and accounts come and go.
  server.accountDataStore.getAccount = (name) => {
    const [key1, key2] = keysOf(name) ?? [];
    return key1 === undefined || key2 === undefined
      ? undefined
      : { name, key1: Buffer.from(key1, "base64"), key2: Buffer.from(key2, "base64") };
  };
  await server.start();
  // A command that is done need not wait for it.
  server.httpServer.unref();
  const { port } = server.httpServer.address() as AddressInfo;
  return { send: (exchange) => send(port, exchange), close: () => server.close() };
}

const load = createRequire(import.meta.url);
const configurationModule = "azurite/dist/src/blob/BlobConfiguration.js";
const serverModule = "azurite/dist/src/blob/BlobServer.js";

/** Whether Azurite is installed. */
export function servesBlobs(): boolean {
  try {
    load.resolve(serverModule);
    return true;
  } catch {
    return false;
  }
}

function newServer(): BlobServer {
  try {
    const { default: Configuration } = load(configurationModule) as { default: Constructor<object> };
    const { default: Server } = load(serverModule) as { default: Constructor<BlobServer> };
    return new Server(new Configuration(...configuration));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new ApiError(
      501,
      "NotImplementedByEmbeddedAzure",
      "Blobs of the emulator are served by Azurite, which is not installed: npm install azurite",
    );
  }
}

/** Positional, as Azurite has them. No log, no disk, any version of the service, host names as Azure's. */
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

function send(port: number, { method, host, target, headers, body }: BlobExchange): Promise<BlobReply> {
  return new Promise((resolve, reject) => {
    // The body goes whole, however it came: these two belong to the connection it came by.
    const { "transfer-encoding": _encoding, expect: _expect, ...kept } = headers;
    const sent = { ...kept, host, "content-length": String(body.length), connection: "close" };
    const asked = request({ host: "127.0.0.1", port, method, path: target, headers: sent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: flat(answer.headers), body: Buffer.concat(chunks) }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** An account SAS that allows everything for ever: how what we have allowed ourselves is sent on. Without "?" or "&" in front. */
export function ownSignature(account: string, key: string): string {
  const [permissions, services, resourceTypes, expiry, version] = ["rwdxlacupitf", "b", "sco", "2999-01-01T00:00:00Z", "2020-10-02"];
  const text = [account, permissions, services, resourceTypes, "", expiry, "", "", version, ""].join("\n");
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  return new URLSearchParams({ sv: version, ss: services, srt: resourceTypes, sp: permissions, se: expiry, sig: signature }).toString();
}
