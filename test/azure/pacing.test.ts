/** The shared token buckets: a request waits where Azure would refuse it, and a refusal closes the bucket for all. */
import { createHttpHeaders, createPipelineRequest, type HttpMethods, type PipelineResponse } from "@azure/core-rest-pipeline";
import { expect, test } from "vitest";
import { createPacing, pacingPolicy, secondsBetweenPolls, type Pacing } from "../../src/azure/pacing.js";

const subscription = "https://management.azure.com/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const network = `${subscription}/resourceGroups/a/providers/Microsoft.Network`;
/** As the SDK writes it. */
const roleAssignments = `${subscription.replace(".com/", ".com//")}/providers/Microsoft.Authorization/roleAssignments`;

/** Time passes in its sleeps alone: when everybody waits, it goes on to the first end. */
function virtualTime() {
  let nowMs = 0;
  const waits: number[] = [];
  const sleepers: { readonly endMs: number; wake(): void }[] = [];
  const goOn = () => {
    const first = sleepers.toSorted((one, other) => one.endMs - other.endMs)[0];
    if (first === undefined) return;
    sleepers.splice(sleepers.indexOf(first), 1);
    nowMs = Math.max(nowMs, first.endMs);
    first.wake();
  };
  return {
    waits,
    pass: (ms: number) => {
      nowMs += ms;
    },
    clock: {
      now: () => new Date(nowMs),
      elapsedMs: () => nowMs,
      after: () => () => undefined,
      scaled: (ms: number) => ms,
      unscaled: (ms: number) => ms,
      sleep: (ms: number) => {
        waits.push(ms);
        return new Promise<void>((wake) => {
          sleepers.push({ endMs: nowMs + ms, wake });
          setImmediate(goOn);
        });
      },
    },
  };
}

type Answer = Pick<PipelineResponse, "status"> & { readonly headers?: Readonly<Record<string, string>> };

function sender(pacing: Pacing, time: ReturnType<typeof virtualTime>, principal = "one") {
  const policy = pacingPolicy({ clock: time.clock, current: () => undefined, signal: new AbortController().signal }, { pacing, principal });
  return (method: HttpMethods, url: string, { status, headers = {} }: Answer = { status: 200 }) => {
    const request = createPipelineRequest({ url, method });
    return policy.sendRequest(request, () => Promise.resolve({ request, status, headers: createHttpHeaders(headers) }));
  };
}

async function waitsOf(count: number, method: HttpMethods, url: string): Promise<readonly number[]> {
  const time = virtualTime();
  const send = sender(createPacing(), time);
  for (let sent = 0; sent < count; sent++) await send(method, url);
  return time.waits;
}

test.each([
  ["GET", `${subscription}/resourceGroups/a?api-version=1`, 250, 1000 / 25],
  ["PUT", `${subscription}/resourceGroups/a?api-version=1`, 200, 1000 / 10],
  ["DELETE", `${subscription}/resourceGroups/a?api-version=1`, 200, 1000 / 10],
  ["GET", `${subscription}/resourceGroups/a/providers/Microsoft.Network/privateDnsZones/z?api-version=1`, 250, 1000 / 25],
  ["POST", `${subscription}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions?api-version=1`, 200, 1000 / 10],
  ["PUT", `${roleAssignments}/a?api-version=1`, 200, 1000 / 10],
  ["PUT", `${subscription}/resourceGroups/a/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i?api-version=1`, 20, 500],
  ["POST", "https://graph.microsoft.com/v1.0/applications", 3000, 50],
] as const)("%s %s waits from request %i on", async (method, url, size, ms) => {
  const waits = await waitsOf(size + 2, method, url);
  expect(waits).toEqual([ms, ms]);
});

test("reads of DNS have a bucket of the subscription beside that of the principal", async () => {
  const time = virtualTime();
  const pacing = createPacing();
  const url = `${subscription}/providers/Microsoft.Network/privateDnsZones?api-version=1`;
  const all = ["one", "two", "three"].map((principal) => sender(pacing, time, principal));
  for (let sent = 0; sent < 501; sent++) await all[sent % all.length]?.("GET", url);
  expect(time.waits.map(Math.round)).toEqual([600]);
});

