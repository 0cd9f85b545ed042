/**
 * The first contact of a run. Until something has answered, a host that cannot be reached means that this machine is offline, or that its proxy
 * refuses; waiting does not help then. Later it means a short interruption, which the retry policy waits for.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { RestError, type PipelinePolicy, type PipelineRequest } from "@azure/core-rest-pipeline";
import { proxyOf } from "./proxy.js";
import type { Contact, Transport } from "./transport.js";

/** After this time without a response, a connection is tried; a service that is only slow accepts it. */
const patienceMs = 6_000;
const connectMs = 2_000;

/** Goes outside the retry policy, and covers all tries. @throws RestError ETIMEDOUT if nothing answers and no connection can be made */
export function firstContactPolicy({ contact, agent }: Pick<Transport, "contact" | "agent">): PipelinePolicy {
  return {
    name: "aroHcpFirstContactPolicy",
    async sendRequest(request, next) {
      // An agent connects to the emulator.
      if (contact === undefined || contact.isMade || agent !== undefined) return next(request);
      const { abortSignal } = request;
      const stop = new AbortController();
      const patience = AbortSignal.timeout(patienceMs);
      request.abortSignal = abortSignal instanceof AbortSignal ? AbortSignal.any([abortSignal, stop.signal]) : stop.signal;
      patience.addEventListener("abort", () => {
        void stopIfUnreachable(request, contact, stop);
      });
      try {
        return await next(request);
      } catch (error) {
        throw stop.signal.aborted ? (stop.signal.reason as RestError) : error;
      } finally {
        if (abortSignal) request.abortSignal = abortSignal;
        else delete request.abortSignal;
      }
    },
  };
}

async function stopIfUnreachable(request: PipelineRequest, contact: Contact, stop: AbortController): Promise<void> {
  const target = proxyOf(request) ?? new URL(request.url);
  if (contact.isMade || (await accepts(target)) || contact.isMade) return;
  stop.abort(new RestError(`no connection after ${String(patienceMs / 1000)} s`, { code: "ETIMEDOUT", request }));
}

async function accepts({ hostname, port, protocol }: URL): Promise<boolean> {
  const timeout = AbortSignal.timeout(connectMs);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (protocol === "http:" ? 80 : 443)) });
  try {
    await once(socket, "connect", { signal: timeout });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
