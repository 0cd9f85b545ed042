/** Sends the requests of the Kubernetes client, and limits the size of each body. */
import type { IncomingMessage } from "node:http";
import { request as httpsRequest, type Agent } from "node:https";
import { ResponseContext, wrapHttpLibrary, type RequestContext } from "@kubernetes/client-node";
import type { After } from "./run-clock.js";

/** A list of the pods of a large namespace has some ten megabytes. */
const largestBodyBytes = 64 * 1024 * 1024;
/** An API server answers in less than a second. */
const longestAnswerMs = 20_000;

/** Requests end when the signal aborts. */
export const httpLibrary = (ended: AbortSignal, after: After) =>
  wrapHttpLibrary({
    async send(request) {
      const late = new AbortController();
      const endLimit = after(longestAnswerMs, () => late.abort());
      try {
        const response = await answerTo(request, AbortSignal.any([ended, late.signal]));
        const body = await bodyOf(response);
        const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        return new ResponseContext(response.statusCode ?? 0, headers, {
          text: () => Promise.resolve(body.toString()),
          binary: () => Promise.resolve(body),
        });
      } finally {
        endLimit();
      }
    },
  });

function answerTo(request: RequestContext, signal: AbortSignal): Promise<IncomingMessage> {
  const agent = request.getAgent() as Agent | undefined;
  return new Promise((resolve, reject) => {
    httpsRequest(
      request.getUrl(),
      { method: request.getHttpMethod(), headers: request.getHeaders(), ...(agent && { agent }), signal },
      resolve,
    )
      .on("error", reject)
      .end(request.getBody());
  });
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > largestBodyBytes) throw new Error(`the response has more than ${String(largestBodyBytes / 1024 / 1024)} MiB`);
  }
  return Buffer.concat(chunks);
}
