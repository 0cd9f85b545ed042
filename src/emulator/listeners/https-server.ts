/** The HTTPS server: one loopback port that answers for all of Azure's hostnames. */
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { isEmulatorHost } from "../core/azure-hosts.js";
import type { EmulatorRoutes } from "./emulator-routes.js";
import type { ServerIdentity } from "./certificates.js";
import { fetchUrl } from "./fetch-url.js";
import { listenOnLoopback } from "./listen.js";
import { react, type Core } from "../core/reaction.js";
import { readBody, readHead } from "../core/read-request.js";
import { responseOf } from "../core/response.js";
import { sendResponse } from "./send-response.js";

export interface HttpsServerOptions extends Omit<Core, "fetch"> {
  readonly identity: ServerIdentity;
  readonly routes: EmulatorRoutes;
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
