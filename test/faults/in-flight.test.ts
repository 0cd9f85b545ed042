/** Concurrent runs, stopped runs, and operations that are still in flight: the state is always that of an undisturbed run, and every wait is reported. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { testEmulator, type CliResult, type Exchange, type TestEmulator, type RunningCli } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { create, destroy, put, run, undisturbedState } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

/** Operations take a fiftieth of their recorded time; the slowest, private DNS, takes about a second. */
const recordedTimes = { env: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "50" } };

/** Serves the state on a clock that stands still, so that operations stay in flight until the returned function is called. */
async function holdOperations(azure: TestEmulator): Promise<() => void> {
  let stoppedAt: number | undefined = Date.now();
  await azure.serve({ ...systemClock, now: () => new Date(stoppedAt ?? Date.now()) }, recordedTimes);
  return () => {
    stoppedAt = undefined;
  };
}

/** Whether the write of the private zone, which takes longest, has started. */
const zoneStarted = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ method, url }) => method === "PUT" && /privateDnsZones\/[^/?]+\?/.test(url));

/** Starts a create whose private zone is in flight until `release`. */
async function createInFlight(azure: TestEmulator): Promise<{ readonly running: RunningCli; readonly release: () => void }> {
  const release = await holdOperations(azure);
  const running = await azure.start(create, recordedTimes);
  await azure.recorded(zoneStarted);
  return { running, release };
}

/** Starts a run that waits for an operation in flight, and releases the operation after several polls. */
async function waitsForHeld(azure: TestEmulator, args: readonly string[], polled: RegExp, release: () => void): Promise<CliResult> {
  await azure.traffic();
  const running = await azure.start(args, recordedTimes);
  await azure.recorded((exchanges) => {
    const polls = exchanges.filter(({ method, url }) => method === "GET" && polled.test(url)).map(({ url }) => url);
    return polls.some((url) => polls.filter((other) => other === url).length > 2);
  });
  release();
  return exits(await running.ended, 0);
}

test("a second run waits for the operation that a killed run left in flight", async () => {
  const azure = await testEmulator();
  const { running, release } = await createInFlight(azure);
  running.process.kill("SIGKILL");
  await running.ended;
  const { stderr } = await waitsForHeld(azure, create, /privateDnsZones\/[^/?]+\?/, release);
  expect(stderr).toMatch(/in flight/);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("two concurrent creates of one cluster both succeed, with the state of one", async () => {
  const azure = await testEmulator();
  await Promise.all([run(azure, create, 0, recordedTimes), run(azure, create, 0, recordedTimes)]);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

const stops = [
  { title: "Ctrl-C", signals: ["SIGINT"], exit: 130, code: "ARO-RUN-004" },
  { title: "SIGTERM", signals: ["SIGTERM"], exit: 143, code: "ARO-RUN-005" },
  { title: "a closed terminal", signals: ["SIGHUP"], exit: 143, code: "ARO-RUN-005" },
] as const;

test.each(stops)("$title exits with $exit and lists what is in flight, and a rerun completes it", async ({ signals, exit, code }) => {
  const azure = await testEmulator();
  const { running, release } = await createInFlight(azure);
  for (const signal of signals) running.process.kill(signal);
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(exit);
  expect(ended.stderr.includes("press Ctrl-C again to exit immediately")).toBe(exit === 130);
  expect(ended.stderr).toContain("stopping");
  expect(ended.stderr).toContain(`[${code}]`);
  expect(ended.stderr).toMatch(/in flight +.*private DNS zone/);
  release();
  await run(azure, create, 0, recordedTimes);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("Ctrl-C while create reads Azure exits with 130, and nothing is written", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const running = await azure.start(create, { faults: [{ method: "GET", path: "/dnszones$", hang: true, times: 100 }] });
  await azure.recorded((exchanges) => exchanges.length > 1);
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain("[ARO-RUN-004]");
  expect(await azure.snapshot()).toEqual(before);
});

test("a rerun completes what Ctrl-C twice left", async () => {
  const azure = await testEmulator();
  const { running, release } = await createInFlight(azure);
  let stderr = "";
  running.process.stderr.on("data", (text: string) => (stderr += text));
  running.process.kill("SIGINT");
  // Two signals of one kind that arrive together are one signal.
  await expect.poll(() => stderr).toContain("stopping");
  running.process.kill("SIGINT");
  // The run ends in some milliseconds, so it may end by itself before the second signal. second-signal.test.ts has a run that cannot.
  expect([130, "SIGINT"]).toContain((await running.ended).code);
  release();
  await run(azure, create, 0, recordedTimes);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("a run that times out exits with 1 and lists what is in flight, and a rerun completes it", async () => {
  const azure = await testEmulator();
  const release = await holdOperations(azure);
  const stderr = await timedOut(azure);
  expect(stderr).toContain("[ARO-RUN-001]");
  expect(stderr).toMatch(/timed out after \d+/);
  release();
  await run(azure, create, 0, recordedTimes);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

/** The output of a run that timed out while the zone was in flight. On a busy machine, that may take more than three seconds. */
async function timedOut(azure: TestEmulator): Promise<string> {
  for (const seconds of [3, 9, 27, 81]) {
    const { code, stderr } = await azure.spawn([...create, "--timeout", `${String(seconds)}s`], recordedTimes);
    expect(code, stderr).toBe(1);
    if (/in flight +.*private DNS zone/.test(stderr)) return stderr;
  }
  throw new Error("no run wrote the zone before it timed out");
}

/** Three empty groups whose deletion continues, until the returned function is called, after its client was killed. */
async function groupsBeingDeleted(azure: TestEmulator): Promise<() => void> {
  const refused = { times: 100, answer: recorded.disallowedByPolicy };
  await run(azure, create, 5, { faults: [put.nsg, put.address, put.zone].map((write) => ({ ...write, ...refused })) });
  const release = await holdOperations(azure);
  const destroying = await azure.start(destroy, recordedTimes);
  await azure.recorded((exchanges) => exchanges.some(({ method, url }) => method === "DELETE" && /resourcegroups\/[^/?]+\?/i.test(url)));
  destroying.process.kill("SIGKILL");
  await destroying.ended;
  return release;
}

test("create waits for a group that is being deleted, then recreates it", async () => {
  const azure = await testEmulator();
  const release = await groupsBeingDeleted(azure);
  const { stderr } = await waitsForHeld(azure, create, /resourcegroups\/[^/?]+\?/i, release);
  expect(stderr).toMatch(/in flight.*Deleting/);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("destroy waits for a group that an earlier destroy is deleting", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const release = await groupsBeingDeleted(azure);
  const { stderr } = await waitsForHeld(azure, destroy, /resourcegroups\/[^/?]+\?/i, release);
  expect(stderr).toContain("an earlier deletion is in progress");
  expect(await azure.snapshot()).toEqual(before);
});
