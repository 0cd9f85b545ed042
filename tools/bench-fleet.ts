/**
 * Measures `create fleet` in virtual time: how long it takes, over the least time that Azure's limits and its own operations allow, and the requests that
 * Azure refused. Fails if a target is missed.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { operationsFrom } from "../src/emulator/state/operation-log.js";
import { countRequests } from "./bench-requests.js";
import { lastLines } from "./cli-process.js";
import { createFleetArgs, fleetOf, seedOf, type MeasuredFleet } from "./demo-fleet.js";
import { installGlobals } from "./simulation/globals.js";
import { createKeys, keyPairs } from "./simulation/keys.js";
import { Place } from "./simulation/place.js";
import { warmUp } from "./simulation/warm-up.js";

const usage = "npm run bench:fleet -- [--clusters 100] [--subscriptions 1] [--principals 1] [--concurrency 32] [--seed 1]";

const targets = { overLeast: 1.2, refusedPerThousand: 5 } as const;

interface Request {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

/** Seconds until as many tokens have come. The limits are those of one bucket; the requests go to each of `buckets` alike. */
function fillTime(demand: number, { size, refill, buckets }: Readonly<Record<"size" | "refill" | "buckets", number>>): number {
  return Math.max(0, (demand / buckets - size) / refill);
}

/** Seconds, by what binds. Refused requests and polls are none that a fleet must send. */
function leastTimes(requests: readonly Request[], { subscriptions, principals }: MeasuredFleet, longestZone: number) {
  const needed = requests.filter(
    ({ url, status }) => url.includes("/subscriptions/") && status !== 429 && !/operation(?:s|statuses)\//i.test(url),
  );
  const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";
  const reads = needed.filter(isRead);
  const own = subscriptions.length * principals.length;
  return {
    writes: fillTime(needed.length - reads.length, { size: 200, refill: 10, buckets: own }),
    reads: fillTime(reads.length, { size: 250, refill: 25, buckets: own }),
    "reads of DNS": fillTime(reads.filter(({ url }) => /\/(?:private)?dnsZones/i.test(url)).length, {
      size: 500,
      refill: 500 / 300,
      buckets: subscriptions.length,
    }),
    "zone and link": longestZone,
  };
}

/** Seconds that Azure took for the private zone of a cluster and its link, which are one after the other: the longest of all clusters. */
function longestZoneOf(place: Place): number {
  const zones = new Map<string, number>();
  for (const { resource, verb, seconds } of operationsFrom(place.emulator.state(), 0)) {
    const [zone] = /^.*\/privatednszones\/[^/]+/i.exec(resource) ?? [];
    if (zone !== undefined && verb === "PUT") zones.set(zone, (zones.get(zone) ?? 0) + seconds);
  }
  return Math.max(0, ...zones.values());
}

const { values } = parseArgs({
  options: {
    clusters: { type: "string", default: "100" },
    subscriptions: { type: "string", default: "1" },
    principals: { type: "string", default: "1" },
    concurrency: { type: "string", default: "32" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) throw new Error(usage);
const { seed, concurrency } = values;
const fleet = fleetOf(Number(values.clusters), Number(values.subscriptions), Number(values.principals));
const command = (measured: MeasuredFleet) => (directory: string) => [...createFleetArgs(measured, directory), "--concurrency", concurrency];

installGlobals(keyPairs(createKeys()));
await warmUp(seedOf(fleet), [command({ ...fleet, clusters: 1 })]);
const place = new Place({ seed, latency: "recorded", isRecorded: true });
try {
  await place.seed({ seed: Number(seed), ...seedOf(fleet) });
  const { code, stderr } = await place.run("create fleet", command(fleet));
  if (code !== 0) throw new Error(`create fleet exited with ${String(code)}\n${lastLines(stderr)}`);
  const lines = readFileSync(place.record, "utf8").trimEnd().split("\n");
  const requests = lines.map((line) => {
    const { method, url, status } = JSON.parse(line) as Request;
    return { method, url, status };
  });
  const least = leastTimes(requests, fleet, longestZoneOf(place));
  const wall = place.schedule.nowMs / 1000;
  const overLeast = wall / Math.max(...Object.values(least));
  const refusedPerThousand = (countRequests(lines).throttled / lines.length) * 1000;
  const figures = { "wall time": wall, ...least, "over the least time": overLeast, "429s of 1,000": refusedPerThousand };
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(20)} ${value.toFixed(2)}`);
  const missed = [
    ...(overLeast > targets.overLeast ? ["over the least time"] : []),
    ...(refusedPerThousand >= targets.refusedPerThousand ? ["429s"] : []),
  ];
  for (const each of missed) console.error(`missed: ${each}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  place.close();
}
