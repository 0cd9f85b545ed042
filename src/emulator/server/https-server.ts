/** The HTTPS server: one loopback port that answers for all of Azure's hostnames and applies the fault rules. */
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { EmulatorError } from "../emulator-error.js";
import { ApiError, type Answer, type ApiRequest } from "../service.js";
import type { StateStore } from "../state/store.js";
import type { ServerIdentity } from "./certificates.js";
import { errorAnswer } from "./error-envelope.js";
import type { FaultRule } from "./fault-rules.js";
import type { Faults } from "./faults.js";
import { fetchUrl, ownUserAgent } from "./fetch-url.js";
import { listenOnLoopback } from "./listen.js";
import { readBody, readHead } from "./read-request.js";
import { scaleRetryAfter } from "./retry-after.js";
import { sendAnswer } from "./send-answer.js";
import { serveRequest, type ServerDeps } from "./serve-request.js";
import { standardHeaders } from "./standard-headers.js";
import { recordTraffic } from "./traffic-record.js";

export interface HttpsServerOptions extends Omit<ServerDeps, "fetch"> {
  readonly identity: ServerIdentity;
  readonly faults: Faults;
  readonly record: string | undefined;
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
  const fetch: ServerDeps["fetch"] = (url) => fetchUrl(url, { port, ca });
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

/** The outcome of a request: an answer, or nothing because the connection must drop or stay silent. */
type Reaction = Answer | "reset" | "hang";
type Opened = HttpsServerOptions & ServerDeps;

async function answerRequest(incoming: IncomingMessage, outgoing: ServerResponse, options: Opened, closed: AbortSignal): Promise<void> {
  const head = readHead(incoming);
  if (head.host === "localhost" || head.host === "127.0.0.1") {
    // Identifies this server to `joinEmulator`. No client of Azure uses these names.
    const emulator = { pid: process.pid, problem: problemOf(options.store) };
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ emulator }));
    return;
  }
  const ours = head.headers["user-agent"] === ownUserAgent;
  const fault = ours ? undefined : options.faults.strike(head);
  const requestId = randomUUID();
  let request = head;
  let reaction: Reaction;
  try {
    request = await readBody(incoming, head);
    reaction = await react(request, requestId, fault, options, closed);
  } catch (error) {
    reaction = errorAnswer(asApiError(error, head), head, { requestId, now: options.clock.now().getTime() });
  }
  if (reaction === "reset") {
    incoming.socket.destroy();
    return;
  }
  if (reaction === "hang") return;
  const seconds = reaction.takes ?? 0;
  if (seconds > 0) await sleep((seconds * 1000) / options.timeScale, undefined, { signal: closed });
  // Dated by the clock that computed the answer; Node would use its own.
  const now = options.clock.now();
  const headers = {
    date: now.toUTCString(),
    ...standardHeaders(request, requestId, now.getTime()),
    // A fault rule says itself how long clients are to wait.
    ...scaleRetryAfter(reaction.headers ?? {}, options.timeScale, reaction === fault?.answer ? "recorded" : options.latency),
  };
  const sent = await sendAnswer(outgoing, request, reaction, headers, fault);
  if (options.record !== undefined && !ours && sent !== undefined) {
    const body = request.method === "HEAD" ? null : reaction.body;
    recordTraffic(options.record, request, { status: reaction.status, headers: sent, body, byFault: reaction === fault?.answer });
  }
}

async function react(
  request: ApiRequest,
  requestId: string,
  fault: FaultRule | undefined,
  options: Opened,
  closed: AbortSignal,
): Promise<Reaction> {
  if (fault?.when === "before") {
    const reaction = await suffer(fault, options, closed);
    if (reaction !== undefined) return reaction;
  }
  const served = serveRequest(request, requestId, options);
  if (fault?.when !== "after") return served;
  // A refusal is an answer too, so effects with `when: after` apply to it.
  await served.catch(() => undefined);
  return (await suffer(fault, options, closed)) ?? served;
}

/** Undefined if the service's own answer goes out. */
async function suffer(fault: FaultRule, options: Opened, closed: AbortSignal): Promise<Reaction | undefined> {
  if (fault.delay !== undefined) await sleep((fault.delay * 1000) / options.timeScale, undefined, { signal: closed });
  if (fault.kill) process.kill(process.pid, "SIGKILL");
  if (fault.reset) return "reset";
  if (fault.hang) return "hang";
  return fault.answer;
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

function asApiError(error: unknown, request: ApiRequest): ApiError {
  if (error instanceof ApiError) return error;
  // Clients repeat a 500, but the state does not fix itself.
  if (error instanceof EmulatorError)
    return new ApiError(501, "EmulatorStateDamaged", `${error.message}; \`aro-hcp local reset\` starts with a fresh state`);
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new ApiError(500, "EmulatorFault", `The emulator itself failed at ${request.method} /${request.path.join("/")}: ${what}`);
}
