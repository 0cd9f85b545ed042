/** Runs that meet each other, that are stopped, and that find Azure still at work: always one world, and no lost word about it. */
import { expect, test } from "vitest";
import { change } from "../cli/other-hands.js";
import { localAzure, type CliResult, type LocalAzure, type RunningCli } from "../harness/local-azure.js";
import { exits } from "../cli/expectations.js";
import { create, destroy, put, run, undisturbedState } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

/** Operations take their recorded time, so many times faster. */
const recordedClock = (scale: number) => ({ env: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(scale) } });
/** The slowest, private DNS, takes a second or so. */
const brisk = recordedClock(50);
/** Seconds pass between a write and the end of its operation: time enough to hold it, however busy this machine is. */
const slow = recordedClock(4);
/** Not how long it may take, but when to give up. */
const patience = { timeout: 100_000 };

/** What is in flight ends when `letGo` is called, and not by the clock: a busy machine may take its time. */
const hold = (azure: LocalAzure) => endAt(azure, Number.MAX_SAFE_INTEGER);
// Not at 0: the emulator forgets operations that ended ten minutes ago, and whoever began one would ask for it in vain.
const letGo = (azure: LocalAzure) => endAt(azure, Date.now());

function endAt(azure: LocalAzure, readyAt: number): Promise<void> {
  return change(azure, ({ operations }) => {
    for (const operation of Object.values(operations)) if (operation.status === "InProgress") operation.readyAt = readyAt;
  });
}

/** Whether the private zone, which takes longest, has begun to be written since this was last asked. */
async function zoneBegun(azure: LocalAzure): Promise<boolean> {
  return (await azure.traffic()).some(({ method, url }) => method === "PUT" && /privateDnsZones\/[^/?]+\?/.test(url));
}

/** A create whose private zone is in flight until it is let go. */
async function inTheMiddle(azure: LocalAzure): Promise<RunningCli> {
  const running = await azure.start(create, slow);
  await expect.poll(() => zoneBegun(azure), patience).toBe(true);
  await hold(azure);
  return running;
}

/** Runs into what is held, and lets it go when that has been looked at again and again. */
async function meetsWhatIsHeld(azure: LocalAzure, args: readonly string[], looked: RegExp): Promise<CliResult> {
  await azure.traffic();
  const running = await azure.start(args, brisk);
  const looks = new Map<string, number>();
  const often = async () => {
    for (const { method, url } of await azure.traffic()) {
      if (method === "GET" && looked.test(url)) looks.set(url, (looks.get(url) ?? 0) + 1);
    }
    return Math.max(0, ...looks.values());
  };
  await expect.poll(often, patience).toBeGreaterThan(2);
  await letGo(azure);
  return exits(await running.ended, 0);
}

test("a second run waits for what a killed one left in flight", async () => {
  const azure = await localAzure();
  const first = await inTheMiddle(azure);
  first.process.kill("SIGKILL");
  await first.ended;
  expect((await azure.snapshot()).operations.length).toBeGreaterThan(0);
  const { stderr } = await meetsWhatIsHeld(azure, create, /privateDnsZones\/[^/?]+\?/);
  expect(stderr).toMatch(/in flight/);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("two creates of one cluster at once both end well, in one world", async () => {
  const azure = await localAzure();
  await Promise.all([run(azure, create, 0, brisk), run(azure, create, 0, brisk)]);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

const stops = [
  { title: "Ctrl-C", signals: ["SIGINT"], exit: 130, code: "ARO-RUN-004" },
  { title: "SIGTERM", signals: ["SIGTERM"], exit: 143, code: "ARO-RUN-005" },
] as const;

test.each(stops)("$title ends with $exit, says what is in flight, and the same command completes it", async ({ signals, exit, code }) => {
  const azure = await localAzure();
  const running = await inTheMiddle(azure);
  for (const signal of signals) running.process.kill(signal);
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(exit);
  expect(ended.stderr).toContain("press Ctrl-C again to exit immediately");
  expect(ended.stderr).toContain(`[${code}]`);
  expect(ended.stderr).toMatch(/in flight +.*private DNS zone/);
  await letGo(azure);
  await run(azure, create, 0, brisk);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("Ctrl-C while Azure is still read ends with 130, and nothing was written", async () => {
  const azure = await localAzure();
  const before = await azure.snapshot();
  const running = await azure.start(create, { faults: [{ method: "GET", path: "/dnszones$", delay: 600 }] });
  await expect.poll(async () => (await azure.traffic()).length, patience).toBeGreaterThan(1);
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain("[ARO-RUN-004]");
  expect(await azure.snapshot()).toEqual(before);
});

test("Ctrl-C twice leaves at once, and the same command completes it", async () => {
  const azure = await localAzure();
  const running = await inTheMiddle(azure);
  running.process.kill("SIGINT");
  running.process.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  await letGo(azure);
  await run(azure, create, 0, brisk);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("a run whose time is up ends with 1, says what is in flight, and the same command completes it", async () => {
  const azure = await localAzure();
  const stderr = await outOfTime(azure);
  expect(stderr).toContain("[ARO-RUN-001]");
  expect(stderr).toMatch(/timed out after \d+/);
  await letGo(azure);
  await run(azure, create, 0, brisk);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

/** What a run says whose time was up when it had begun to write the zone: on a busy machine three seconds may not be enough for that. */
async function outOfTime(azure: LocalAzure): Promise<string> {
  for (const seconds of [3, 9, 27, 81]) {
    const running = await azure.start([...create, "--timeout", `${String(seconds)}s`], slow);
    await zoneHeld(azure, running);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(1);
    if (/in flight +.*private DNS zone/.test(stderr)) return stderr;
  }
  throw new Error("no run came so far as to write the zone");
}

async function zoneHeld(azure: LocalAzure, { process }: RunningCli): Promise<void> {
  while (process.exitCode === null && !(await zoneBegun(azure))) await new Promise((resolve) => setTimeout(resolve, 50));
  await hold(azure);
}

/** Three empty groups whose deletion has begun and goes on "in Azure" until it is let go, as its client was killed. */
async function groupsBeingDeleted(azure: LocalAzure): Promise<void> {
  const refused = { times: 100, answer: recorded.disallowedByPolicy };
  await run(azure, create, 5, { faults: [put.nsg, put.address, put.zone].map((write) => ({ ...write, ...refused })) });
  const destroying = await azure.start(destroy, slow);
  const begun = async () => (await azure.traffic()).some(({ method, url }) => method === "DELETE" && /resourcegroups\/[^/?]+\?/i.test(url));
  await expect.poll(begun, patience).toBe(true);
  await hold(azure);
  destroying.process.kill("SIGKILL");
  await destroying.ended;
}

test("a group that is being deleted when it is planned is waited for and made anew", async () => {
  const azure = await localAzure();
  await groupsBeingDeleted(azure);
  const { stderr } = await meetsWhatIsHeld(azure, create, /resourcegroups\/[^/?]+\?/i);
  expect(stderr).toMatch(/in flight.*Deleting/);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("a group that an earlier destroy is deleting is waited for by the next", async () => {
  const azure = await localAzure();
  const before = await azure.snapshot();
  await groupsBeingDeleted(azure);
  const { stderr } = await meetsWhatIsHeld(azure, destroy, /resourcegroups\/[^/?]+\?/i);
  expect(stderr).toContain("an earlier deletion is at work on it");
  expect(await azure.snapshot()).toEqual(before);
});
