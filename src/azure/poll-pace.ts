/**
 * When an operation is polled. The SDKs poll twice at once and then at a fixed interval; this policy holds each poll until the operation has
 * probably ended.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { parseJsonObject } from "../text/json.js";
import type { ExpectedDuration } from "./expected-durations.js";
import { nextPoll } from "./next-poll.js";
import { retryAfterMs } from "./retry-after.js";
import type { Transport } from "./transport.js";

/** One operation: the write that starts it, and its polls. */
interface Pace {
  readonly expected: ExpectedDuration;
  write?: PipelineRequest;
  /** By the clock of the transport; undefined until the write has a response. */
  startedMs?: number;
  /** The last poll at which it still ran, in Azure's seconds since its start. */
  running: number;
  ended: boolean;
  /** How many reads after the end are not held. */
  readsLeft: number;
  /** Of the last response. */
  askedMs?: number | undefined;
  isBudgetLow: boolean;
}

const paces = new AsyncLocalStorage<Pace>();

/** After the end, the SDK may poll once more, and reads the resource. Anything beyond that is held again. */
const readsAfterEnd = 2;

/** Resource Manager reports how many more requests it accepts. With fewer than these, its Retry-After is obeyed. */
const lowBudget = 50;
/** Azure's milliseconds, if the budget is low and Azure does not say how long to wait. */
const lowBudgetPauseMs = 10_000;

/** `work` starts one operation and polls until it ends. */
export function paced<T>(expected: ExpectedDuration, work: () => Promise<T>): Promise<T> {
  return paces.run({ expected, running: 0, ended: false, readsLeft: 0, isBudgetLow: false }, work);
}

export function pollPacePolicy({ clock, current, signal }: Pick<Transport, "clock" | "current" | "signal">): PipelinePolicy {
  const secondsSince = (startedMs: number) => clock.unscaled(clock.elapsedMs() - startedMs) / 1000;

  const waitMs = (pace: Pace, startedMs: number): number => {
    const expectedMs = (nextPoll(pace.expected, pace.running) - secondsSince(startedMs)) * 1000;
    const { askedMs } = pace;
    if (pace.isBudgetLow) return Math.max(expectedMs, askedMs ?? lowBudgetPauseMs);
    // Azure's own estimate counts if it is this short: it otherwise grows to minutes.
    return askedMs !== undefined && askedMs <= 1000 ? Math.min(expectedMs, askedMs) : expectedMs;
  };

  const learn = (pace: Pace, request: PipelineRequest, response: PipelineResponse): void => {
    if (request === pace.write) pace.startedMs = clock.elapsedMs();
    if (pace.startedMs === undefined) return;
    pace.running = secondsSince(pace.startedMs);
    pace.askedMs = retryAfterMs(response, clock);
    pace.isBudgetLow = remainingRequests(response) < lowBudget;
    const ended = response.status < 300 && !isRunning(response);
    if (ended && !pace.ended) pace.readsLeft = readsAfterEnd;
    pace.ended = ended;
  };

  return {
    name: "aroHcpPollPacePolicy",
    async sendRequest(request, next) {
      const pace = paces.getStore();
      if (pace && request.method !== "GET") pace.write ??= request;
      if (pace?.ended && pace.readsLeft > 0) pace.readsLeft--;
      else if (pace?.startedMs !== undefined) {
        const ms = waitMs(pace, pace.startedMs);
        if (ms > 0) await clock.sleep(ms, current()?.signal ?? signal);
      }
      const response = await next(request);
      if (pace) learn(pace, request, response);
      // Otherwise the SDK waits for it, long after the operation ended. On an error, it is never changed.
      if (response.status < 300) response.headers.delete("retry-after");
      return response;
    },
  };
}

/** Without a state, a response with 202 is from an operation that runs, and any other shows its end. */
function isRunning({ status, bodyAsText }: PipelineResponse): boolean {
  const body = parseJsonObject(bodyAsText ?? "") ?? {};
  const { provisioningState } = (body["properties"] ?? {}) as { readonly provisioningState?: unknown };
  const state = body["status"] ?? provisioningState;
  return typeof state === "string" ? !/^(?:succeeded|completed|failed|cancell?ed)$/i.test(state) : status === 202;
}

function remainingRequests({ headers }: PipelineResponse): number {
  const counts = [...headers].flatMap(([name, value]) => (name.startsWith("x-ms-ratelimit-remaining-") ? [Number(value)] : []));
  return Math.min(...counts.filter((count) => Number.isFinite(count)));
}
