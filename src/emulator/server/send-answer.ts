/** Sends an answer on its connection: whole, or spoiled on the way as a fault rule says. */
import { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import type { Answer, ApiRequest } from "../service.js";
import type { FaultRule } from "./fault-rules.js";
import { azureSpelling } from "./standard-headers.js";

/** The defaults take a quarter of a megabyte for each answer. */
const smallGzip = { level: 1, windowBits: 12, memLevel: 5 };

/** What a fault does to an answer on its way. */
type Transfer = Pick<FaultRule, "gzip" | "chunked" | "cut" | "endless">;

type Headers = Readonly<Record<string, string>>;

/**
 * Returns the headers that were sent, by their lower-case names, with the type and the length of the body; undefined if the answer never
 * gets whole to the client.
 */
export async function sendAnswer(
  outgoing: ServerResponse,
  request: ApiRequest,
  answer: Answer,
  given: Headers,
  transfer?: Transfer,
): Promise<Headers | undefined> {
  const { status } = answer;
  const bodiless = request.method === "HEAD" || status === 204 || status === 304;
  const { content, type } = contentOf(answer.body, request.host);
  const compressible = status === 200 && content.length > 0 && compressingHosts.has(request.host);
  // A fault rule says itself whether its answer is compressed.
  const gzip = transfer === undefined ? compressible && acceptsGzip(request) : transfer.gzip === true;
  const bytes = gzip && !transfer?.endless ? gzipSync(content, smallGzip) : content;
  const headers: Record<string, string> = { ...given };
  if (type !== undefined && content.length > 0) headers["content-type"] ??= type;
  if (compressible) headers["vary"] = "Accept-Encoding";
  if (gzip) headers["content-encoding"] = "gzip";
  // The answer to HEAD may state the length of the body it omits.
  const stated = request.method === "HEAD" && headers["content-length"] !== undefined;
  if (status !== 204 && status !== 304 && !stated && !transfer?.chunked && !transfer?.endless)
    headers["content-length"] = String(bytes.length);

  if (transfer?.cut !== undefined) {
    cutOff(outgoing, transfer.cut, bodiless ? undefined : { status, headers, bytes });
    return undefined;
  }
  outgoing.writeHead(status, spelled(headers));
  if (transfer?.endless && !bodiless) {
    // Rejects when the client hangs up.
    await (gzip
      ? pipeline(Readable.from(repeated(content)), createGzip(), outgoing)
      : pipeline(Readable.from(repeated(content)), outgoing));
    return undefined;
  }
  outgoing.end(bodiless ? undefined : bytes);
  return headers;
}

/** Some of Azure's front ends compress every 200 of these hosts, of any size. None compresses a 201, an error, a secret or a blob. */
const compressingHosts = new Set(["management.azure.com", "graph.microsoft.com"]);

function acceptsGzip({ headers }: ApiRequest): boolean {
  return (headers["accept-encoding"] ?? "").split(",").some((each) => {
    const [coding = "", quality = "q=1"] = each.toLowerCase().replaceAll(" ", "").split(";");
    return coding === "gzip" && Number(quality.slice(2)) > 0;
  });
}

function spelled(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [azureSpelling(name), value]));
}

const jsonTypes: Readonly<Record<string, string>> = {
  "graph.microsoft.com": "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8",
};

function contentOf(body: unknown, host: string): { readonly content: Buffer; readonly type?: string } {
  if (body === undefined) return { content: Buffer.alloc(0) };
  if (Buffer.isBuffer(body)) return { content: body };
  if (typeof body === "string") return { content: Buffer.from(body), type: "text/plain; charset=utf-8" };
  return { content: Buffer.from(JSON.stringify(body)), type: jsonTypes[host] ?? "application/json; charset=utf-8" };
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
  outgoing.writeHead(sent.status, spelled(sent.headers));
  outgoing.write(sent.bytes.subarray(0, sent.bytes.length / 2), end);
}

function* repeated(content: Buffer): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, content.length > 0 ? content : " ");
  for (;;) yield piece;
}
