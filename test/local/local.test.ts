/** The `local` commands: their reports, usage errors, and unusable folders. */
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openState } from "../../src/emulator/open.js";
import { countVersion } from "../../src/emulator/state/answered-versions.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import { run as runEnv } from "../../src/local/env.js";
import * as local from "../../src/local/local.js";
import type { ProcessPort } from "../../src/run/process-port.js";
import { resolve } from "../settings/resolving.js";
import { fakeProcess } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

let folder = "";

beforeEach(() => {
  folder = temporaryDirectory().path;
});

const processOf = (env: Readonly<Record<string, string>> = {}) =>
  fakeProcess([], { env: { ARO_HCP_LOCAL_DIR: join(folder, "azure"), ...env } });
const state = (directory = join(folder, "azure")) => processOf({ ARO_HCP_LOCAL_DIR: directory }).port;

const reset = async (port: ProcessPort) => local.reset(await resolve("local reset", {}), port);
const seed = async (file: string, port: ProcessPort) => local.seed(await resolve("local seed", {}), port, file);
const serve = async (port: ProcessPort) => local.serve(await resolve("local serve", {}), port);
const env = async (port: ProcessPort) => runEnv(await resolve("local env", {}), port);
const status = async (port: ProcessPort) => local.status(await resolve("local status", {}), port);

async function fileOf(name: string, document: unknown): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(document));
  return join(folder, name);
}

test("reset and seed report in one line what they did", async () => {
  const file = await fileOf("seed.json", { knobs: { pageSize: 2 } });
  const seeding = processOf();
  expect(await seed(file, seeding.port)).toBe(0);
  expect(seeding.stderr()).toBe(`added ${file} to the state in ${join(folder, "azure")}\n`);
  const resetting = processOf();
  expect(await reset(resetting.port)).toBe(0);
  expect(resetting.stderr()).toBe(`reset the state in ${join(folder, "azure")}\n`);
});

test("local env without a server names the directory and the command that starts one", async () => {
  await expect(env(state())).rejects.toMatchObject({
    code: "ARO-LOCAL-003",
    message: `no local serve runs for ${join(folder, "azure")}`,
  });
});

test("status counts in the singular and the plural", async () => {
  const showing = processOf();
  expect(await status(showing.port)).toBe(0);
  expect(showing.stdout()).toMatch(/\n2 resources, 2 role assignments, 1 application\n$/);
});

test("status counts the requests with an api-version that the emulator does not know", async () => {
  const type = "Microsoft.Storage/storageAccounts";
  const count = (known: AzureState) => {
    countVersion(known, { type, version: "2099-01-01", answeredAs: "2025-08-01" });
    return { value: undefined, commit: true };
  };
  const store = openState(join(folder, "azure"));
  await store.transact(count);
  await store.transact(count);
  const showing = processOf();
  expect(await status(showing.port)).toBe(0);
  expect(showing.stdout()).toMatch(/\nTYPE +API VERSION +ANSWERED AS +REQUESTS\n\S+storageAccounts +2099-01-01 +2025-08-01 +2\n/);
});

test("a state of an older version is refused until it is reset", async () => {
  await mkdir(join(folder, "azure", "world"), { recursive: true });
  await writeFile(join(folder, "azure", "world", "head-1-first"), "");
  await expect(status(state())).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: `an older version of this program wrote the state in ${join(folder, "azure")}`,
    next: [expect.anything(), "or keep it and set ARO_HCP_LOCAL_DIR to another directory"],
  });
  expect(await reset(state())).toBe(0);
  expect(await readdir(join(folder, "azure"))).not.toContain("world");
  expect(await status(state())).toBe(0);
});

test("a seed document may be larger than other files", async () => {
  const takenStorageNames = Array.from({ length: 100_000 }, (_, nth) => `taken${String(nth)}`);
  const file = await fileOf("large.json", { knobs: { takenStorageNames } });
  expect((await stat(file)).size).toBeGreaterThan(1024 * 1024);
  expect(await seed(file, state())).toBe(0);
});

test("a bad seed document, setting or port is a usage error", async () => {
  const given = { code: "ARO-LOCAL-002" };
  await expect(seed(await fileOf("bad.json", { knobs: { foo: 1 }, tenants: 1 }), state())).rejects.toMatchObject({
    ...given,
    message: 'the seed document is not valid: knobs: Unrecognized key: "foo"; Unrecognized key: "tenants"',
  });
  const nowhere = { resources: { "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/a": { location: "nowhere" } } };
  await expect(seed(await fileOf("refused.json", nowhere), state())).rejects.toMatchObject(given);
  await expect(serve(processOf({ ARO_HCP_LOCAL_LATENCY: "slow" }).port)).rejects.toMatchObject(given);
  const record = join(folder, "nowhere", "traffic.ndjson");
  await expect(serve(processOf({ ARO_HCP_LOCAL_RECORD: record }).port)).rejects.toMatchObject(given);
});

test("a folder that cannot store the state is reported with the reason", async () => {
  const file = await fileOf("a-file", {});
  await expect(status(state(join(file, "azure")))).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: `the emulator cannot store its state in ${join(file, "azure")}: ENOTDIR`,
  });
  await expect(serve(state(join(file, "azure")))).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: expect.stringContaining("ENOTDIR") as unknown,
  });
});

test.skipIf(process.platform !== "linux")("a folder below /proc is refused, not retried forever", async () => {
  await expect(status(state("/proc/nowhere/state"))).rejects.toMatchObject({
    code: "ARO-LOCAL-001",
    message: "the emulator cannot store its state in /proc/nowhere/state: ENOENT",
  });
});