test("what Azure says is left counts if it is less, and a refusal closes the bucket until its Retry-After", async () => {
  const time = virtualTime();
  const send = sender(createPacing(), time);
  const url = `${subscription}/resourceGroups/a?api-version=1`;
  await send("PUT", url, { status: 200, headers: { "x-ms-ratelimit-remaining-subscription-writes": "1" } });
  await send("PUT", url);
  expect(time.waits).toEqual([]);
  await send("PUT", url);
  expect(time.waits.splice(0)).toEqual([100]);
  await send("PUT", url, { status: 429, headers: { "retry-after": "17" } });
  time.waits.splice(0);
  await send("PUT", url);
  expect(time.waits.splice(0)).toEqual([17_100]);
  time.pass(20_000);
  await send("PUT", url);
  expect(time.waits).toEqual([]);
});

test("other principals, other subscriptions and vaults do not wait", async () => {
  const time = virtualTime();
  const pacing = createPacing();
  const url = `${subscription}/resourceGroups/a?api-version=1`;
  for (let sent = 0; sent < 200; sent++) await sender(pacing, time)("PUT", url);
  await sender(pacing, time, "two")("PUT", url);
  await sender(pacing, time)("PUT", url.replace("0001/", "0002/"));
  await sender(pacing, time)("PUT", "https://kv-demo.vault.azure.net/secrets/a?api-version=7.6");
  expect(time.waits).toEqual([]);
});

test("what others in Azure wait for goes before role assignments, each in its order", async () => {
  const send = sender(createPacing(), virtualTime());
  for (let sent = 0; sent < 200; sent++) await send("PUT", `${subscription}/resourceGroups/a`);
  const urls = [`${roleAssignments}/a`, `${roleAssignments}/b`, `${network}/privateDnsZones/a`, `${network}/virtualNetworks/a`];
  const order: string[] = [];
  await Promise.all(urls.map((url) => send("PUT", url).then(() => order.push(url))));
  expect(order).toEqual([2, 3, 0, 1].map((index) => urls[index]));
});

test("a request that is stopped while it waits leaves its turn to the next one", async () => {
  const pacing = createPacing();
  const time = virtualTime();
  const send = sender(pacing, time);
  for (let sent = 0; sent < 200; sent++) await send("PUT", `${subscription}/resourceGroups/a`);
  const stopped = { ...time.clock, sleep: () => Promise.reject(new Error("stopped")) };
  const policy = pacingPolicy(
    { clock: stopped, current: () => undefined, signal: new AbortController().signal },
    { pacing, principal: "one" },
  );
  const request = createPipelineRequest({ url: `${subscription}/resourceGroups/b`, method: "PUT" });
  await expect(policy.sendRequest(request, () => Promise.reject(new Error("sent")))).rejects.toThrow("stopped");
  await send("PUT", `${subscription}/resourceGroups/a`);
  expect(time.waits).toEqual([100]);
});

test("the more operations run, the less often each is polled, and the less the bucket holds", async () => {
  const pacing = createPacing();
  const paced = { pacing, principal: "one" };
  const url = `${network}/privateDnsZones/a`;
  const run = (count: number, write: { readonly url: string }) => {
    for (let added = 0; added < count; added++) pacing.operations.add({ expected: { spread: [1, 2, 3, 4], pollCost: 1 }, write });
  };
  run(1, { url });
  expect(secondsBetweenPolls(paced, { url }, 0)).toBeCloseTo(0.3);
  run(99, { url });
  run(50, { url: `${network}/virtualNetworks/a` });
  expect(secondsBetweenPolls(paced, { url }, 0)).toBeCloseTo(30);
  const send = sender(pacing, virtualTime());
  for (let sent = 0; sent < 500; sent++) await send("GET", url);
  expect(secondsBetweenPolls(paced, { url }, 0)).toBeGreaterThan(45);
  expect(secondsBetweenPolls(paced, { url: url.replace("0001/", "0002/") }, 0)).toBe(0);
});
