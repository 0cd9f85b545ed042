/** Token buckets for the limits of Azure, shared by the commands of one process: a request waits, and is not refused. */
import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { Clock } from "./clock.js";
import type { Operation } from "./operation.js";
import { retryAfterMs } from "./retry-after.js";

/** Requests, and how many more a second. */
interface Limit {
  readonly name: string;
  readonly size: number;
  readonly refill: number;
  /** Whose the bucket is: of one principal in one subscription, of the whole subscription, or of the principal alone. */
  readonly of: "principal in subscription" | "subscription" | "principal";
  /** The header with what is left of it. */
  readonly header?: RegExp;
}

const fiveMinutes = 300;

/**
 * As Azure documents them. The buckets of Resource Manager have a header; what providers count themselves has none that says so before it is empty.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
const limits = {
  reads: { name: "reads", size: 250, refill: 25, of: "principal in subscription", header: /-remaining-subscription-reads$/ },
  writes: { name: "writes", size: 200, refill: 10, of: "principal in subscription", header: /-remaining-subscription-writes$/ },
  deletes: { name: "deletes", size: 200, refill: 10, of: "principal in subscription", header: /-remaining-subscription-deletes$/ },
  dnsReads: {
    name: "reads of DNS",
    size: 500,
    refill: 500 / fiveMinutes,
    of: "subscription",
    header: /-remaining-subscription-resource-requests$/,
  },
  networkWrites: { name: "writes of networks", size: 1000, refill: 1000 / fiveMinutes, of: "subscription" },
  identityWrites: { name: "writes of managed identities", size: 20, refill: 2, of: "subscription" },
  graphWrites: { name: "writes of the directory", size: 3000, refill: 3000 / 150, of: "principal" },
} as const satisfies Readonly<Record<string, Limit>>;

interface Bucket {
  readonly limit: Limit;
  level: number;
  /** Azure's milliseconds; after a refusal, the end of its Retry-After: the bucket fills from then on. */
  filledAt: number;
  /** In the order of their arrival. */
  readonly waiting: Set<Turn>;
}

/** A request that waits. */
interface Turn {
  /** Nothing in Azure waits for its end, so it lets others pass: see `isPatient`. */
  readonly isPatient: boolean;
}

export interface Pacing {
  readonly buckets: Map<string, Bucket>;
  /** The operations of Azure that any of the commands waits for. */
  readonly operations: Set<Operation>;
}

/** `principal`: whose limits the requests count against; the same text for the same credentials. */
export interface Paced {
  readonly pacing: Pacing;
  readonly principal: string;
}

export function createPacing(): Pacing {
  return { buckets: new Map(), operations: new Set() };
}

type CountedRequest = Pick<PipelineRequest, "method" | "url">;

