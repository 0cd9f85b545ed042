/** Sends an answer on its connection: whole, or spoiled on the way as a fault rule says. */
import { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import type { Answer, ApiRequest } from "../service.js";
import type { FaultRule } from "./fault-rules.js";

/** What a fault does to an answer on its way. */
type Transfer = Pick<FaultRule, "gzip" | "chunked" | "cut" | "endless">;

type Headers = Readonly<Record<string, string>>;

/** Returns the headers as they were sent, with the type and the length of the body; undefined if the answer never gets whole to the client. */
export async function sendAnswer(
  outgoing: ServerResponse,
  request: ApiRequest,
  answer: Answer,
  given: Headers,
  transfer: Transfer = {},
): Promise<Headers | undefined> {
  const { status } = answer;
  const bodiless = request.method === "HEAD" || status === 204 || status === 304;
  const { content, type } = contentOf(answer.body);
  const bytes = transfer.gzip && !transfer.endless ? gzipSync(content) : content;
  const headers: Record<string, string> = { ...given };
  if (type !== undefined && content.length > 0) headers["content-type"] ??= type;
  if (transfer.gzip) headers["content-encoding"] = "gzip";
  // The answer to HEAD may state the length of the body it omits.
  const stated = request.method === "HEAD" && headers["content-length"] !== undefined;
  if (status !== 204 && status !== 304 && !stated && !transfer.chunked && !transfer.endless)
    headers["content-length"] = String(bytes.length);

  if (transfer.cut !== undefined) {
    cutOff(outgoing, transfer.cut, bodiless ? undefined : { status, headers, bytes });
    return undefined;
  }
  outgoing.writeHead(status, headers);
  if (transfer.endless && !bodiless) {
    // Rejects when the client hangs up.
    await (transfer.gzip
      ? pipeline(Readable.from(repeated(content)), createGzip(), outgoing)
      : pipeline(Readable.from(repeated(content)), outgoing));
    return undefined;
  }
  outgoing.end(bodiless ? undefined : bytes);
  return headers;
}

function contentOf(body: unknown): { readonly content: Buffer; readonly type?: string } {
  if (body === undefined) return { content: Buffer.alloc(0) };
  if (Buffer.isBuffer(body)) return { content: body };
  if (typeof body === "string") return { content: Buffer.from(body), type: "text/plain; charset=utf-8" };
  return { content: Buffer.from(JSON.stringify(body)), type: "application/json; charset=utf-8" };
}

/** An answer without two bytes of body has no middle: its connection ends before the head. */
function cutOff(
  outgoing: ServerResponse,
  by: "reset" | "fin",
  sent: { readonly status: number; readonly headers: Headers; readonly bytes: Buffer } | undefined,
): void {
  const { socket } = outgoing;
  const end = (): void => void (by === "fin" ? socket?.end() : socket?.destroy());
  if (sent === undefined || sent.bytes.length < 2) {
    end();
    return;
  }
  outgoing.writeHead(sent.status, sent.headers);
  outgoing.write(sent.bytes.subarray(0, sent.bytes.length / 2), end);
}

function* repeated(content: Buffer): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, content.length > 0 ? content : " ");
  for (;;) yield piece;
}
