/** Holds each poll of an operation until the operation has probably ended. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { parseJsonObject } from "../text/json.js";
import { costAmong, type ExpectedDuration } from "./expected-durations.js";
import { nextPoll } from "./next-poll.js";
import type { Operation } from "./operation.js";
import { secondsBetweenPolls } from "./pacing.js";
import { retryAfterMs } from "./retry-after.js";
import { longestRetryAfterMs, shortestRetryAfterMs } from "./retry-rules.js";
import type { Transport } from "./transport.js";

/** One operation: the write that starts it, and its polls. */
interface PollTiming extends Operation {
  write?: PipelineRequest;
  /** In time of the transport's clock. Set at the response to the write, because a retry sends the write again. */
  startedMs?: number;
  /** The operations that the command waits for, with this one. */
  countedIn?: Set<Operation>;
  /** When the last poll at which it still ran was sent, in Azure's seconds since its start. See `longestPollMs`. */
  stillRanAt: number;
  isPolled: boolean;
  ended: boolean;
  /** How many reads after the end are not held. */
  readsLeft: number;
  /** Retry-After of the last response. */
  askedMs?: number | undefined;
  isBudgetLow: boolean;
}

/** The SDKs poll twice at once and then at a fixed interval. */
const timings = new AsyncLocalStorage<PollTiming>();

/** After the end, the SDK may poll again, and reads the resource. Anything beyond that is held again. */
const readsAfterEnd = 2;

/** Resource Manager reports how many more requests it accepts. With fewer than these, its Retry-After is obeyed, up to five minutes. */
const lowBudget = 50;
/** Azure's milliseconds, if the budget is low and Azure does not say how long to wait. */
const lowBudgetPauseMs = 10_000;

/** Azure's milliseconds. The response to a poll that took longer may be to a later try of it. */
const longestPollMs = 1_000;

/** `work` starts one operation and polls until it ends. */
export function pollWhenDue<T>(expected: ExpectedDuration, work: () => Promise<T>): Promise<T> {
  const timing: PollTiming = { expected, stillRanAt: 0, isPolled: false, ended: false, readsLeft: 0, isBudgetLow: false };
  return timings.run(timing, work).finally(() => timing.countedIn?.delete(timing));
}

export function pollTimingPolicy({
  clock,
  current,
  signal,
  operations,
  pacing,
}: Pick<Transport, "clock" | "current" | "signal" | "operations" | "pacing">): PipelinePolicy {
  const secondsBetween = (startedMs: number, laterMs: number) => clock.unscaled(laterMs - startedMs) / 1000;

  const waitMs = (timing: PollTiming, startedMs: number): number => {
    const { spread, pollCost } = timing.expected;
    const inFlight = [...operations].map(({ expected }) => expected);
    const expected = { spread, pollCost: costAmong(inFlight, pollCost) };
    const pause =
      pacing === undefined || timing.write === undefined ? 0 : secondsBetweenPolls(pacing, timing.write, clock.unscaled(clock.elapsedMs()));
    const due = Math.max(nextPoll(expected, timing.stillRanAt), timing.stillRanAt + pause);
    const expectedMs = (due - secondsBetween(startedMs, clock.elapsedMs())) * 1000;
    const { askedMs, isPolled } = timing;
    if (timing.isBudgetLow) return Math.max(expectedMs, Math.min(askedMs ?? lowBudgetPauseMs, longestRetryAfterMs));
    // Azure's own estimate counts if it is this short: it otherwise grows to minutes. 0 after a poll is no estimate: polls would never pause.
    if (askedMs === undefined || askedMs > 1000 || (isPolled && askedMs === 0)) return expectedMs;
    return Math.min(expectedMs, isPolled ? Math.max(askedMs, shortestRetryAfterMs) : askedMs);
  };

  const learn = (timing: PollTiming, request: PipelineRequest, response: PipelineResponse, sentMs: number): void => {
    if (request === timing.write) {
      timing.startedMs = clock.elapsedMs();
      timing.countedIn = operations.add(timing);
    }
    if (timing.startedMs === undefined) return;
    timing.stillRanAt = Math.max(0, secondsBetween(timing.startedMs, sentMs));
    timing.isPolled = request !== timing.write;
    timing.askedMs = retryAfterMs(response, clock);
    timing.isBudgetLow = remainingRequests(response) < lowBudget;
    const ended = response.status < 300 && !isRunning(response);
    if (ended && !timing.ended) timing.readsLeft = readsAfterEnd;
    timing.ended = ended;
  };

  return {
    name: "aroHcpPollTimingPolicy",
    async sendRequest(request, next) {
      const timing = timings.getStore();
      if (timing && request.method !== "GET") timing.write ??= request;
      if (timing?.ended && timing.readsLeft > 0) timing.readsLeft--;
      else if (timing?.startedMs !== undefined) {
        const ms = waitMs(timing, timing.startedMs);
        if (ms > 0) await clock.sleep(ms, current()?.signal ?? signal);
      }
      const sentMs = clock.elapsedMs();
      const response = await next(request);
      if (timing) learn(timing, request, response, Math.max(sentMs, clock.elapsedMs() - clock.scaled(longestPollMs)));
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
