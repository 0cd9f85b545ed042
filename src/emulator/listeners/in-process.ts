/** Answers requests of the SDKs' pipelines in this process, with the same faults as over HTTPS. */
import { setMaxListeners } from "node:events";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { createHttpHeaders, RestError, type PipelineRequest, type PipelineResponse, type RequestBodyType } from "@azure/core-rest-pipeline";
import { keepAlive } from "../common/clock.js";
import { isAzureHost } from "../core/azure-hosts.js";
import { ownUserAgent, react, type Core } from "../core/reaction.js";
import { readBody, readHead } from "../core/read-request.js";
import { halfOf, repeated, type Response } from "../core/response.js";
import type { Fetched } from "../core/service.js";
import { fetchUrl } from "./fetch-url.js";

export interface InProcess {
  /** What an HTTP client of a pipeline does. @throws RestError ECONNRESET for a lost connection, AbortError */
  send(request: PipelineRequest): Promise<PipelineResponse>;
  /** Ends all waits. */
  close(): void;
}

/** `kill` ends what runs in this process, as a fault rule says. */
export function inProcess(shared: Omit<Core, "fetch">, kill: () => void): InProcess {
  const closing = new AbortController();
  // Every delayed answer listens to this signal; that is no leak.
  setMaxListeners(0, closing.signal);
  const core: Core = { ...shared, fetch: (url) => fetched(url, core, closing.signal) };
  return {
    send: (request) => untilAborted(request, answered(request, core, kill, closing.signal)),
    close() {
      closing.abort();
    },
  };
}

async function answered(request: PipelineRequest, core: Core, kill: () => void, closed: AbortSignal): Promise<PipelineResponse> {
  const { pathname, search, host } = new URL(request.url);
  const sent = request.requestOverrides?.["headers"] as Readonly<Record<string, string>> | undefined;
  const all = Object.entries({ host, ...request.headers.toJSON(), ...sent }).map(([name, value]) => [name.toLowerCase(), value]);
  // Nothing travels, so only a fault rule compresses.
  const headers = Object.fromEntries(all.filter(([name]) => name !== "accept-encoding")) as Readonly<Record<string, string>>;
  const head = readHead({ method: request.method, url: `${pathname}${search}`, headers });
  const reaction = await react(head, () => readBody(chunksOf(request.body), head), core, closed);
  switch (reaction.kind) {
    case "kill":
      kill();
      return new Promise(() => undefined);
    case "hang":
      return new Promise(() => undefined);
    case "reset":
      throw lost(request);
    case "response":
      return responseTo(request, reaction.response, reaction.sent);
  }
}

function responseTo(request: PipelineRequest, response: Response, sent: () => void): PipelineResponse {
  const { status, headers, cut, bytes } = response;
  if (cut !== undefined && halfOf(response) === undefined) throw lost(request);
  if (cut === undefined && !response.isEndless) sent();
  const readableStreamBody = bodyOf(response, bytes, () => lost(request));
  return { request, status, headers: createHttpHeaders({ ...headers }), readableStreamBody };
}

function bodyOf(response: Response, bytes: Buffer, lostConnection: () => Error): Readable {
  if (response.cut !== undefined) return Readable.from(cutOff(halfOf(response) ?? bytes, lostConnection));
  if (!response.isEndless) return Readable.from(bytes.length === 0 ? [] : [bytes]);
  const body = Readable.from(repeated(bytes));
  return response.isCompressed ? body.pipe(createGzip()) : body;
}

function* cutOff(half: Buffer, lostConnection: () => Error): Generator<Buffer> {
  yield half;
  throw lostConnection();
}

function lost(request: PipelineRequest): RestError {
  return new RestError("socket hang up", { code: "ECONNRESET", request });
}

/**
 * The answer is computed, and recorded, also for a client that does not wait for it any more. Until then the process stays alive, as an open
 * connection keeps it.
 */
async function untilAborted<T>({ abortSignal }: PipelineRequest, answer: Promise<T>): Promise<T> {
  const endWait = keepAlive();
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(Object.assign(new Error("The operation was aborted."), { name: "AbortError" }));
    if (abortSignal?.aborted) abort();
    abortSignal?.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    endWait();
    if (abort) abortSignal?.removeEventListener("abort", abort);
    answer.catch(() => undefined);
  }
}

function chunksOf(body: RequestBodyType | undefined): AsyncIterable<unknown> | Iterable<unknown> {
  const given: unknown = typeof body === "function" ? body() : body;
  if (given === undefined || given === null) return [];
  if (typeof given === "string") return [Buffer.from(given)];
  if (given instanceof ArrayBuffer) return [Buffer.from(given)];
  if (ArrayBuffer.isView(given)) return [Buffer.from(given.buffer, given.byteOffset, given.byteLength)];
  if (typeof given === "object" && Symbol.asyncIterator in given) return given as AsyncIterable<unknown>;
  throw new TypeError("the emulator cannot read this kind of request body");
}

/** A GET of the services: from this emulator where it stands for the host, otherwise from the network. */
async function fetched(url: string, core: Core, closed: AbortSignal): Promise<Fetched | undefined> {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, host, pathname, search } = new URL(url);
  if (protocol !== "https:" || !isAzureHost(hostname)) return fetchUrl(url, undefined, core.clock);
  const head = readHead({ method: "GET", url: `${pathname}${search}`, headers: { host, "user-agent": ownUserAgent } });
  const reaction = await react(head, () => Promise.resolve(head), core, closed);
  return reaction.kind === "response" ? { status: reaction.response.status, text: reaction.response.bytes.toString() } : undefined;
}
