/** Reads every response to its end, inside the retries. */
import { addAbortSignal, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import {
  createHttpHeaders,
  isRestError,
  RestError,
  type PipelinePolicy,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";
import { Failure } from "../errors/failure.js";
import { notFromAzure } from "./not-from-azure.js";
import type { Transport } from "./transport.js";

/** A large list of Resource Manager has a few megabytes a page, a virtual network with all its addresses some twenty. */
export const largestBodyBytes = 64 * 1024 * 1024;

export const responseBodyPolicyName = "aroHcpResponseBodyPolicy";

/**
 * The last policy: `send` takes the place of a connection. The SDK's client accepts a body that is cut off, and waits forever for the rest
 * of a compressed one. It reads an endless one until the memory is full.
 * @throws RestError ECONNRESET for a body that is cut off; ARO-NET-003 for one that is not as its headers say; ARO-NET-004 for a larger
 * one
 */
export const responseBodyPolicy = ({ send }: Pick<Transport, "send">): PipelinePolicy => ({
  name: responseBodyPolicyName,
  async sendRequest(request, next) {
    const { streamResponseStatusCodes: streamed } = request;
    const response = await sent(readByUs(request), send ?? next);
    response.request = request;
    const { readableStreamBody: stream } = response;
    // A response to HEAD has none.
    if (!stream) return response;
    delete response.readableStreamBody;
    const body = await decoded(await wholeBody(stream, response), response);
    if (streamed?.has(Number.POSITIVE_INFINITY) || streamed?.has(response.status)) response.readableStreamBody = Readable.from([body]);
    else response.bodyAsText = body.toString("utf8");
    return response;
  },
});

/** The request in a form for which the SDK's client neither reads nor decodes the body. It decodes if the headers accept an encoding. */
function readByUs(request: PipelineRequest): PipelineRequest {
  const { headers, requestOverrides } = request;
  const accepted = headers.get("accept-encoding");
  const own = createHttpHeaders(headers.toJSON({ preserveCase: true }));
  own.delete("accept-encoding");
  return {
    ...request,
    headers: own,
    streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]),
    ...(accepted !== undefined && {
      requestOverrides: { ...requestOverrides, headers: { ...own.toJSON({ preserveCase: true }), "Accept-Encoding": accepted } },
    }),
  };
}

/** @throws ARO-NET-003 if the bytes of the response are not HTTP */
async function sent(request: PipelineRequest, next: (request: PipelineRequest) => Promise<PipelineResponse>): Promise<PipelineResponse> {
  try {
    return await next(request);
  } catch (error) {
    if (isRestError(error) && error.code?.startsWith("HPE_")) throw notFromAzure(request, "is not HTTP");
    throw error;
  }
}

async function wholeBody(stream: NodeJS.ReadableStream, { request, headers }: PipelineResponse): Promise<Buffer> {
  const readable = stream as Readable;
  const { abortSignal } = request;
  const tooLarge = (): Failure => {
    readable.destroy();
    return largerThanAllowed(request);
  };
  if (Number(headers.get("content-length")) > largestBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (abortSignal instanceof AbortSignal) addAbortSignal(abortSignal, readable);
    for await (const chunk of readable) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > largestBodyBytes) break;
    }
  } catch (error) {
    if (abortSignal?.aborted) throw new DOMException("aborted while reading a response", "AbortError");
    throw cutOff(request, error);
  }
  if (length > largestBodyBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

const options = { maxOutputLength: largestBodyBytes };
const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gunzip)(body, options),
  "x-gzip": (body) => promisify(gunzip)(body, options),
  deflate: (body) => promisify(inflate)(body, options),
  br: (body) => promisify(brotliDecompress)(body, options),
  identity: (body) => Promise.resolve(body),
};

/** A proxy may compress a body even if the request does not accept it. */
async function decoded(body: Buffer, { request, headers }: PipelineResponse): Promise<Buffer> {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding === undefined || body.length === 0) return body;
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decode) throw notFromAzure(request, "has an unknown content encoding");
  try {
    const content = await decode(body);
    headers.delete("content-encoding");
    headers.set("content-length", String(content.length));
    return content;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw largerThanAllowed(request);
    if (code === "Z_BUF_ERROR") throw cutOff(request, error);
    throw notFromAzure(request, `is not ${encoding}, which its headers claim`);
  }
}

function cutOff(request: PipelineRequest, error: unknown): RestError {
  const why = error instanceof Error ? error.message : String(error);
  return new RestError(`the response was cut off: ${why}`, { code: "ECONNRESET", request });
}

function largerThanAllowed({ method, url }: PipelineRequest): Failure {
  const { host, pathname } = new URL(url);
  return new Failure("ARO-NET-004", `the response from ${host} is too large`, {
    because: `the response to ${method} ${pathname} has more than ${String(largestBodyBytes / 1024 / 1024)} MiB`,
  });
}
