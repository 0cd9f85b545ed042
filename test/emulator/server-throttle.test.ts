/** ARM's token buckets, with a clock of the test's own. */
import { expect, test } from "vitest";
import { Throttle } from "../../src/emulator/core/throttle.js";
import type { ApiRequest } from "../../src/emulator/core/service.js";
import { wellKnown } from "../../src/emulator/index.js";
import { openLocalServer } from "./local-server.js";

const caller = { objectId: "someone", appId: "app", audience: "https://management.azure.com" };
const request = (method: ApiRequest["method"], ...more: string[]): ApiRequest => ({
  method,
  host: "management.azure.com",
  path: ["subscriptions", "s", ...more],
  target: "",
  query: new URLSearchParams(),
  headers: {},
  body: undefined,
});

/** Takes until refused. */
function drain(throttle: Throttle, method: ApiRequest["method"], now: number): number {
  for (let taken = 0; ; taken++) {
    try {
      throttle.take(request(method), caller, now);
    } catch {
      return taken;
    }
  }
}

test.each([
  ["GET", 250],
  ["PUT", 200],
  ["DELETE", 200],
] as const)("%s is taken %i times at once and then refused with 429 and Retry-After", (method, size) => {
  const throttle = new Throttle(1, true);
  expect(drain(throttle, method, 0)).toBe(size);
  expect(() => throttle.take(request(method), caller, 0)).toThrow(
    expect.objectContaining({
      status: 429,
      code: "SubscriptionRequestsThrottled",
      headers: expect.objectContaining({ "retry-after": "1" }),
    }),
  );
});

test("buckets refill by the second, faster on a faster clock, and one principal's do not empty another's", () => {
  for (const [scale, refilled] of [
    [1, 25],
    [4, 100],
  ] as const) {
    const throttle = new Throttle(scale, true);
    drain(throttle, "GET", 0);
    expect(throttle.take(request("GET"), { ...caller, objectId: "else" }, 0)["x-ms-ratelimit-remaining-subscription-reads"]).toBe("249");
    expect(drain(throttle, "GET", 1000)).toBe(refilled);
  }
});

const header = "x-ms-ratelimit-remaining-subscription-resource-requests";

test.each([["dnsZones"], ["privateDnsZones"], ["privateDnsOperationStatuses"]])(
  "%s has limits of its own, and reports only these",
  (segment) => {
    const throttle = new Throttle(1, true);
    const send = (method: ApiRequest["method"]) =>
      throttle.take(request(method, "providers", "Microsoft.Network", segment, "z"), caller, 0);
    expect(send("GET")).toEqual({ [header]: "499" });
    expect(send("PUT")).toEqual({ [header]: "11999" });
    expect(send("DELETE")).toEqual({ [header]: "11998" });
  },
);

test("DNS accepts 500 reads of a subscription in five minutes, and other reads are not affected", () => {
  const throttle = new Throttle(1, true);
  const read = (now: number) => throttle.take(request("GET", "providers", "Microsoft.Network", "privateDnsZones", "z"), caller, now);
  for (let taken = 0; taken < 500; taken++) read(taken * 30);
  // It refills by 500 in five minutes, and the bucket of the principal by 25 a second.
  expect(() => {
    for (let taken = 0; taken < 40; taken++) read(20_000);
  }).toThrow(expect.objectContaining({ status: 429, code: "TooManyRequests", headers: { "retry-after": "1" } }));
  expect(() => read(23_000)).not.toThrow();
  expect(throttle.take(request("GET"), caller, 60_000)["x-ms-ratelimit-remaining-subscription-reads"]).toBe("249");
});

test("a user may send 15 queries to Resource Graph in five seconds, which no other bucket counts", () => {
  const throttle = new Throttle(1, true);
  const query = (now: number, objectId = "someone") =>
    throttle.take({ ...request("POST"), path: ["providers", "Microsoft.ResourceGraph", "resources"] }, { ...caller, objectId }, now);
  const quota = (remaining: number, seconds: number) => ({
    "x-ms-user-quota-remaining": String(remaining),
    "x-ms-user-quota-resets-after": `00:00:0${String(seconds)}`,
  });
  expect(query(0)).toEqual(quota(14, 5));
  for (let taken = 1; taken < 15; taken++) query(2000);
  expect(() => query(4999)).toThrow(expect.objectContaining({ status: 429, code: "RateLimiting", headers: quota(0, 1) }));
  expect(query(4999, "another")).toEqual(quota(14, 5));
  expect(query(5000)).toEqual(quota(14, 5));
  expect(throttle.take(request("PUT"), caller, 5000)["x-ms-ratelimit-remaining-subscription-writes"]).toBe("199");
});

test("the server's answers report the remaining tokens, and without latency nothing is ever refused", async () => {
  const server = await openLocalServer();
  const token = await server.token();
  const target = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/dns?api-version=2025-04-01`;
  const replies = await Promise.all(Array.from({ length: 300 }, () => server.call("management.azure.com", target, { token })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(replies[0]?.headers).toMatchObject({
    "x-ms-ratelimit-remaining-subscription-reads": "250",
    "x-ms-ratelimit-remaining-subscription-global-reads": "3750",
  });
});
