/** Connects again to the host of a request and reports the progress through DNS, proxy, TCP and TLS. */
import { request as httpsRequest, type Agent } from "node:https";
import { isIP } from "node:net";
import type { PipelineRequest } from "@azure/core-rest-pipeline";
import { proxyOf } from "./proxy.js";

/** What the connection waits for, or its result; it fails by an error or by a proxy's refusal. */
export type Progress = "DNS" | "proxy" | "TCP" | "TLS" | "made" | "failed";

export interface OpeningConnection {
  progress(): Progress;
  /** Resolves when the connection is made or has failed. */
  readonly finished: Promise<void>;
  close(): void;
}

export function openConnection(request: PipelineRequest): OpeningConnection {
  const url = new URL(request.url);
  const start = isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0 ? "DNS" : "TCP";
  let progress: Progress = proxyOf(request) === undefined ? start : "proxy";
  // Without the agent of the SDK, whose idle connections would be used again.
  const opening = httpsRequest(url.origin, { agent: (request.agent as Agent | undefined) ?? false });
  const finished = new Promise<void>((resolve) => {
    const end = (result: Progress) => {
      progress = result;
      resolve();
    };
    opening.on("error", () => {
      end("failed");
    });
    // Nothing was sent, so a proxy answered.
    opening.once("response", () => {
      end("failed");
    });
    opening.once("socket", (socket) => {
      // Through a proxy, the socket is that of the tunnel.
      if (progress === "proxy") progress = "TLS";
      socket.once("lookup", () => {
        progress = "TCP";
      });
      socket.once("connect", () => {
        progress = "TLS";
      });
      socket.once("secureConnect", () => {
        end("made");
      });
    });
  });
  return { progress: () => progress, finished, close: () => opening.destroy() };
}
