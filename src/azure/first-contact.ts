/** The first contact with each host of a run, which fails fast if the host is out of reach. */
import { RestError, type PipelinePolicy, type PipelineRequest } from "@azure/core-rest-pipeline";
import { sleepWhileScheduled } from "./busy-computer.js";
import { openConnection, type Progress } from "./connection-progress.js";
import type { Service } from "./service.js";
import type { Contact, Transport } from "./transport.js";

/** After this time without a response, another connection is opened: a service that is only slow accepts it. */
const patienceMs = 4_000;
const connectMs = 3_000;
const limitText = `within ${String((patienceMs + connectMs) / 1000)} s`;

/** Why a connection that still waits for this cannot be made. */
const reasons: Partial<Record<Progress, { readonly code: string; readonly message: string }>> = {
  DNS: { code: "EAI_AGAIN", message: `no response from DNS ${limitText}` },
  proxy: { code: "ETIMEDOUT", message: `no response from the proxy ${limitText}` },
  TCP: { code: "ETIMEDOUT", message: `no connection ${limitText}` },
  TLS: { code: "ETIMEDOUT", message: `no TLS handshake ${limitText}` },
};
const silent = { code: "ETIMEDOUT", message: `connected, but no response ${limitText}` };

/** Goes outside the retry policy, and covers all tries. @throws RestError if the host is silent, and no connection can be made or the service always responds soon */
export function firstContactPolicy(
  transport: Pick<Transport, "contact" | "agent" | "send" | "clock">,
  service: Pick<Service, "respondsSoon">,
): PipelinePolicy {
  const { contact } = transport;
  const isEmulator = transport.agent !== undefined || transport.send !== undefined;
  return {
    name: "aroHcpFirstContactPolicy",
    async sendRequest(request, next) {
      const { protocol, host } = new URL(request.url);
      if (contact === undefined || contact.hosts.has(host) || isEmulator || protocol !== "https:") return next(request);
      const { abortSignal } = request;
      const stop = new AbortController();
      const ended = new AbortController();
      request.abortSignal = abortSignal instanceof AbortSignal ? AbortSignal.any([abortSignal, stop.signal]) : stop.signal;
      void stopIfUnreachable(request, transport, service, { stop, contact, ended: ended.signal });
      try {
        return await next(request);
      } catch (error) {
        throw stop.signal.aborted ? stop.signal.reason : error;
      } finally {
        ended.abort();
        if (abortSignal) request.abortSignal = abortSignal;
        else delete request.abortSignal;
      }
    },
  };
}

/** Notes the host of a response. Goes inside the retry policy. */
export function contactPolicy({ contact }: Pick<Transport, "contact">): PipelinePolicy {
  return {
    name: "aroHcpContactPolicy",
    async sendRequest(request, next) {
      const response = await next(request);
      contact?.hosts.add(new URL(request.url).host);
      return response;
    },
  };
}

interface Waiting {
  readonly stop: AbortController;
  readonly contact: Contact;
  /** Aborts when the request has ended. */
  readonly ended: AbortSignal;
}

async function stopIfUnreachable(
  request: PipelineRequest,
  { clock }: Pick<Transport, "clock">,
  { respondsSoon }: Pick<Service, "respondsSoon">,
  { stop, contact, ended }: Waiting,
): Promise<void> {
  try {
    await sleepWhileScheduled(patienceMs, clock, ended);
    const connection = openConnection(request);
    try {
      const limit = sleepWhileScheduled(connectMs, clock, ended);
      await Promise.race([connection.finished, limit]);
      const isSilent = connection.progress() === "made" && respondsSoon;
      if (isSilent) await limit;
      const reason = isSilent ? silent : reasons[connection.progress()];
      if (reason === undefined || contact.hosts.has(new URL(request.url).host)) return;
      stop.abort(new RestError(reason.message, { code: reason.code, request }));
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!ended.aborted) stop.abort(error);
  }
}
