/** Token buckets for the limits of Azure, shared by the commands of one process: a request waits, and is not refused. */
import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { Clock } from "./clock.js";
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
  /** Below zero: as many requests wait for their turn. */
  level: number;
  /** Azure's milliseconds. */
  filledAt: number;
  /** After a refusal, nothing is sent before this time. */
  closedUntil: number;
}

export interface Pacing {
  readonly buckets: Map<string, Bucket>;
}

/** `principal`: whose limits the requests count against; the same text for the same credentials. */
export interface Paced {
  readonly pacing: Pacing;
  readonly principal: string;
}

export function createPacing(): Pacing {
  return { buckets: new Map() };
}

/** Empty for a request that counts against no known limit. */
function limitsOf({ method, url }: Pick<PipelineRequest, "method" | "url">): readonly Limit[] {
  const { host, pathname } = new URL(url);
  const isRead = method === "GET" || method === "HEAD" || method === "POST";
  if (host.startsWith("graph.")) return method === "GET" || /\/getByIds$/.test(pathname) ? [] : [limits.graphWrites];
  if (!/^\/subscriptions\//i.test(pathname)) return [];
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

function bucketsOf({ buckets }: Pacing, request: PipelineRequest, principal: string, now: number): readonly Bucket[] {
  const subscription = subscriptionIn(request.url);
  return limitsOf(request).map((limit) => {
    const owner = { subscription, principal, "principal in subscription": `${principal} ${subscription}` }[limit.of];
    const key = `${limit.name} ${owner}`;
    const bucket = buckets.get(key) ?? { limit, level: limit.size, filledAt: now, closedUntil: 0 };
    buckets.set(key, bucket);
    bucket.level = Math.min(limit.size, bucket.level + (Math.max(0, now - bucket.filledAt) / 1000) * limit.refill);
    bucket.filledAt = now;
    return bucket;
  });
}

/** Azure's milliseconds until the turn of the request. Takes a token of each bucket: whoever comes later waits longer. */
function take(buckets: readonly Bucket[], now: number): number {
  const waits = buckets.map((bucket) => {
    bucket.level -= 1;
    return Math.max(bucket.level < 0 ? (-bucket.level / bucket.limit.refill) * 1000 : 0, bucket.closedUntil - now);
  });
  return Math.max(0, ...waits);
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
    bucket.closedUntil = Math.max(bucket.closedUntil, now + (retryAfterMs(response, clock) ?? 0));
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
  return {
    name: "aroHcpPacingPolicy",
    async sendRequest(request, next) {
      const buckets = bucketsOf(pacing, request, principal, azureMs());
      const ms = take(buckets, azureMs());
      if (ms > 0) await clock.sleep(ms, current()?.signal ?? signal);
      const response = await next(request);
      learn(bucketsOf(pacing, request, principal, azureMs()), response, clock, azureMs());
      return response;
    },
  };
}
