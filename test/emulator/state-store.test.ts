/** The state on disk: several processes, kills at any moment, nothing lost. */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { freshState } from "../../src/emulator/state/seed.js";
import { StateStore } from "../../src/emulator/state/store.js";
import { programBeside } from "./compiled.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const open = (directory: string, compactAfter?: number): StateStore => StateStore.open(directory, () => freshState("secret"), compactAfter);
const increment = (store: StateStore): Promise<number> => store.transact((state) => ({ value: ++state.samples, commit: true }));
const samples = (store: StateStore): Promise<number> => store.transact((state) => ({ value: state.samples, commit: false }));

test("a writer that slept while others committed many times computes its answer again", async () => {
  const directory = temporaryDirectory().path;
  const sleeper = open(directory);
  const others = open(directory);
  let computed = 0;
  await sleeper.transact(async (state) => {
    if (++computed === 1) for (let i = 0; i < 5; i++) await increment(others);
    state.samples++;
    return { value: undefined, commit: true };
  });
  expect(computed).toBe(2);
  expect(await samples(others)).toBe(6);
});

test("changes are discarded if the transaction does not commit or throws", async () => {
  const store = open(temporaryDirectory().path);
  await store.transact((state) => ({ value: (state.samples = 7), commit: false }));
  await expect(
    store.transact((state) => {
      state.samples = 8;
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  expect(await samples(store)).toBe(0);
});

test("transactions of one process run one after another", async () => {
  const store = open(temporaryDirectory().path);
  await Promise.all(
    Array.from({ length: 20 }, () =>
      store.transact(async (state) => {
        const before = state.samples;
        await new Promise((resolve) => setImmediate(resolve));
        state.samples = before + 1;
        return { value: undefined, commit: true };
      }),
    ),
  );
  expect(await samples(store)).toBe(20);
});

/** All files below it. */
const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name) : [],
  );

test("superseded epochs and drafts are deleted, and no other user can read the rest", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory, 3000);
  for (let i = 0; i < 40; i++) await increment(store);
  const kept = join(directory, "state");
  expect(readdirSync(kept)).toEqual([expect.stringMatching(/^epoch-\d+$/)]);
  const files = filesBelow(kept);
  expect(files.length).toBeLessThan(10);
  expect(files.filter((file) => !/(base|delta-\d+)\.json$/.test(file))).toEqual([]);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
  expect(await samples(open(directory))).toBe(40);
});

test("an open store sees a replaced state", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  await increment(store);
  open(directory).replace({ ...freshState("other"), seed: 42 });
  expect(await store.transact((state) => ({ value: [state.seed, state.samples], commit: false }))).toEqual([42, 0]);
});

test("a state of another version is refused with its number", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  store.replace({ ...freshState("secret"), version: 9 as 5 });
  await expect(samples(store)).rejects.toThrow(/version 9/);
});

/** Source of a process that opens the state, adds entries to its operation log, and notes each one after its commit. */
const writer = `
import { appendFileSync } from "node:fs";
import { StateStore } from "./state/store.js";
const [directory, name, count] = process.argv.slice(2);
const fresh = () => ({
  ...{ version: 5, seed: 1, samples: 0, tenantId: "", subscriptions: [], tokenKey: "" },
  ...{ resources: {}, operations: {}, roleAssignments: {}, applications: {}, operationLog: {}, operationCount: 0 },
});
// A new epoch after every few commits.
const store = StateStore.open(directory, fresh, 6000);
for (let i = 0; i < Number(count); i++) {
  const resource = name + "-" + i;
  await store.transact((state) => {
    state.operationLog[state.operationCount++] = { resource, verb: "PUT", seconds: 0 };
    return { value: undefined, commit: true };
  });
  appendFileSync(directory + "/" + name + ".done", resource + "\\n");
}
`;

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.on("exit", () => resolve()));

test("what several processes committed, some of them killed, exists exactly once", async () => {
  const script = programBeside(writer);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 40, max: 400 }), { minLength: 2, maxLength: 4 }), async (kills) => {
      const directory = temporaryDirectory().path;
      const names = ["steady-a", "steady-b", ...kills.map((_, i) => `killed-${i}`)];
      const children = names.map((name) => fork(script, [directory, name, name.startsWith("steady") ? "60" : "100000"]));
      const exits = children.map(ended);
      kills.forEach((after, i) => setTimeout(() => children[i + 2]?.kill("SIGKILL"), after));
      await Promise.all(exits);
      const operationLog = await open(directory).transact((state) => ({
        value: Object.values(state.operationLog).map((entry) => entry.resource),
        commit: false,
      }));
      const done = names.map((name) => join(directory, `${name}.done`)).filter((file) => existsSync(file));
      const noted = done.flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== ""),
      );
      expect(new Set(operationLog).size).toBe(operationLog.length);
      expect(noted.filter((entry) => !operationLog.includes(entry))).toEqual([]);
      // A killed process may have committed one entry without time to note it.
      expect(operationLog.length - noted.length).toBeLessThanOrEqual(kills.length);
    }),
    { numRuns: 4 },
  );
});
