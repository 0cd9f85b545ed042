/** `local reset` and `local seed` say what they did; what they cannot work with is told as what it is: given wrong, or a folder that will not do. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reset, seed, serve, status } from "../../src/cli/commands/local.js";
import { fakeProcess } from "../harness/cli.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aro-hcp-test-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const processOf = (env: Readonly<Record<string, string>> = {}) =>
  fakeProcess([], { env: { ARO_HCP_LOCAL_DIR: join(folder, "world"), ...env } });
const state = (directory = join(folder, "world")) => processOf({ ARO_HCP_LOCAL_DIR: directory }).port;

async function fileOf(name: string, document: unknown): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(document));
  return join(folder, name);
}

test("reset and seed say in a line what they did", async () => {
  const file = await fileOf("seed.json", { knobs: { pageSize: 2 } });
  const seeding = processOf();
  expect(await seed(file, seeding.port)).toBe(0);
  expect(seeding.stderr()).toBe(`added what ${file} holds to the world in ${join(folder, "world")}\n`);
  const resetting = processOf();
  expect(await reset(resetting.port)).toBe(0);
  expect(resetting.stderr()).toBe(`the world in ${join(folder, "world")} is a fresh one\n`);
});

test("a bad seed document, setting or port is wrong usage", async () => {
  const given = { code: "ARO-LOCAL-002" };
  await expect(seed(await fileOf("bad.json", { knob: {} }), state())).rejects.toMatchObject(given);
  const nowhere = { resources: { "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/a": { location: "nowhere" } } };
  await expect(seed(await fileOf("refused.json", nowhere), state())).rejects.toMatchObject(given);
  await expect(serve({}, processOf({ ARO_HCP_LOCAL_LATENCY: "slow" }).port)).rejects.toMatchObject(given);
  const record = join(folder, "nowhere", "traffic.ndjson");
  await expect(serve({}, processOf({ ARO_HCP_LOCAL_RECORD: record }).port)).rejects.toMatchObject(given);
});

test("a folder in which no world can be kept is named, with why", async () => {
  const file = await fileOf("a-file", {});
  await expect(status("text", state(join(file, "world")))).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: `the emulator cannot keep its world in ${join(file, "world")}: ENOTDIR`,
  });
  await expect(serve({}, state(join(file, "world")))).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: expect.stringContaining("ENOTDIR") as unknown,
  });
});

test.skipIf(process.platform !== "linux")("a folder beneath /proc is refused, not tried for ever", async () => {
  await expect(status("text", state("/proc/nowhere/world"))).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: "the emulator cannot keep its world in /proc/nowhere/world: ENOENT",
  });
});
