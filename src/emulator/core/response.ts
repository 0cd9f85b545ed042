/** The response to a request as data, with the changes that a fault rule makes to it. */
import { gzipSync } from "node:zlib";
import type { Answer, ApiRequest } from "./service.js";
import type { FaultRule } from "./fault-rules.js";

export type Headers = Readonly<Record<string, string>>;

/** What a fault does to an answer on its way. */
type Transfer = Pick<FaultRule, "gzip" | "chunked" | "cut" | "endless">;

export interface Response {
  readonly status: number;
  /** The keys are lower-case. Includes the type and the length of the body. */
  readonly headers: Headers;
  /** Empty if the response has none. Compressed, except for an endless body, which its server compresses. */
  readonly bytes: Buffer;
  /** Ends the connection in the middle of the body; before the head, if the body has no middle. */
  readonly cut?: "reset" | "fin" | undefined;
  /** Repeats the body for as long as the client reads. */
  readonly isEndless: boolean;
  readonly isCompressed: boolean;
}

/** The defaults take a quarter of a megabyte for each answer. */
const smallGzip = { level: 1, windowBits: 12, memLevel: 5 };

export function responseOf(request: ApiRequest, answer: Answer, given: Headers, transfer?: Transfer): Response {
  const { status } = answer;
  const bodiless = request.method === "HEAD" || status === 204 || status === 304;
  const { content, type } = contentOf(answer.body, request.host);
  const compressible = status === 200 && content.length > 0 && compressingHosts.has(request.host);
  // A fault rule says itself whether its answer is compressed.
  const isCompressed = transfer === undefined ? compressible && acceptsGzip(request) : transfer.gzip === true;
  const isEndless = transfer?.endless === true;
  const bytes = isCompressed && !isEndless ? gzipSync(content, smallGzip) : content;
  const headers: Record<string, string> = { ...given };
  if (type !== undefined && content.length > 0) headers["content-type"] ??= type;
  if (compressible) headers["vary"] = "Accept-Encoding";
  if (isCompressed) headers["content-encoding"] = "gzip";
  // The answer to HEAD may state the length of the body it omits.
  const stated = request.method === "HEAD" && headers["content-length"] !== undefined;
  if (status !== 204 && status !== 304 && !stated && !transfer?.chunked && !isEndless) headers["content-length"] = String(bytes.length);
  return {
    status,
    headers,
    bytes: bodiless ? Buffer.alloc(0) : bytes,
    cut: transfer?.cut,
    isEndless: isEndless && !bodiless,
    isCompressed,
  };
}

/** Without a middle, nothing of the response is sent. */
export function halfOf({ bytes }: Response): Buffer | undefined {
  return bytes.length < 2 ? undefined : bytes.subarray(0, bytes.length / 2);
}

export function* repeated(content: Buffer): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, content.length > 0 ? content : " ");
  for (;;) yield piece;
}

/** Some of Azure's front ends compress every 200 of these hosts, of any size. None compresses a 201, an error, a secret or a blob. */
const compressingHosts = new Set(["management.azure.com", "graph.microsoft.com"]);

function acceptsGzip({ headers }: ApiRequest): boolean {
  return (headers["accept-encoding"] ?? "").split(",").some((each) => {
    const [coding = "", quality = "q=1"] = each.toLowerCase().replaceAll(" ", "").split(";");
    return coding === "gzip" && Number(quality.slice(2)) > 0;
  });
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
