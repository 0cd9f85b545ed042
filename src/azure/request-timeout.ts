/** Ends a request that has no response in time; without this policy the SDK waits forever. */
import { RestError, type PipelinePolicy } from "@azure/core-rest-pipeline";
import { busyReason, timeLimit } from "./busy-computer.js";
import type { Transport } from "./transport.js";

/** Azure's milliseconds. The slowest synchronous response recorded took 15 s. */
const requestTimeoutMs = 100_000;
/** Real milliseconds: the emulator needs the time of this computer, which does not run faster on a scaled clock, and may be busy with other work. */
const shortestTimeoutMs = 60_000;

/** Real milliseconds. */
export function responseLimitMs({ clock, responseLimitMs: own }: Pick<Transport, "clock" | "responseLimitMs">): number {
  return Math.ceil(own ?? Math.max(shortestTimeoutMs, clock.scaled(requestTimeoutMs)));
}

/**
 * The SDK's own `timeout` is not used: after a lost connection its timer keeps the process alive until it expires. It also does not cover
 * the body of a response.
 * @throws RestError ETIMEDOUT, which is retried: the write may have taken effect
 */
export function requestTimeoutPolicy(transport: Pick<Transport, "clock" | "responseLimitMs">): PipelinePolicy {
  const { clock } = transport;
  const realMs = responseLimitMs(transport);
  return {
    name: "aroHcpRequestTimeoutPolicy",
    async sendRequest(request, next) {
      const { abortSignal } = request;
      const { signal: timeout, delayedMs, end } = timeLimit(realMs, clock);
      request.abortSignal = abortSignal instanceof AbortSignal ? AbortSignal.any([abortSignal, timeout]) : timeout;
      try {
        return await next(request);
      } catch (error) {
        if (!timeout.aborted || abortSignal?.aborted) throw error;
        const busy = busyReason(delayedMs(), realMs);
        throw new RestError(`no response within ${String(Math.round(realMs / 1000))} s${busy === undefined ? "" : `; ${busy}`}`, {
          code: "ETIMEDOUT",
          request,
        });
      } finally {
        end();
        if (abortSignal) request.abortSignal = abortSignal;
        else delete request.abortSignal;
      }
    },
  };
}
