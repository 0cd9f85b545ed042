/**
 * Ends a request that has no answer in time; without it the SDK waits for ever. The SDK's own `timeout` is not used: once a connection was lost
 * its timer keeps the process alive until it ends, and it does not watch over the body of an answer.
 */
import { RestError, type PipelinePolicy } from "@azure/core-rest-pipeline";
import type { Clock } from "./clock.js";

/** Azure's milliseconds. The slowest synchronous answers that were recorded took 15 s. */
const requestTimeoutMs = 100_000;
/** On a scaled clock too, a busy machine must have time to answer. */
const shortestTimeoutMs = 5_000;

/** Throws RestError ETIMEDOUT, which is retried: the write may have taken effect. */
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
        throw new RestError(`no answer within ${String(Math.round(realMs / 1000))} s`, { code: "ETIMEDOUT", request });
      } finally {
        if (abortSignal) request.abortSignal = abortSignal;
        else delete request.abortSignal;
      }
    },
  };
}
