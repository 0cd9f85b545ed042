/** The record of all traffic: one JSON line a request, credentials masked, in a file that several processes may share. */
import { appendFileSync } from "node:fs";
import type { ApiRequest } from "./service.js";
import { maskBody, maskHeaders, maskUrl } from "./mask-secrets.js";

/** One line of the record. Bodies are parsed if they are JSON or a form; absent ones are null. */
interface TrafficLine {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: unknown;
  /** Only if a fault rule answered: the words are the rule's, not the emulator's. */
  readonly byFault?: true;
}

/** Appends in one write, so that lines of several processes do not mix. A lost connection has no line: nothing was answered. */
export function recordTraffic(
  file: string,
  request: ApiRequest,
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly byFault: boolean;
  },
): void {
  const line: TrafficLine = {
    method: request.method,
    url: `https://${request.host}${maskUrl(request.target)}`,
    requestHeaders: maskHeaders(request.headers),
    requestBody: maskBody(request, asText(bodyOf(request))),
    status: answer.status,
    responseHeaders: maskHeaders(answer.headers),
    responseBody: maskBody(request, asText(answer.body)),
    ...(answer.byFault && { byFault: true }),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/** Null in the record if it cannot be parsed. */
function bodyOf(request: ApiRequest): unknown {
  try {
    return request.body;
  } catch {
    return undefined;
  }
}

/** The bytes of a blob, or of what is written as one. */
function asText(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return body ?? null;
  return body.length === 0 ? null : body.toString();
}
