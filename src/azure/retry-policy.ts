/**
 * The one retry policy of every client. The SDK's own does not retry a 429 without Retry-After, nor any 409, and obeys a Retry-After of an hour
 * in silence; so it is replaced, and which answers are worth asking again is a table.
 */
import { isRestError, type PipelinePolicy, type PipelineResponse } from "@azure/core-rest-pipeline";
import type { AzureDetail } from "../errors/failure.js";
import { detailOf } from "./azure-error.js";
import type { Pace } from "./pace.js";

interface RetryRule {
  /** For the note: "waiting, because ...". */
  readonly because: string;
  readonly status: (status: number) => boolean;
  /** Azure's codes, the innermost; absent: any. */
  readonly codes?: readonly string[];
  readonly methods?: readonly string[];
  /** Azure's milliseconds before the second try; later tries wait longer, up to `mostMs`. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** How long, in all, this is worth waiting for. */
  readonly forMs: number;
}

const seconds = 1000;
const minutes = 60 * seconds;
const is =
  (...statuses: readonly number[]) =>
  (status: number) =>
    statuses.includes(status);

/** First match wins. Codes and observed waits: the recorded answers listed in docs/azure.md. */
const rules: readonly RetryRule[] = [
  {
    because: "what it refers to is still being changed",
    status: is(429),
    codes: ["ReferencedResourceNotProvisioned"],
    firstMs: 1 * seconds,
    mostMs: 5 * seconds,
    forMs: 10 * minutes,
  },
  {
    because: "another operation on it is in progress",
    status: is(409, 429),
    codes: ["RetryableErrorDueToAnotherOperation", "AnotherOperationInProgress", "RetryableError"],
    firstMs: 3 * seconds,
    mostMs: 15 * seconds,
    forMs: 10 * minutes,
  },
  { because: "Azure throttles requests", status: is(429), firstMs: 2 * seconds, mostMs: 60 * seconds, forMs: 15 * minutes },
  {
    // Replication between directory regions: 424 s was the longest seen, always without principalType, which we send.
    because: "the identity is not yet known everywhere in the directory",
    status: is(400),
    codes: ["PrincipalNotFound"],
    firstMs: 5 * seconds,
    mostMs: 20 * seconds,
    forMs: 5 * minutes,
  },
  {
    // What held it was deleted moments ago, by us or with another resource; Azure lets go a little later.
    because: "something that used it is still being let go",
    status: is(400, 409),
    codes: [
      "InUseSubnetCannotBeDeleted",
      "InUseNetworkSecurityGroupCannotBeDeleted",
      "PublicIPAddressCannotBeDeleted",
      "NicInUse",
      "CannotDeleteResource",
    ],
    methods: ["DELETE"],
    firstMs: 2 * seconds,
    mostMs: 10 * seconds,
    forMs: 1 * minutes,
  },
  { because: "Azure had a hiccup", status: is(408, 500, 502, 503, 504), firstMs: 1 * seconds, mostMs: 20 * seconds, forMs: 5 * minutes },
];

/** Lost connections and names that would not resolve for a moment. The write may have taken effect: every write of ours can be sent twice. */
const lostConnection: RetryRule = {
  because: "the connection was lost",
  status: () => true,
  firstMs: 1 * seconds,
  mostMs: 10 * seconds,
  forMs: 1 * minutes,
};
const lostConnectionCodes = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ETIMEDOUT",
  "ESOCKETTIMEDOUT",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "REQUEST_SEND_ERROR",
]);

/** A Retry-After longer than this is not waited out: the error then says when to come back. */
const longestRetryAfterMs = 5 * minutes;
/** A Retry-After of 0 would be a hot loop. */
const shortestRetryAfterMs = 250;

export interface RetryOptions {
  readonly pace: Pace;
  /** Tells the running step what is waited for. */
  readonly note: (text: string) => void;
  /** 0 to 1, spreads the retries of parallel steps. */
  readonly random: () => number;
  /** Registers a resource provider with the subscription (409 MissingSubscriptionRegistration), once. */
  readonly register: (subscriptionId: string, namespace: string, signal: AbortSignal | undefined) => Promise<void>;
}

