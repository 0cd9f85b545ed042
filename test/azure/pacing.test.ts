/** The shared token buckets: a request waits where Azure would refuse it, and a refusal closes the bucket for all. */
import { createHttpHeaders, createPipelineRequest, type HttpMethods, type PipelineResponse } from "@azure/core-rest-pipeline";
import { expect, test } from "vitest";
import { createPacing, pacingPolicy, type Pacing } from "../../src/azure/pacing.js";

const subscription = "https://management.azure.com/subscriptions/5b5c0000-0000-4000-8000-000000000001";

/** Time passes in its sleeps alone; each of several sleepers sees its own end. */
function virtualTime() {
  let nowMs = 0;
  const waits: number[] = [];
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
        return Promise.resolve();
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
  ["PUT", `${subscription}/resourceGroups/a/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i?api-version=1`, 20, 500],
  ["POST", "https://graph.microsoft.com/v1.0/applications", 3000, 50],
] as const)("%s %s waits from request %i on", async (method, url, size, ms) => {
  const waits = await waitsOf(size + 2, method, url);
  expect(waits.map(Math.round)).toEqual([ms, 2 * ms]);
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
  expect(time.waits.splice(0)).toEqual([17_000]);
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
