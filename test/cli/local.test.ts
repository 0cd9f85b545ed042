/** `local reset` and `local seed` say what they did; what they cannot work with is told as what it is: given wrong, or a folder that will not do. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reset, seed, serve, status } from "../../src/cli/commands/local.js";

let folder = "";
let people = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aro-hcp-test-"));
  people = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((people += String(text)), true));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const state = (directory = join(folder, "world")) => ({ ARO_HCP_LOCAL_DIR: directory });

async function fileOf(name: string, document: unknown): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(document));
  return join(folder, name);
}

test("reset and seed say in a line what they did", async () => {
  const file = await fileOf("seed.json", { knobs: { pageSize: 2 } });
  expect(await seed(file, state())).toBe(0);
  expect(people).toBe(`added what ${file} holds to the world in ${join(folder, "world")}\n`);
  people = "";
  expect(await reset(state())).toBe(0);
  expect(people).toBe(`the world in ${join(folder, "world")} is a fresh one\n`);
});

test("a bad seed document, setting or port is wrong usage", async () => {
  const given = { code: "ARO-LOCAL-002" };
  await expect(seed(await fileOf("bad.json", { knob: {} }), state())).rejects.toMatchObject(given);
  const nowhere = { resources: { "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/a": { location: "nowhere" } } };
  await expect(seed(await fileOf("refused.json", nowhere), state())).rejects.toMatchObject(given);
  await expect(serve({}, { ...state(), ARO_HCP_LOCAL_LATENCY: "slow" })).rejects.toMatchObject(given);
  const record = join(folder, "nowhere", "traffic.ndjson");
  await expect(serve({}, { ...state(), ARO_HCP_LOCAL_RECORD: record })).rejects.toMatchObject(given);
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
