/** Sends a response on its connection: whole, or spoiled on the way as a fault rule says. */
import { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { halfOf, repeated, type Headers, type Response } from "../core/response.js";
import { azureSpelling } from "../core/standard-headers.js";

/** Returns whether it was sent to its end. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<boolean> {
  const { status, headers, bytes, cut, isEndless, isCompressed } = response;
  if (cut !== undefined) {
    cutOff(outgoing, cut, response);
    return false;
  }
  outgoing.writeHead(status, spelled(headers));
  if (isEndless) {
    const body = Readable.from(repeated(bytes));
    // Rejects when the client hangs up.
    await (isCompressed ? pipeline(body, createGzip(), outgoing) : pipeline(body, outgoing));
    return false;
  }
  outgoing.end(bytes);
  return true;
}

function spelled(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [azureSpelling(name), value]));
}

function cutOff(outgoing: ServerResponse, by: "reset" | "fin", response: Response): void {
  const { socket } = outgoing;
  const end = (): void => void (by === "fin" ? socket?.end() : socket?.destroy());
  const half = halfOf(response);
  if (half === undefined) {
    end();
    return;
  }
  outgoing.writeHead(response.status, spelled(response.headers));
  outgoing.write(half, end);
}
