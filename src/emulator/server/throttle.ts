/**
 * ARM's token buckets: limits how many reads, writes and deletes a principal sends to a subscription, refilled every second.
 * They live in the memory of one server, so commands that each start their own do not share them.
 */
import { ApiError, type ApiRequest, type Caller } from "../service.js";

type Kind = "reads" | "writes" | "deletes";

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Size, and refill per second, for each subscription and principal; a whole subscription gets fifteen times as much. */
const buckets: Readonly<Record<Kind, { size: number; refill: number }>> = {
  reads: { size: 250, refill: 25 },
  writes: { size: 200, refill: 10 },
  deletes: { size: 200, refill: 10 },
};
const globalFactor = 15;

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
   * @throws ApiError 429 SubscriptionRequestsThrottled with Retry-After in seconds of Azure's clock.
   */
  take(request: ApiRequest, caller: Caller, now: number): Record<string, string> {
    const kind = kindOf(request);
    const { size, refill } = buckets[kind];
    const tenantScope = request.path[0]?.toLowerCase() !== "subscriptions";
    const subscription = tenantScope ? "tenant" : (request.path[1] ?? "").toLowerCase();
    const own = this.#fill(`${subscription} ${caller.objectId} ${kind}`, size, refill, now);
    const all = this.#fill(`${subscription} ${kind}`, size * globalFactor, refill * globalFactor, now);
    if (own.tokens < 1 || all.tokens < 1) {
      const seconds = Math.max(1, Math.ceil((1 - own.tokens) / refill));
      throw new ApiError(
        429,
        "SubscriptionRequestsThrottled",
        `Number of '${kind}' requests for subscription '${subscription}' actor '${caller.objectId}' exceeded. Please try again after '${seconds}' seconds after additional tokens are available.`,
        { headers: { "retry-after": String(seconds), "x-ms-failure-cause": "gateway" } },
      );
    }
    if (this.#counting) {
      own.tokens--;
      all.tokens--;
    }
    const scope = tenantScope ? "tenant" : "subscription";
    // Private DNS has limits of its own and reports them under this name instead.
    if (/\/privateDnsZones(\/|$)/i.test(request.path.join("/")))
      return { [`x-ms-ratelimit-remaining-${scope}-resource-requests`]: left(own) };
    return {
      [`x-ms-ratelimit-remaining-${scope}-${kind}`]: left(own),
      [`x-ms-ratelimit-remaining-${scope}-global-${kind}`]: left(all),
    };
  }

  #fill(key: string, size: number, refill: number, now: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { tokens: size, filledAt: now };
    const seconds = Math.max(0, (now - bucket.filledAt) / 1000) * this.#timeScale;
    bucket.tokens = Math.min(size, bucket.tokens + seconds * refill);
    bucket.filledAt = now;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

const left = (bucket: Bucket): string => String(Math.floor(bucket.tokens));

function kindOf(request: ApiRequest): Kind {
  if (request.method === "GET" || request.method === "HEAD") return "reads";
  return request.method === "DELETE" ? "deletes" : "writes";
}
