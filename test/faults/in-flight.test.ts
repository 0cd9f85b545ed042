/** Runs that meet each other, that are stopped, and that find Azure still at work: always one world, and no lost word about it. */
import { expect, test } from "vitest";
import { localAzure, type LocalAzure, type RunningCli } from "../harness/local-azure.js";
import { create, destroy, put, run, undisturbedWorld } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

/** Operations take their recorded time, so many times faster. */
const recordedPace = (scale: number) => ({ env: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(scale) } });
/** The slowest, private DNS, takes a second or so. */
const brisk = recordedPace(50);
/** It takes longer than another process needs to start. */
const slow = recordedPace(4);

/** A create that has begun to write the private zone, which takes longest. */
async function inTheMiddle(azure: LocalAzure, pace = brisk): Promise<RunningCli> {
  const running = await azure.start(create, pace);
  const seen = async () => (await azure.traffic()).some(({ method, url }) => method === "PUT" && /privateDnsZones\/[^/?]+\?/.test(url));
  await expect.poll(seen, { timeout: 20_000 }).toBe(true);
  return running;
}

test("a second run waits for what a killed one left in flight", async () => {
  const azure = await localAzure();
  const first = await inTheMiddle(azure, slow);
  first.process.kill("SIGKILL");
  await first.ended;
  expect((await azure.picture()).operations.length).toBeGreaterThan(0);
  const { stderr } = await run(azure, create, 0, brisk);
  expect(stderr).toMatch(/in flight/);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

test("two creates of one cluster at once both end well, in one world", async () => {
  const azure = await localAzure();
  await Promise.all([run(azure, create, 0, brisk), run(azure, create, 0, brisk)]);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
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
  expect(ended.stderr).toContain("once more to leave at once");
  expect(ended.stderr).toContain(`[${code}]`);
  expect(ended.stderr).toMatch(/in flight +.*private DNS zone/);
  await run(azure, create, 0, brisk);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

test("Ctrl-C while Azure is still read ends with 130, and nothing was written", async () => {
  const azure = await localAzure();
  const before = await azure.picture();
  const running = await azure.start(create, { faults: [{ method: "GET", path: "/dnszones$", delay: 600 }] });
  await expect.poll(async () => (await azure.traffic()).length, { timeout: 20_000 }).toBeGreaterThan(1);
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain("[ARO-RUN-004]");
  expect(await azure.picture()).toEqual(before);
});

test("Ctrl-C twice leaves at once, and the same command completes it", async () => {
  const azure = await localAzure();
  const running = await inTheMiddle(azure);
  running.process.kill("SIGINT");
  running.process.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  await run(azure, create, 0, brisk);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

test("a run whose time is up ends with 1, says what is in flight, and the same command completes it", async () => {
  const azure = await localAzure();
  // Real seconds: on this clock the private zone alone takes more.
  const { stderr } = await run(azure, [...create, "--timeout", "3s"], 1, slow);
  expect(stderr).toContain("[ARO-RUN-001]");
  expect(stderr).toMatch(/not done after 3/);
  expect(stderr).toMatch(/in flight +.*private DNS zone/);
  await run(azure, create, 0, brisk);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

/** Three empty groups whose deletion has begun and goes on "in Azure", as its client was killed. */
async function groupsBeingDeleted(azure: LocalAzure): Promise<void> {
  const refused = { times: 100, answer: recorded.disallowedByPolicy };
  await run(azure, create, 5, { faults: [put.nsg, put.address, put.zone].map((write) => ({ ...write, ...refused })) });
  const destroying = await azure.start(destroy, slow);
  const begun = async () => (await azure.traffic()).some(({ method, url }) => method === "DELETE" && /resourcegroups\/[^/?]+\?/i.test(url));
  await expect.poll(begun, { timeout: 20_000 }).toBe(true);
  destroying.process.kill("SIGKILL");
  await destroying.ended;
}

test("a group that is being deleted when it is planned is waited for and made anew", async () => {
  const azure = await localAzure();
  await groupsBeingDeleted(azure);
  const { stderr } = await run(azure, create, 0, brisk);
  expect(stderr).toMatch(/in flight.*Deleting/);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

test("a group that an earlier destroy is deleting is waited for by the next", async () => {
  const azure = await localAzure();
  const before = await azure.picture();
  await groupsBeingDeleted(azure);
  const { stderr } = await run(azure, destroy, 0, brisk);
  expect(stderr).toContain("an earlier deletion is at work on it");
  expect(await azure.picture()).toEqual(before);
});
