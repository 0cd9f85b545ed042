/** Responses as a pipeline's policies see them, and a clock that records the requested waits instead of waiting, and on which no time limit ends. */
import { createHttpHeaders, createPipelineRequest, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import type { Clock } from "../../src/azure/clock.js";

export function requestOf(
  method: PipelineRequest["method"],
  url = "https://management.azure.com/subscriptions/s?api-version=1",
): PipelineRequest {
  return createPipelineRequest({ method, url });
}

export interface AnswerParts {
  readonly code?: string;
  readonly message?: string;
  readonly headers?: Record<string, string>;
  /** Replaces ARM's envelope with code and message. */
  readonly body?: string;
}

export function answer(status: number, { code, message, headers = {}, body }: AnswerParts = {}): PipelineResponse {
  const text = body ?? (code === undefined && message === undefined ? "" : JSON.stringify({ error: { code, message } }));
  return { status, headers: createHttpHeaders(headers), bodyAsText: text, request: requestOf("GET") };
}

export interface NotedClock extends Clock {
  /** Milliseconds of Azure's time, in order. */
  readonly waits: number[];
}

export function notedClock(timeScale = 1): NotedClock {
  const waits: number[] = [];
  return {
    waits,
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    scaled: (ms) => ms / timeScale,
    unscaled: (ms) => ms * timeScale,
    after: () => () => undefined,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
    },
  };
}
