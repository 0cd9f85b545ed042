/** When operations are polled: by their expected duration, Azure's Retry-After and the requests that are left. */
import { createHttpHeaders, createPipelineRequest, type HttpMethods, type PipelineResponse } from "@azure/core-rest-pipeline";
import { expect, test } from "vitest";
import { scaledClock, systemClock } from "../../src/azure/clock.js";
import { costAmong, expectedDuration, expectedGroupDeletion, type ExpectedDuration } from "../../src/azure/expected-durations.js";
import { nextPoll } from "../../src/azure/next-poll.js";
import { pollWhenDue, pollTimingPolicy } from "../../src/azure/poll-timing.js";
import type { Operation } from "../../src/azure/operation.js";
import { simulatedTime } from "../engine/simulated-time.js";

const zone = expectedDuration("PUT", "Microsoft.Network/privateDnsZones");

/** The times of all polls of an operation that takes `seconds`. */
function pollTimes(expected: ExpectedDuration, seconds: number): number[] {
  const times = [nextPoll(expected, 0)];
  for (let last = times[0] ?? 0; last < seconds; last = times.at(-1) ?? 0) times.push(nextPoll(expected, last));
  return times;
}

test("no poll comes before the earliest recorded end, and each comes after the one before", () => {
  for (const [verb, type] of [
    ["PUT", "Microsoft.Network/privateDnsZones"],
    ["PUT", "Microsoft.Storage/storageAccounts"],
    ["DELETE", "Microsoft.Network/publicIPAddresses"],
    ["PUT", "Some.Other/type"],
  ] as const) {
    const expected = expectedDuration(verb, type);
    const times = pollTimes(expected, 300);
    expect(times[0]).toBeGreaterThan(expected.spread[0]);
    expect(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0) + 0.25)).toBe(true);
  }
});

test("alone, the end of a private zone's creation goes unnoticed for a third of a second on average, at the cost of 17 polls", () => {
  const [earliest, half, most, latest] = zone.spread;
  const at = (share: number): number => {
    if (share < 0.5) return earliest + (share / 0.5) * (half - earliest);
    return share < 0.9 ? half + ((share - 0.5) / 0.4) * (most - half) : most + ((share - 0.9) / 0.1) * (latest - most);
  };
  const runs = Array.from({ length: 1000 }, (_, index) => at(index / 1000)).map((end) => ({
    end,
    times: pollTimes({ ...zone, pollCost: costAmong([zone], zone.pollCost) }, end),
  }));
  const mean = (of: (run: (typeof runs)[number]) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  expect(mean(({ end, times }) => (times.at(-1) ?? 0) - end)).toBeLessThan(0.35);
  expect(mean(({ times }) => times.length)).toBeLessThan(17.5);
});

test("towards the latest recorded end, no pause is shorter than half a second", () => {
  const [, , most, latest] = zone.spread;
  const times = pollTimes(zone, latest).filter((time) => time >= most);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(0.5);
});

test("an operation that takes longer than any recorded one is polled ever more seldom", () => {
  const times = pollTimes(zone, 3600);
  const late = times.filter((time) => time > 60);
  const pauses = late.slice(1).map((time, index) => time - (late[index] ?? 0));
  expect(pauses.length).toBeLessThan(50);
  expect(pauses.at(-1)).toBeGreaterThan(60 * 4);
});

test("a group with a private zone and a network is first polled after a minute and a half, an empty one within seconds", () => {
  const both = expectedGroupDeletion(["Microsoft.Network/privateDnsZones", "microsoft.network/VIRTUALNETWORKS"]);
  expect(nextPoll(both, 0)).toBeGreaterThan(90);
  expect(nextPoll(expectedGroupDeletion(["Microsoft.KeyVault/vaults"]), 0)).toBeGreaterThan(25);
  expect(nextPoll(expectedGroupDeletion([]), 0)).toBeLessThan(6);
});

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly takesMs?: number;
}

