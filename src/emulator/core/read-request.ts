/** Reads a request, decoded the way Azure's own clients need it. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError, type ApiRequest } from "./service.js";
import { bodyLimit, hasBody } from "./body-limits.js";
import { parseLenientJson } from "./lenient-json.js";

/** As Node.js parses it. `url` is path and query. */
interface ReceivedHead {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What is known of a request before its body is read: enough to identify its sender, and to answer with an error. */
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
 * @throws ApiError 413 if it is too large; `body` of the result throws 400 and 415.
 */
export async function readBody(incoming: AsyncIterable<unknown> | Iterable<unknown>, head: ApiRequest): Promise<ApiRequest> {
  if (!hasBody(head)) return head;
  const limit = bodyLimit(head);
  const stated = Number(head.headers["content-length"] ?? 0);
  if (stated > limit) throw tooLarge(stated, limit);
  const bytes = await bytesOf(incoming, limit);
  if (bytes.length === 0) return head;
  if (head.host.endsWith(".blob.core.windows.net")) return { ...head, body: bytes };
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
  if (size > limit) throw tooLarge(size, limit);
  return Buffer.concat(chunks);
}

function tooLarge(size: number, limit: number): ApiError {
  return new ApiError(413, "RequestContentTooLarge", `The request content of ${size} bytes exceeds the limit of ${limit} bytes.`);
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
  return parsedJson(text, host === "management.azure.com" ? parseLenientJson : undefined);
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
