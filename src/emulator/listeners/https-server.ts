/** The HTTPS server: one loopback port that answers for all of Azure's hostnames. */
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { isEmulatorHost } from "../core/azure-hosts.js";
import type { EmulatorRoutes } from "./emulator-routes.js";
import type { ServerIdentity } from "./server-certificates.js";
import { fetchUrl } from "./fetch-url.js";
import { react, type Core } from "../core/reaction.js";
import { readBody, readHead } from "../core/read-request.js";
import { responseOf, halfOf, repeated, type Headers, type Response } from "../core/response.js";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { azureSpelling } from "../core/standard-headers.js";
import type { AddressInfo, Server } from "node:net";
import { EmulatorInputError } from "../common/emulator-error.js";

export interface HttpsServerOptions extends Omit<Core, "fetch"> {
  readonly identity: ServerIdentity;
  readonly routes: EmulatorRoutes;
  /** 0 for any free port. */
  readonly port: number;
}

export interface OpenPort {
  readonly port: number;
  close(): Promise<void>;
}

export async function openHttpsServer(options: HttpsServerOptions): Promise<OpenPort> {
  const closing = new AbortController();
  // Every delayed answer listens to this signal; that is no leak.
  setMaxListeners(0, closing.signal);
  const { cert, key, ca } = options.identity;
  const fetch: Core["fetch"] = (url) => fetchUrl(url, { port, ca }, options.clock);
  const server = createServer({ cert, key, minVersion: "TLSv1.2" }, (incoming, outgoing) => {
    answerRequest(incoming, outgoing, { ...options, fetch }, closing.signal).catch(() => {
      // Reached only if the client is gone or the server is closing: nobody is left to answer.
      incoming.socket.destroy();
    });
  });
  // Idle connections stay open until the server closes: closing one while a client reuses it would look like a lost write.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  const port = await listenOn(server, options.port);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answering = Core & Pick<HttpsServerOptions, "routes">;

async function answerRequest(incoming: IncomingMessage, outgoing: ServerResponse, core: Answering, closed: AbortSignal): Promise<void> {
  const head = readHead({ method: incoming.method, url: incoming.url, headers: incoming.headers });
  if (isEmulatorHost(head.host)) {
    const answer = await core.routes(head, incoming);
    await sendResponse(outgoing, responseOf(head, answer, answer.headers ?? {}));
    return;
  }
  const reaction = await react(head, () => readBody(incoming, head), core, closed);
  if (reaction.kind === "kill") process.kill(process.pid, "SIGKILL");
  if (reaction.kind === "reset") incoming.socket.destroy();
  if (reaction.kind === "response" && (await sendResponse(outgoing, reaction.response))) reaction.sent();
}

/** Returns whether it was sent to its end. */
async function sendResponse(outgoing: ServerResponse, response: Response): Promise<boolean> {
  const { status, headers, bytes, cut, isEndless, isCompressed } = response;
  if (cut !== undefined) {
    cutOff(outgoing, cut, response);
    return false;
  }
  outgoing.writeHead(status, spelled(headers));
  if (isEndless) {
    const body = Readable.from(repeated(bytes));
    // Rejects when the client hangs up.
    await (isCompressed ? pipeline(body, createGzip(), outgoing) : pipeline(body, outgoing));
    return false;
  }
  outgoing.end(bytes);
  return true;
}

function spelled(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [azureSpelling(name), value]));
}

function cutOff(outgoing: ServerResponse, by: "reset" | "fin", response: Response): void {
  const { socket } = outgoing;
  const end = (): void => void (by === "fin" ? socket?.end() : socket?.destroy());
  const half = halfOf(response);
  if (half === undefined) {
    end();
    return;
  }
  outgoing.writeHead(response.status, spelled(response.headers));
  outgoing.write(half, end);
}

/** Only programs of this computer reach it. */
export const loopback = "127.0.0.1";

/** Resolves to the port. @throws EmulatorInputError if address or port are taken, not allowed or not of this computer */
export function listenOn(server: Server, port: number, address = loopback): Promise<number> {
  return new Promise((resolve, reject) => {
    const place = address === loopback ? `port ${port}` : `port ${port} of ${address}`;
    server.once("error", (error) => reject(new EmulatorInputError(`cannot listen on ${place}: ${error.message}`, { cause: error })));
    server.listen(port, address, () => resolve((server.address() as AddressInfo).port));
  });
}
