/** ARM's token buckets, which limit the reads, writes and deletes of a principal in a subscription. */
import { ApiError, type ApiRequest, type Caller } from "./service.js";

type Kind = "reads" | "writes" | "deletes";

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Limit {
  readonly size: number;
  /** Per second. */
  readonly refill: number;
}

/**
 * For each subscription and principal, as documented; a whole subscription gets fifteen times as much. In recordings of 2025 and later,
 * most subscriptions report some four times as much: what passes here passes there.
 */
const buckets: Readonly<Record<Kind, Limit>> = {
  reads: { size: 250, refill: 25 },
  writes: { size: 200, refill: 10 },
  deletes: { size: 200, refill: 10 },
};
const globalFactor = 15;

/** Public and private DNS limit a whole subscription in five minutes, with deletions among the writes. */
const dnsBuckets = {
  reads: { size: 500, refill: 500 / 300 },
  writes: { size: 12_000, refill: 12_000 / 300 },
} as const;

/** Resource Graph counts the queries of a user in a window of time, and nothing else counts them. */
const graphQuota = { queries: 15, seconds: 5 };

export class Throttle {
  readonly #timeScale: number;
  /** Whether time passes in the emulator: without latency no rate exists, and buckets stay full. */
  readonly #counting: boolean;
  readonly #buckets = new Map<string, Bucket>();

  constructor(timeScale: number, counting: boolean) {
    this.#timeScale = timeScale;
    this.#counting = counting;
  }

  /**
   * Takes one token; call once for each request. Returns headers for its answer.
   * @throws ApiError 429 SubscriptionRequestsThrottled, or TooManyRequests from DNS, with Retry-After in seconds of Azure's clock; 429
   * RateLimiting from Resource Graph, with the time in a header of its own.
   */
  take(request: ApiRequest, caller: Caller, now: number): Record<string, string> {
    if (isGraphQuery(request)) return this.#takeQuery(caller, now);
    const kind = kindOf(request);
    const tenantScope = request.path[0]?.toLowerCase() !== "subscriptions";
    const subscription = tenantScope ? "tenant" : (request.path[1] ?? "").toLowerCase();
    const { size, refill } = buckets[kind];
    const own = this.#fill(`${subscription} ${caller.objectId} ${kind}`, { size, refill }, now);
    const all = this.#fill(`${subscription} ${kind}`, { size: size * globalFactor, refill: refill * globalFactor }, now);
    if (own.tokens < 1 || all.tokens < 1) {
      throw throttled(Math.max((1 - own.tokens) / refill, (1 - all.tokens) / (refill * globalFactor)), {
        code: "SubscriptionRequestsThrottled",
        message: (seconds) =>
          `Number of '${kind}' requests for subscription '${subscription}' actor '${caller.objectId}' exceeded. Please try again after '${seconds}' seconds after additional tokens are available.`,
        headers: { "x-ms-failure-cause": "gateway" },
      });
    }
    const dns = isDns(request) ? this.#dns(subscription, kind, now) : undefined;
    if (this.#counting) {
      own.tokens--;
      all.tokens--;
      if (dns) dns.tokens--;
    }
    const scope = tenantScope ? "tenant" : "subscription";
    // DNS reports its own limits instead.
    if (dns !== undefined) return { [`x-ms-ratelimit-remaining-${scope}-resource-requests`]: left(dns) };
    return {
      [`x-ms-ratelimit-remaining-${scope}-${kind}`]: left(own),
      [`x-ms-ratelimit-remaining-${scope}-global-${kind}`]: left(all),
    };
  }

  #takeQuery({ objectId }: Caller, now: number): Record<string, string> {
    const { queries, seconds } = graphQuota;
    const key = `${objectId} graph queries`;
    const isOver = ({ filledAt }: Bucket) => (now - filledAt) * this.#timeScale >= seconds * 1000;
    const held = this.#buckets.get(key);
    const window = held === undefined || isOver(held) ? { tokens: queries, filledAt: now } : held;
    this.#buckets.set(key, window);
    const left = seconds - Math.floor(((now - window.filledAt) * this.#timeScale) / 1000);
    const resets = { "x-ms-user-quota-resets-after": `00:00:0${Math.min(seconds, left)}` };
    if (window.tokens < 1) {
      const message =
        "Client application has been throttled and should not attempt to repeat the request until an amount of time has elapsed. " +
        "Please see https://aka.ms/resourcegraph-throttling for help.";
      throw new ApiError(429, "RateLimiting", message, {
        details: [{ code: "RateLimiting", message }],
        headers: { "x-ms-user-quota-remaining": "0", ...resets },
      });
    }
    if (this.#counting) window.tokens--;
    return { "x-ms-user-quota-remaining": String(window.tokens), ...resets };
  }

  #dns(subscription: string, kind: Kind, now: number): Bucket {
    const dnsKind = kind === "reads" ? "reads" : "writes";
    const limit = dnsBuckets[dnsKind];
    const bucket = this.#fill(`${subscription} DNS ${dnsKind}`, limit, now);
    if (bucket.tokens >= 1) return bucket;
    throw throttled((1 - bucket.tokens) / limit.refill, {
      code: "TooManyRequests",
      message: (seconds) =>
        `The limit of ${limit.size} DNS ${dnsKind} in 5 minutes is reached. Please try again after '${seconds}' seconds.`,
      headers: {},
    });
  }

  #fill(key: string, { size, refill }: Limit, now: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { tokens: size, filledAt: now };
    const seconds = Math.max(0, (now - bucket.filledAt) / 1000) * this.#timeScale;
    bucket.tokens = Math.min(size, bucket.tokens + seconds * refill);
    bucket.filledAt = now;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

interface Refusal {
  readonly code: string;
  readonly message: (seconds: number) => string;
  readonly headers: Readonly<Record<string, string>>;
}

function throttled(until: number, { code, message, headers }: Refusal): ApiError {
  const seconds = Math.max(1, Math.ceil(until));
  return new ApiError(429, code, message(seconds), { headers: { "retry-after": String(seconds), ...headers } });
}

function isGraphQuery({ path: [, provider = ""] }: ApiRequest): boolean {
  return provider.toLowerCase() === "microsoft.resourcegraph";
}

/** Zones with their contents, and the operations of private zones. */
function isDns({ path }: ApiRequest): boolean {
  return /\/(?:dnsZones|dnsOperation\w*|privateDnsZones|privateDnsOperation\w*)(?:\/|$)/i.test(path.join("/"));
}

const left = (bucket: Bucket): string => String(Math.floor(bucket.tokens));

function kindOf(request: ApiRequest): Kind {
  if (request.method === "GET" || request.method === "HEAD") return "reads";
  return request.method === "DELETE" ? "deletes" : "writes";
}
