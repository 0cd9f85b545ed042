/** The retry policy of every client, in place of the SDK's own. */
import { isRestError, type PipelinePolicy, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import type { AzureDetail } from "../errors/failure.js";
import { Uncertain } from "../errors/stale.js";
import { detailOf, keepRefusal } from "./azure-error.js";
import type { Clock } from "./clock.js";
import { requestNotAnswered } from "./not-from-azure.js";
import { proxyOf } from "./proxy.js";
import { responseDate } from "./response-date.js";
import { retryAfterMs } from "./retry-after.js";
import {
  briefForMs,
  interruptedCodes,
  isSentOnce,
  longestRetryAfterMs,
  lostConnection,
  lostConnectionCodes,
  notAzure,
  noResponse,
  noResponseCodes,
  retryRules,
  shortestRetryAfterMs,
  unreachable,
  type RetryRule,
} from "./retry-rules.js";
import type { Contact } from "./transport.js";

export interface RetryOptions {
  readonly clock: Clock;
  /** Shows in the running step what it waits for. */
  readonly note: (text: string, reason: string) => void;
  /** A number from 0 to 1 that spreads the retries of parallel steps. */
  readonly random: () => number;
  /** Registers the resource provider that a request needs (409 MissingSubscriptionRegistration); false if the caller has no permission to register it. */
  readonly register: (request: PipelineRequest) => Promise<boolean>;
  /** Fewer retries, for callers that accept an error as a result. */
  readonly brief?: boolean;
  /** The contact of the run; without it, a lost connection is always an interruption. */
  readonly contact?: Contact | undefined;
  /** Aborts when nobody needs a response any more: then no request is retried. */
  readonly ending?: AbortSignal;
}

/** The result of one try: a response, or the error of a connection that returned none of Azure's. */
type Outcome =
  | { readonly response: PipelineResponse; readonly detail: AzureDetail | undefined }
  | { readonly response?: undefined; readonly detail?: undefined; readonly error: unknown; readonly rule: RetryRule };

/** What the retries of a request took so far, by rule. */
interface Spending {
  readonly tries: number;
  readonly waitedMs: number;
}

/** The SDK's policy retries neither a 429 without Retry-After nor any 409, and it silently waits for a Retry-After of an hour. */
export function retryPolicy(options: RetryOptions): PipelinePolicy {
  const { clock, note, register, brief = false } = options;
  const longestWaitMs = (rule: RetryRule) => {
    if (!brief || rule.statuses.includes(429)) return rule.totalMs;
    // Each try without a response would cost the whole request timeout.
    return rule === noResponse || rule.notRetriedIfBrief ? 0 : Math.min(rule.totalMs, briefForMs);
  };
  /** What each write has spent that its step sends again, until the write ends. */
  const spentBefore = new Map<string, Map<RetryRule, Spending>>();
  return {
    name: "aroHcpRetryPolicy",
    /** @throws Uncertain after the wait, for a write that must not be sent twice */
    async sendRequest(request, next) {
      const write = isSentOnce(request) ? `${request.method} ${request.url}` : undefined;
      const spent = (write === undefined ? undefined : spentBefore.get(write)) ?? new Map<RetryRule, Spending>();
      if (write !== undefined) spentBefore.delete(write);
      let registered = false;
      for (;;) {
        const outcome = await attempt(request, next, options.contact);
        const { response, detail } = outcome;
        if (response && !detail) return response;
        if (detail?.code === "MissingSubscriptionRegistration" && !registered) {
          registered = true;
          if (await register(request)) continue;
        }
        const rule = outcome.response ? ruleFor(request.method, detail) : outcome.rule;
        const { tries, waitedMs } = (rule && spent.get(rule)) ?? { tries: 0, waitedMs: 0 };
        const wait = rule && waitMs(rule, tries, response, options);
        if (!rule || wait === undefined || waitedMs + wait > longestWaitMs(rule)) {
          if (!outcome.response) throw outcome.error;
          if (detail) keepRefusal(request, detail);
          return outcome.response;
        }
        spent.set(rule, { tries: tries + 1, waitedMs: waitedMs + wait });
        const reason = `${rule.because}${detail?.code ? ` (${detail.code})` : ""}`;
        options.ending?.throwIfAborted();
        // In the time that the reader sees, which runs slower than that of a time-scaled Azure.
        note(`${reason}; retrying in ${Math.ceil(clock.scaled(wait) / 1000)} s`, reason);
        await clock.sleep(wait, signalOf(request, options.ending));
        if (write === undefined) continue;
        spentBefore.set(write, spent);
        throw new Uncertain(reason, outcome.response ? {} : { cause: outcome.error });
      }
    },
  };
}

/** @throws errors that are not lost connections: an abort, an untrusted certificate, a bug of this program */
async function attempt(
  request: PipelineRequest,
  next: (request: PipelineRequest) => Promise<PipelineResponse>,
  contact: Contact | undefined,
): Promise<Outcome> {
  try {
    const response = await next(request);
    if (contact) {
      contact.isMade = true;
      contact.since ??= responseDate(response);
    }
    return { response, detail: response.status >= 400 ? detailOf(response) : undefined };
  } catch (error) {
    if (requestNotAnswered(error)?.url === request.url) return { error, rule: notAzure };
    // The sign-in inside the request already had its own retries; repeating them for each request would take minutes.
    const own = isRestError(error) && (error.request === undefined || error.request.url === request.url);
    const rule = own && error.statusCode === undefined ? ruleForLost(error.code, request, contact) : undefined;
    if (!rule || request.abortSignal?.aborted) throw error;
    return { error, rule };
  }
}

function ruleForLost(code = "", request: PipelineRequest, contact: Contact | undefined): RetryRule | undefined {
  if (noResponseCodes.has(code)) return noResponse;
  if (!lostConnectionCodes.has(code)) return undefined;
  const isInterrupted = contact?.isMade !== false || (interruptedCodes.has(code) && proxyOf(request) === undefined);
  return isInterrupted ? lostConnection : unreachable;
}

function ruleFor(method: string, { status = 0, code = "", message = "" }: AzureDetail = {}): RetryRule | undefined {
  return retryRules.find(
    ({ statuses, codes, messagePattern: says, methods }) =>
      statuses.includes(status) &&
      (codes === undefined || codes.includes(code)) &&
      (says === undefined || says.test(message)) &&
      (methods === undefined || methods.includes(method)),
  );
}

/** Azure's milliseconds: Retry-After if Azure sends it, otherwise exponential with half of it random; undefined if no retry is worthwhile. */
function waitMs(
  { firstMs, maxMs }: RetryRule,
  tries: number,
  response: PipelineResponse | undefined,
  { clock, random }: RetryOptions,
): number | undefined {
  const asked = response && retryAfterMs(response, clock);
  if (asked === undefined) {
    const most = Math.min(maxMs, firstMs * 2 ** tries);
    return most / 2 + (random() * most) / 2;
  }
  if (asked > longestRetryAfterMs) return undefined;
  // Never earlier than Azure asks, and not all parallel steps at once.
  return Math.max(shortestRetryAfterMs, asked) * (1 + random() * 0.1);
}

/** The pipeline's own signal type is the older, structural one. */
function signalOf({ abortSignal }: PipelineRequest, ending: AbortSignal | undefined): AbortSignal | undefined {
  if (!(abortSignal instanceof AbortSignal)) return ending;
  return ending === undefined ? abortSignal : AbortSignal.any([abortSignal, ending]);
}