export function retryPolicy({ pace, note, random, register }: RetryOptions): PipelinePolicy {
  return {
    name: "aroHcpRetryPolicy",
    async sendRequest(request, next) {
      const waited = new Map<RetryRule, number>();
      let registered = false;
      for (let attempt = 0; ; attempt++) {
        let response: PipelineResponse | undefined;
        let lost: unknown;
        try {
          response = await next(request);
        } catch (error) {
          if (!isLostConnection(error) || request.abortSignal?.aborted) throw error;
          lost = error;
        }
        const detail = response && response.status >= 400 ? detailOf(response) : undefined;
        if (response && !detail) return response;
        if (response && detail?.code === "MissingSubscriptionRegistration" && !registered) {
          registered = true;
          const namespace = namespaceIn(request.url);
          note(`registering the resource provider ${namespace} with the subscription`);
          await register(/\/subscriptions\/([^/]+)/i.exec(request.url)?.[1] ?? "", namespace, asSignal(request.abortSignal));
          continue;
        }
        const rule = detail ? ruleFor(request.method, detail) : lostConnection;
        const before = rule ? (waited.get(rule) ?? 0) : 0;
        const wait = rule && waitMs(rule, attempt, response, random);
        if (!rule || wait === undefined || before + wait > rule.forMs) {
          if (response) return response;
          throw lost;
        }
        waited.set(rule, before + wait);
        note(`${rule.because}${detail?.code ? ` (${detail.code})` : ""}; asking again in ${String(Math.ceil(wait / seconds))} s`);
        await pace.sleep(wait, asSignal(request.abortSignal));
      }
    },
  };
}

function ruleFor(method: string, detail: AzureDetail): RetryRule | undefined {
  return rules.find(
    (rule) =>
      rule.status(detail.status ?? 0) &&
      (rule.codes === undefined || rule.codes.includes(detail.code ?? "")) &&
      (rule.methods === undefined || rule.methods.includes(method)),
  );
}

/** Retry-After where Azure gives it (header, or the number in a throttling text), else exponential with half of it random. */
function waitMs(rule: RetryRule, attempt: number, response: PipelineResponse | undefined, random: () => number): number | undefined {
  const asked = response && retryAfterMs(response);
  if (asked !== undefined) return asked > longestRetryAfterMs ? undefined : asked + random() * 0.1 * asked;
  const most = Math.min(rule.mostMs, rule.firstMs * 2 ** attempt);
  return most / 2 + (random() * most) / 2;
}

function retryAfterMs(response: PipelineResponse): number | undefined {
  const header = response.headers.get("retry-after");
  if (header !== undefined) {
    const inSeconds = Number(header);
    const ms = Number.isNaN(inSeconds) ? Date.parse(header) - Date.now() : inSeconds * seconds;
    if (!Number.isNaN(ms)) return Math.max(shortestRetryAfterMs, ms);
  }
  const inText = /(?:after|in) '?(\d+)'? seconds/i.exec(response.bodyAsText ?? "")?.[1];
  return response.status === 429 && inText !== undefined ? Number(inText) * seconds : undefined;
}

function isLostConnection(error: unknown): boolean {
  // A request that timed out is an AbortError although nobody aborted it.
  if (error instanceof Error && error.name === "AbortError") return true;
  return isRestError(error) && error.statusCode === undefined && lostConnectionCodes.has(error.code ?? "");
}

function namespaceIn(url: string): string {
  return [...url.matchAll(/\/providers\/([^/?]+)/gi)].at(-1)?.[1] ?? "";
}

/** The pipeline's own signal type is the older, structural one. */
function asSignal(signal: unknown): AbortSignal | undefined {
  return signal instanceof AbortSignal ? signal : undefined;
}