const running = { status: 202, body: { status: "InProgress" } };
const ended = { status: 200, body: { status: "Succeeded" } };

/** Sends a PUT and polls until the replies are used up; returns the seconds at which each request was sent. */
async function sentAt(
  replies: readonly Reply[],
  work = pollWhenDue,
  operations = new Set<Operation>(),
): Promise<{ readonly seconds: number[]; readonly last: PipelineResponse }> {
  const time = simulatedTime();
  const clock = scaledClock(1, { ...systemClock, now: () => new Date(time.now()), elapsedMs: time.now, sleep: time.sleep });
  const policy = pollTimingPolicy({ clock, current: () => undefined, signal: new AbortController().signal, operations });
  const seconds: number[] = [];
  let last: PipelineResponse | undefined;
  const send = async (method: HttpMethods, { status = 200, headers = {}, body = {}, takesMs = 0 }: Reply) => {
    const request = createPipelineRequest({ url: "https://management.azure.com/x", method });
    last = await policy.sendRequest(request, async () => {
      seconds.push(time.now() / 1000);
      if (takesMs > 0) await time.sleep(takesMs);
      return { request, status, headers: createHttpHeaders(headers), bodyAsText: JSON.stringify(body) };
    });
  };
  await time.run(
    work(zone, async () => {
      for (const [index, reply] of replies.entries()) await send(index === 0 ? "PUT" : "GET", reply);
    }),
  );
  return { seconds, last: last ?? expect.fail("nothing was sent") };
}

test("polls wait until the operation has probably ended, and the read after its end does not", async () => {
  const { seconds } = await sentAt([{ status: 202 }, running, running, ended, ended]);
  expect(seconds[0]).toBe(0);
  expect(seconds[1]).toBeGreaterThan(5);
  expect(seconds[2]).toBeGreaterThan((seconds[1] ?? 0) + 0.5);
  expect(seconds[4]).toBe(seconds[3]);
});

/** To milliseconds. */
const rounded = (seconds: readonly number[]) => seconds.map((at) => at.toFixed(3));

test("a slow response to a poll does not delay the next one, a slow one to the write delays all", async () => {
  const fast = await sentAt([{ status: 202 }, running, running, ended]);
  const slow = await sentAt([{ status: 202 }, { ...running, takesMs: 400 }, running, ended]);
  expect(rounded(slow.seconds)).toEqual(rounded(fast.seconds));
  const late = await sentAt([{ status: 202, takesMs: 60_000 }, running, running, ended]);
  expect(rounded(late.seconds.slice(1))).toEqual(rounded(fast.seconds.slice(1).map((at) => at + 60)));
});

test("after a poll that was sent again and again, the next one waits", async () => {
  const { seconds } = await sentAt([{ status: 202 }, { ...running, takesMs: 60_000 }, running, ended]);
  expect((seconds[2] ?? 0) - (seconds[1] ?? 0)).toBeGreaterThan(61);
});

test("deletions of groups are polled often when only they are left, and seldom while others run", () => {
  const group = expectedGroupDeletion([]);
  const among = (operations: readonly ExpectedDuration[]) => costAmong(operations, group.pollCost);
  expect(among([group, zone])).toBe(group.pollCost);
  expect(among([group])).toBeLessThan(among([group, group]));
  expect(among([group, group, group])).toBeLessThan(group.pollCost / 5);
  expect(
    costAmong(
      Array.from({ length: 30 }, () => group),
      group.pollCost,
    ),
  ).toBe(group.pollCost);
  expect(costAmong([zone, zone], zone.pollCost)).toBe(zone.pollCost);
});

