/** Reads a request, decoded the way Azure's own clients need it. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, type ApiRequest } from "./service.js";
import { parseJson } from "./lenient-json.js";

/** ARM accepts no larger body. */
const bodyLimit = 4 * 1024 * 1024;
/** Of a block. Azure accepts 5000 MiB of a blob as a whole, more than a buffer of Node.js 20 can hold. A blob of several blocks may be larger. */
const blobLimit = 4000 * 1024 * 1024;

const methods: readonly string[] = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"] satisfies ApiRequest["method"][];

/** As Node.js parses it. `url` is path and query. */
interface ReceivedHead {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What is known of a request before its body is read: enough to answer with an error. */
export function readHead(incoming: ReceivedHead): ApiRequest {
  const target = incoming.url ?? "/";
  const mark = target.indexOf("?");
  // Not parsed as a URL: that would read the start of `//subscriptions/...`, which a client sends, as a host.
  const segments = (mark < 0 ? target : target.slice(0, mark)).split("/").filter((segment) => segment !== "");
  return {
    method: incoming.method as ApiRequest["method"],
    host: (incoming.headers.host ?? "").toLowerCase().replace(/:\d+$/, ""),
    path: segments.map(decodeSegment),
    target,
    query: new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1)),
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    body: undefined,
  };
}

/**
 * Reads the body, and parses it when a service asks for it: after the route is known, as Azure does.
 * @throws ApiError 405, 413 if the request is not acceptable; `body` of the result throws 400 and 415.
 */
export async function readBody(incoming: AsyncIterable<unknown> | Iterable<unknown>, head: ApiRequest): Promise<ApiRequest> {
  const isBlob = head.host.endsWith(".blob.core.windows.net");
  const bytes = await bytesOf(incoming, isBlob ? blobLimit : bodyLimit);
  if (!methods.includes(head.method)) throw new ApiError(405, "MethodNotAllowed", `The HTTP method ${head.method} is not supported.`);
  if (bytes.length === 0) return head;
  if (isBlob) return { ...head, body: bytes };
  let parsed: { readonly body: unknown } | undefined;
  return {
    ...head,
    get body() {
      parsed ??= { body: parseBody(bytes.toString("utf8"), head) };
      return parsed.body;
    },
  };
}

/** @throws ApiError 413 */
export async function bytesOf(incoming: AsyncIterable<unknown> | Iterable<unknown>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    // A body over the limit is still read to its end: some clients send everything before they read the answer.
    if (size <= limit) chunks.push(bytes);
  }
  if (size > limit) {
    throw new ApiError(413, "RequestContentTooLarge", `The request content of ${size} bytes exceeds the limit of ${limit} bytes.`);
  }
  return Buffer.concat(chunks);
}

function parseBody(text: string, { host, headers }: ApiRequest): unknown {
  const type = (headers["content-type"] ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(text));
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new ApiError(
      415,
      "UnsupportedMediaType",
      `The content media type '${type}' is not supported. Only 'application/json' is supported.`,
    );
  }
  // Templates reach Resource Manager with comments and trailing commas, which the other services do not read.
  return parsedJson(text, host === "management.azure.com" ? parseJson : undefined);
}

/** @throws ApiError 400 */
export function parsedJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Without the excerpt, which may be a secret.
    const reason = (error instanceof Error ? error.message : String(error)).replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, "");
    throw new ApiError(400, "InvalidRequestContent", `The request content was invalid and could not be deserialized: '${reason}'.`);
  }
}

/** A segment with an invalid encoding stays as it came: no route will match it. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
