/**
 * Ends a request that has no response in time; without this policy the SDK waits forever. The SDK's own `timeout` is not used: after a lost
 * connection its timer keeps the process alive until it expires. It also does not cover the body of a response.
 */
import { RestError, type PipelinePolicy } from "@azure/core-rest-pipeline";
import type { Clock } from "./clock.js";

/** Azure's milliseconds. The slowest synchronous response recorded took 15 s. */
const requestTimeoutMs = 100_000;
/** A busy machine needs time to respond, also on a scaled clock. */
const shortestTimeoutMs = 5_000;

/** @throws RestError ETIMEDOUT, which is retried: the write may have taken effect */
export function requestTimeoutPolicy(clock: Pick<Clock, "scaled">): PipelinePolicy {
  const realMs = Math.ceil(Math.max(shortestTimeoutMs, clock.scaled(requestTimeoutMs)));
  return {
    name: "aroHcpRequestTimeoutPolicy",
    async sendRequest(request, next) {
      const { abortSignal } = request;
      const timeout = AbortSignal.timeout(realMs);
      request.abortSignal = abortSignal instanceof AbortSignal ? AbortSignal.any([abortSignal, timeout]) : timeout;
      try {
        return await next(request);
      } catch (error) {
        if (!timeout.aborted || abortSignal?.aborted) throw error;
        throw new RestError(`no response within ${String(Math.round(realMs / 1000))} s`, { code: "ETIMEDOUT", request });
      } finally {
        if (abortSignal) request.abortSignal = abortSignal;
        else delete request.abortSignal;
      }
    },
  };
}
