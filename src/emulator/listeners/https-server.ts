/** The HTTPS server: one loopback port that answers for all of Azure's hostnames. */
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { EmulatorError } from "../emulator-error.js";
import type { StateStore } from "../state/store.js";
import type { ServerIdentity } from "./certificates.js";
import { fetchUrl } from "./fetch-url.js";
import { listenOnLoopback } from "./listen.js";
import { react, type Core } from "../core/reaction.js";
import { readBody, readHead } from "../core/read-request.js";
import { sendResponse } from "./send-response.js";

export interface HttpsServerOptions extends Omit<Core, "fetch"> {
  readonly identity: ServerIdentity;
  /** 0 for any free port. */
  readonly port: number;
}

export interface OpenPort {
  readonly port: number;
  /** Drops every connection. */
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
  const port = await listenOnLoopback(server, options.port);
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

async function answerRequest(incoming: IncomingMessage, outgoing: ServerResponse, core: Core, closed: AbortSignal): Promise<void> {
  const head = readHead({ method: incoming.method, url: incoming.url, headers: incoming.headers });
  if (head.host === "localhost" || head.host === "127.0.0.1") {
    // Identifies this server to `joinEmulator`. No client of Azure uses these names.
    const emulator = { pid: process.pid, problem: problemOf(core.store) };
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ emulator }));
    return;
  }
  const reaction = await react(head, () => readBody(incoming, head), core, closed);
  if (reaction.kind === "kill") process.kill(process.pid, "SIGKILL");
  if (reaction.kind === "reset") incoming.socket.destroy();
  if (reaction.kind === "response" && (await sendResponse(outgoing, reaction.response))) reaction.sent();
}

/** Why the state cannot be used: a client that knows it sends no request. */
function problemOf(store: StateStore): string | undefined {
  try {
    store.check();
    return undefined;
  } catch (error) {
    if (error instanceof EmulatorError) return error.message;
    throw error;
  }
}
