/** GETs a document for the services: from this server where it stands for the host, otherwise from the network. */
import { request } from "node:https";
import type { EmulatorClock } from "../common/clock.js";
import type { Fetched } from "../core/service.js";
import { ownUserAgent } from "../core/reaction.js";
import { agentFor } from "./agent.js";
import { isAzureHost } from "../core/azure-hosts.js";

/** This server answers as late as a busy computer lets it. */
const ownWithinMs = 60_000;
const othersWithinMs = 5_000;
const largestDocument = 1024 * 1024;

/** Anonymous, TLS verified, redirects not followed. Undefined if no complete answer came in time, or if the URL is not HTTPS. */
export function fetchUrl(
  url: string,
  server: { readonly port: number; readonly ca: string } | undefined,
  clock: EmulatorClock,
): Promise<Fetched | undefined> {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") return Promise.resolve(undefined);
  const agent = server !== undefined && isAzureHost(new URL(url).hostname) ? agentFor(server) : undefined;
  const ended = new AbortController();
  return new Promise<Fetched | undefined>((resolve) => {
    const asked = request(url, { ...(agent && { agent }), headers: { "user-agent": ownUserAgent } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.length > largestDocument) asked.destroy();
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("close", () => resolve(undefined));
    });
    asked.on("error", () => resolve(undefined));
    asked.end();
    clock.sleep(agent ? ownWithinMs : othersWithinMs, ended.signal).then(
      () => asked.destroy(),
      () => undefined,
    );
  }).finally(() => {
    ended.abort();
    agent?.destroy();
  });
}
