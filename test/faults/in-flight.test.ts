/** Concurrent runs, stopped runs, and operations that are still in flight: the state is always that of an undisturbed run, and every wait is reported. */
import { expect, test } from "vitest";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type CliResult, type TestEmulator, type RunningCli } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { create, destroy, put, run, undisturbedState } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

/** Operations take their recorded time, divided by `scale`. */
const recordedClock = (scale: number) => ({ env: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(scale) } });
/** The slowest operation, private DNS, takes about a second. */
const brisk = recordedClock(50);
/** An operation takes seconds: enough time to hold it, even on a busy machine. */
const slow = recordedClock(4);
/** Limits a test that hangs; it does not measure. */
const patience = { timeout: 100_000 };

/** Operations in flight end when the test calls `release`, so that a busy machine has enough time. */
const hold = (azure: TestEmulator) => endAt(azure, Number.MAX_SAFE_INTEGER);
// Not at 0: the emulator removes operations that ended ten minutes ago, and polls of them would fail.
const release = (azure: TestEmulator) => endAt(azure, Date.now());

function endAt(azure: TestEmulator, readyAt: number): Promise<void> {
  return changeState(azure, ({ operations }) => {
    for (const operation of Object.values(operations)) if (operation.status === "InProgress") operation.readyAt = readyAt;
  });
}

/** Whether the write of the private zone, which takes longest, has started since the last call. */
async function zoneStarted(azure: TestEmulator): Promise<boolean> {
  return (await azure.traffic()).some(({ method, url }) => method === "PUT" && /privateDnsZones\/[^/?]+\?/.test(url));
}

/** Starts a create whose private zone is in flight until `release`. */
async function createInFlight(azure: TestEmulator): Promise<RunningCli> {
  const running = await azure.start(create, slow);
  await expect.poll(() => zoneStarted(azure), patience).toBe(true);
  await hold(azure);
  return running;
}

/** Starts a run that waits for a held operation, and releases the operation after several polls. */
async function waitsForHeld(azure: TestEmulator, args: readonly string[], polled: RegExp): Promise<CliResult> {
  await azure.traffic();
  const running = await azure.start(args, brisk);
  const polls = new Map<string, number>();
  const mostPolls = async () => {
    for (const { method, url } of await azure.traffic()) {
      if (method === "GET" && polled.test(url)) polls.set(url, (polls.get(url) ?? 0) + 1);
    }
    return Math.max(0, ...polls.values());
  };
  await expect.poll(mostPolls, patience).toBeGreaterThan(2);
  await release(azure);
  return exits(await running.ended, 0);
}

test("a second run waits for the operation that a killed run left in flight", async () => {
  const azure = await testEmulator();
  const first = await createInFlight(azure);
  first.process.kill("SIGKILL");
  await first.ended;
  expect((await azure.snapshot()).operations.length).toBeGreaterThan(0);
  const { stderr } = await waitsForHeld(azure, create, /privateDnsZones\/[^/?]+\?/);
  expect(stderr).toMatch(/in flight/);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("two concurrent creates of one cluster both succeed, with the state of one", async () => {
  const azure = await testEmulator();
  await Promise.all([run(azure, create, 0, brisk), run(azure, create, 0, brisk)]);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

const stops = [
  { title: "Ctrl-C", signals: ["SIGINT"], exit: 130, code: "ARO-RUN-004" },
  { title: "SIGTERM", signals: ["SIGTERM"], exit: 143, code: "ARO-RUN-005" },
] as const;

test.each(stops)("$title exits with $exit and lists what is in flight, and a rerun completes it", async ({ signals, exit, code }) => {
  const azure = await testEmulator();
  const running = await createInFlight(azure);
  for (const signal of signals) running.process.kill(signal);
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(exit);
  expect(ended.stderr).toContain("press Ctrl-C again to exit immediately");
  expect(ended.stderr).toContain(`[${code}]`);
  expect(ended.stderr).toMatch(/in flight +.*private DNS zone/);
  await release(azure);
  await run(azure, create, 0, brisk);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("Ctrl-C while create reads Azure exits with 130, and nothing is written", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const running = await azure.start(create, { faults: [{ method: "GET", path: "/dnszones$", delay: 600 }] });
  await expect.poll(async () => (await azure.traffic()).length, patience).toBeGreaterThan(1);
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain("[ARO-RUN-004]");
  expect(await azure.snapshot()).toEqual(before);
});

test("Ctrl-C twice exits immediately, and a rerun completes it", async () => {
  const azure = await testEmulator();
  const running = await createInFlight(azure);
  running.process.kill("SIGINT");
  running.process.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  await release(azure);
  await run(azure, create, 0, brisk);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("a run that times out exits with 1 and lists what is in flight, and a rerun completes it", async () => {
  const azure = await testEmulator();
  const stderr = await timedOut(azure);
  expect(stderr).toContain("[ARO-RUN-001]");
  expect(stderr).toMatch(/timed out after \d+/);
  await release(azure);
  await run(azure, create, 0, brisk);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

/** The output of a run that timed out while the zone was in flight. On a busy machine, that may take more than three seconds. */
async function timedOut(azure: TestEmulator): Promise<string> {
  for (const seconds of [3, 9, 27, 81]) {
    const running = await azure.start([...create, "--timeout", `${String(seconds)}s`], slow);
    await zoneHeld(azure, running);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(1);
    if (/in flight +.*private DNS zone/.test(stderr)) return stderr;
  }
  throw new Error("no run wrote the zone before it timed out");
}

async function zoneHeld(azure: TestEmulator, { process }: RunningCli): Promise<void> {
  while (process.exitCode === null && !(await zoneStarted(azure))) await new Promise((resolve) => setTimeout(resolve, 50));
  await hold(azure);
}

/** Three empty groups whose deletion continues until `release` after its client was killed. */
async function groupsBeingDeleted(azure: TestEmulator): Promise<void> {
  const refused = { times: 100, answer: recorded.disallowedByPolicy };
  await run(azure, create, 5, { faults: [put.nsg, put.address, put.zone].map((write) => ({ ...write, ...refused })) });
  const destroying = await azure.start(destroy, slow);
  const started = async () =>
    (await azure.traffic()).some(({ method, url }) => method === "DELETE" && /resourcegroups\/[^/?]+\?/i.test(url));
  await expect.poll(started, patience).toBe(true);
  await hold(azure);
  destroying.process.kill("SIGKILL");
  await destroying.ended;
}

test("create waits for a group that is being deleted, then recreates it", async () => {
  const azure = await testEmulator();
  await groupsBeingDeleted(azure);
  const { stderr } = await waitsForHeld(azure, create, /resourcegroups\/[^/?]+\?/i);
  expect(stderr).toMatch(/in flight.*Deleting/);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("destroy waits for a group that an earlier destroy is deleting", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await groupsBeingDeleted(azure);
  const { stderr } = await waitsForHeld(azure, destroy, /resourcegroups\/[^/?]+\?/i);
  expect(stderr).toContain("an earlier deletion is in progress");
  expect(await azure.snapshot()).toEqual(before);
});