/** Empty for a request that counts against no known limit. */
function limitsOf({ method, url }: CountedRequest): readonly Limit[] {
  const { host, pathname } = new URL(url);
  // A POST is a write, whatever it does.
  const isRead = method === "GET" || method === "HEAD";
  if (host.startsWith("graph.")) return isRead || /\/getByIds$/.test(pathname) ? [] : [limits.graphWrites];
  // The SDK begins the path of a role assignment with two slashes.
  if (!/^\/+subscriptions\//i.test(pathname)) return [];
  const kind = isRead ? limits.reads : method === "DELETE" ? limits.deletes : limits.writes;
  const [, provider = ""] = /\/providers\/(microsoft\.[^/]+\/[^/]+)(?!.*\/providers\/)/i.exec(pathname) ?? [];
  const isDns = /^microsoft\.network\/(?:private)?dns/i.test(provider);
  if (isDns && isRead) return [kind, limits.dnsReads];
  if (!isDns && !isRead && /^microsoft\.network\//i.test(provider)) return [kind, limits.networkWrites];
  if (!isRead && /^microsoft\.managedidentity\//i.test(provider)) return [kind, limits.identityWrites];
  return [kind];
}

function subscriptionIn(url: string): string {
  return /\/subscriptions\/([^/?]+)/i.exec(url)?.[1]?.toLowerCase() ?? "";
}

function keyOf({ name, of }: Limit, subscription: string, principal: string): string {
  return `${name} ${{ subscription, principal, "principal in subscription": `${principal} ${subscription}` }[of]}`;
}

function bucketsOf({ buckets }: Pacing, request: CountedRequest, principal: string, now: number): readonly Bucket[] {
  return limitsOf(request).map((limit) => {
    const key = keyOf(limit, subscriptionIn(request.url), principal);
    const bucket = buckets.get(key) ?? { limit, level: limit.size, filledAt: now, waiting: new Set() };
    buckets.set(key, bucket);
    bucket.level = Math.min(limit.size, bucket.level + (Math.max(0, now - bucket.filledAt) / 1000) * limit.refill);
    bucket.filledAt = Math.max(bucket.filledAt, now);
    return bucket;
  });
}

/**
 * Seconds between two polls of one operation. The polls of all that run now leave tokens for other requests: what the bucket holds is spread over the
 * time in which it would fill.
 */
export function secondsBetweenPolls({ pacing, principal }: Paced, { url }: Pick<PipelineRequest, "url">, now: number): number {
  const keysOf = (polled: string) =>
    limitsOf({ method: "GET", url: polled }).map((limit) => keyOf(limit, subscriptionIn(polled), principal));
  const running = [...pacing.operations].flatMap(({ write }) => (write === undefined ? [] : keysOf(write.url)));
  const pauses = bucketsOf(pacing, { method: "GET", url }, principal, now).map(({ limit, level }, index) => {
    const sharing = running.filter((key) => key === keysOf(url)[index]).length;
    return sharing / (limit.refill * (1 + Math.max(0, level) / limit.size));
  });
  return Math.max(0, ...pauses);
}

/**
 * Networks and zones take Azure a while, and other steps wait for them; role assignments are most of the writes. If these went first, the zones of all clusters
 * would begin last.
 */
function isPatient({ method, url }: CountedRequest): boolean {
  return method === "PUT" && /\/providers\/microsoft\.authorization\/roleassignments\//i.test(url);
}

/** What remains of a token, after rounding. */
const almostNone = 1e-6;

/** Azure's milliseconds until the bucket has a token for this turn, and for each one before it. */
function waitMs({ limit, level, filledAt, waiting }: Bucket, turn: Turn, now: number): number {
  const turns = [...waiting];
  const own = turns.indexOf(turn);
  const before = turns.filter((other, index) => (other.isPatient === turn.isPatient ? index < own : turn.isPatient));
  const missing = before.length + 1 - level;
  return missing <= almostNone ? 0 : Math.ceil((missing / limit.refill) * 1000 + filledAt - now);
}

/** Others drain the bucket too, other machines and other programs: what Azure says counts if it is less. */
function learn(buckets: readonly Bucket[], response: PipelineResponse, clock: Clock, now: number): void {
  const left = [...response.headers].filter(([name]) => name.startsWith("x-ms-ratelimit-remaining-"));
  for (const bucket of buckets) {
    const { header } = bucket.limit;
    const known = left.find(([name]) => header?.test(name));
    const remaining = Number(known?.[1] ?? Infinity);
    if (Number.isFinite(remaining)) bucket.level = Math.min(bucket.level, remaining);
    if (response.status !== 429) continue;
    bucket.level = Math.min(bucket.level, 0);
    bucket.filledAt = Math.max(bucket.filledAt, now + (retryAfterMs(response, clock) ?? 0));
  }
}

/** Whose requests wait: the end of the step, or else of the run, ends the wait. */
interface Waiting {
  readonly clock: Clock;
  readonly current: () => { readonly signal: AbortSignal } | undefined;
  readonly signal: AbortSignal;
}

/** Around each try: what the retry policy sends again counts too. */
export function pacingPolicy({ clock, current, signal }: Waiting, { pacing, principal }: Paced): PipelinePolicy {
  const azureMs = () => clock.unscaled(clock.elapsedMs());
  const buckets = (request: CountedRequest) => bucketsOf(pacing, request, principal, azureMs());

  /** Takes a token of each bucket. */
  async function untilTurn(request: CountedRequest): Promise<void> {
    const turn: Turn = { isPatient: isPatient(request) };
    const its = buckets(request);
    for (const { waiting } of its) waiting.add(turn);
    try {
      for (;;) {
        const ms = Math.max(0, ...buckets(request).map((bucket) => waitMs(bucket, turn, azureMs())));
        if (ms === 0) break;
        await clock.sleep(ms, current()?.signal ?? signal);
      }
      for (const bucket of its) bucket.level -= 1;
    } finally {
      for (const { waiting } of its) waiting.delete(turn);
    }
  }

  return {
    name: "aroHcpPacingPolicy",
    async sendRequest(request, next) {
      await untilTurn(request);
      const response = await next(request);
      learn(buckets(request), response, clock, azureMs());
      return response;
    },
  };
}