test("an operation is polled more often while the run waits for nothing else, and is forgotten when it ends or fails", async () => {
  const replies = [{ status: 202 }, ...Array.from({ length: 10 }, () => running), ended];
  const operations = new Set<Operation>();
  const alone = await sentAt(replies, pollWhenDue, operations);
  expect(operations.size).toBe(0);
  const beside = await sentAt(replies, pollWhenDue, new Set([{ expected: zone }]));
  expect((beside.seconds.at(-1) ?? 0) - (alone.seconds.at(-1) ?? 0)).toBeGreaterThan(3);
  const broken: typeof pollWhenDue = (expected, work) =>
    pollWhenDue(expected, async () => {
      await work();
      throw new Error("lost");
    });
  await expect(sentAt([{ status: 202 }, running], broken, operations)).rejects.toThrow("lost");
  expect(operations.size).toBe(0);
});

test("a client that goes on polling after the end is held again", async () => {
  const { seconds } = await sentAt([{ status: 202 }, ended, ended, ended, ended]);
  const [, first = 0] = seconds;
  expect(seconds.slice(2, 4)).toEqual([first, first]);
  expect(seconds[4]).toBeGreaterThan(first + 0.2);
});

test("an operation that ended with its first answer, or will within a second, is polled at once", async () => {
  const done = { status: 201, body: { properties: { provisioningState: "Succeeded" } } };
  expect((await sentAt([done, ended])).seconds).toEqual([0, 0]);
  expect((await sentAt([{ status: 202, headers: { "retry-after": "1" } }, ended])).seconds).toEqual([0, 1]);
  const updating = { status: 201, headers: { "retry-after-ms": "0" }, body: { properties: { provisioningState: "Updating" } } };
  expect((await sentAt([updating, ended])).seconds).toEqual([0, 0]);
});

test.each(["0", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])("a Retry-After of %s after a poll is no reason to poll at once", async (asked) => {
  const hasty = { ...running, headers: { "retry-after": asked } };
  const replies = (poll: Reply) => [{ status: 202 }, poll, poll, poll, ended];
  expect((await sentAt(replies(hasty))).seconds).toEqual((await sentAt(replies(running))).seconds);
});

test("polls are at least a quarter of a second apart, however short the wait is that Azure asks for", async () => {
  const hasty = { ...running, headers: { "retry-after-ms": "1" } };
  const { seconds } = await sentAt([{ status: 202 }, hasty, hasty, ended]);
  for (const after of [2, 3]) expect((seconds[after] ?? 0) - (seconds[after - 1] ?? 0)).toBeCloseTo(0.25);
});

test("with few requests left, Azure's Retry-After is obeyed", async () => {
  const few = { ...running, headers: { "retry-after": "30", "x-ms-ratelimit-remaining-subscription-reads": "49" } };
  const { seconds } = await sentAt([{ status: 202 }, few, running, ended]);
  expect((seconds[2] ?? 0) - (seconds[1] ?? 0)).toBeCloseTo(30);
  expect((seconds[3] ?? 0) - (seconds[2] ?? 0)).toBeLessThan(5);
  const long = { ...few, headers: { ...few.headers, "retry-after": "99999999" } };
  const after = await sentAt([{ status: 202 }, long, ended]);
  expect((after.seconds[2] ?? 0) - (after.seconds[1] ?? 0)).toBeCloseTo(300);
  const silent = { status: 202, headers: { "x-ms-ratelimit-remaining-subscription-resource-requests": "3" } };
  expect((await sentAt([silent, ended])).seconds).toEqual([0, 10]);
});

test("the SDK does not see the Retry-After of a success, but that of a refusal", async () => {
  const headers = { "retry-after": "600" };
  expect((await sentAt([{ ...ended, headers }])).last.headers.has("retry-after")).toBe(false);
  expect((await sentAt([{ status: 429, headers }])).last.headers.get("retry-after")).toBe("600");
});

test("other requests are not held", async () => {
  const { seconds } = await sentAt([{ status: 202 }, running, ended], (_, work) => work());
  expect(seconds).toEqual([0, 0, 0]);
});
