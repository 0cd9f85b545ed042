/** Epochs of the state on disk: their ends, their damage, and several stores on one directory. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EmulatorStateError } from "../../src/emulator/common/emulator-error.js";
import { Epochs } from "../../src/emulator/state/epochs.js";
import { freshState } from "../../src/emulator/state/seed.js";
import { logOperation, operationsFrom } from "../../src/emulator/state/operation-log.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import { StateStore } from "../../src/emulator/state/store.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const open = (directory: string, compactAfter?: number): StateStore => StateStore.open(directory, () => freshState("secret"), compactAfter);
const stateOf = (store: StateStore): Promise<AzureState> => store.transact((state) => ({ value: state, commit: false }));
const increment = (store: StateStore): Promise<number> => store.transact((state) => ({ value: ++state.samples, commit: true }));
const samples = async (store: StateStore): Promise<number> => (await stateOf(store)).samples;
const epochsOf = (directory: string): Epochs => new Epochs(join(directory, "state"));
/** `epoch` in `name` stands for the newest epoch. */
const fileOf = (directory: string, name: string): string =>
  join(directory, "state", name.replace(/^epoch\b/, `epoch-${String(epochsOf(directory).newest())}`));
/** As another process would seal the epoch that the store wrote `deltas` deltas to. */
const seal = (directory: string, deltas: number, epoch = epochsOf(directory).newest()!): boolean =>
  epochsOf(directory).commit(epoch, deltas + 1, JSON.stringify({ changes: [], seals: true }));

test("stores on one directory agree, whatever commits, is refused or begins an epoch between their steps", async () => {
  const step = fc.record({
    store: fc.nat(2),
    kind: fc.constantFrom("commit", "commit", "commit", "drop", "throw", "read", "reopen"),
    pauses: fc.nat(3),
    size: fc.nat(400),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const directory = temporaryDirectory().path;
      const stores = [0, 1, 2].map(() => open(directory, 2000));
      const committed: string[] = [];
      const run = async ({ store, kind, pauses, size }: (typeof steps)[number], nth: number): Promise<void> => {
        const resource = `${String(nth)} ${"x".repeat(size)}`;
        const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
        if (kind === "reopen") stores[store] = open(directory, 2000);
        const work = stores[store]!.transact(async (state) => {
          for (let i = 0; i < pauses; i++) await pause();
          if (kind !== "read") logOperation(state, { resource, verb: "PUT", seconds: 0 });
          delete state.operations[String(nth - 3)];
          state.operations[String(nth)] = { id: resource } as AzureState["operations"][string];
          for (let i = 0; i < pauses; i++) await pause();
          if (kind === "throw") throw new Error("refused");
          return { value: undefined, commit: kind === "commit" };
        });
        await work.then(
          () => kind === "commit" && committed.push(resource),
          () => undefined,
        );
      };
      await Promise.all(steps.map(run));
      const states = await Promise.all([...stores, open(directory)].map(stateOf));
      for (const state of states) expect(state).toEqual(states[3]);
      expect(
        operationsFrom(states[0]!, 0)
          .map(({ resource }) => resource)
          .sort(),
      ).toEqual(committed.sort());
      expect(readdirSync(join(directory, "state"))).toHaveLength(1);
    }),
    { numRuns: 40 },
  );
});

test("an epoch that was sealed by a process that died then has a successor with the same state", async () => {
  const directory = temporaryDirectory().path;
  const [witness, other] = [open(directory), open(directory)];
  for (let i = 0; i < 3; i++) await increment(witness);
  expect(await samples(other)).toBe(3);
  const sealed = epochsOf(directory).newest()!;
  expect(seal(directory, 3)).toBe(true);
  expect(seal(directory, 3)).toBe(false);
  expect(await increment(other)).toBe(4);
  expect(readdirSync(join(directory, "state"))).toEqual([`epoch-${String(sealed + 1)}`]);
  expect(await increment(witness)).toBe(5);
  expect(await samples(open(directory))).toBe(5);
});

test("a publisher that slept cannot bring back an epoch that is over, nor a writer commit to it", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  const epochs = epochsOf(directory);
  const over = epochs.newest()!;
  await increment(store);
  seal(directory, 1);
  await increment(store);
  const stale = JSON.stringify({ ...freshState("secret"), samples: 99 });
  expect(epochs.succeed(over, stale)).toBe(false);
  expect(epochs.commit(over, 1, stale)).toBe(false);
  expect(seal(directory, 1)).toBe(true);
  await increment(store);
  expect(epochs.succeed(over, stale)).toBe(false);
  expect(readdirSync(join(directory, "state"))).toEqual([`epoch-${String(over + 2)}`]);
  expect(await samples(open(directory))).toBe(3);
});

test("a replacement that another process finds sealed is the state that both continue with", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  await increment(store);
  const state = { ...freshState("secret"), samples: 70 };
  epochsOf(directory).commit(epochsOf(directory).newest()!, 2, JSON.stringify({ changes: [], seals: true, state }));
  expect(await increment(store)).toBe(71);
  expect(await samples(open(directory))).toBe(71);
});

test("a value that left its transaction does not change with the state", async () => {
  const store = open(temporaryDirectory().path);
  const sent = { id: "/a", name: "a", type: "t", properties: { list: [1] } };
  const answer = await store.transact((state) => {
    state.resources["/a"] = sent;
    return { value: { body: state.resources["/a"] }, commit: true };
  });
  await store.transact((state) => {
    (state.resources["/a"]!.properties["list"] as number[]).push(2);
    return { value: undefined, commit: true };
  });
  expect(answer.body).toEqual({ id: "/a", name: "a", type: "t", properties: { list: [1] } });
  expect(sent.properties.list).toEqual([1]);
  expect((await stateOf(store)).resources["/a"]?.properties).toEqual({ list: [1, 2] });
});

test("a transaction that changes nothing writes nothing", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  await store.transact((state) => {
    state.knobs = { ...state.knobs, pageSize: 3 };
    delete state.knobs;
    state.subscriptions = state.subscriptions.map((one) => ({ ...one }));
    return { value: undefined, commit: true };
  });
  expect(readdirSync(fileOf(directory, "epoch"))).toEqual(["base.json"]);
});

const base = join("epoch", "base.json");
const [first, second, third] = [1, 2, 3].map((n) => join("epoch", `delta-${String(n)}.json`)) as [string, string, string];
const rewrite = (name: string, change: (text: string) => string) => (directory: string) =>
  writeFileSync(fileOf(directory, name), change(readFileSync(fileOf(directory, name), "utf8")));

test.each<[what: string, damage: (directory: string) => void, named: string, message: RegExp]>([
  ["a truncated base", rewrite(base, (text) => text.slice(0, 100)), base, /is damaged: /],
  ["an empty base", rewrite(base, () => ""), base, /is damaged: /],
  ["a base that is null", rewrite(base, () => "null"), base, /is damaged: /],
  ["a base that is a list", rewrite(base, () => "[]"), base, /is damaged: /],
  [
    "a base of another version",
    rewrite(base, (text) => text.replace('"version":5', '"version":9')),
    base,
    /has version 9, but .* version 5$/,
  ],
  ["a base without a version", rewrite(base, () => "{}"), base, /is damaged: it has no version$/],
  ["a missing base", (directory) => rmSync(fileOf(directory, base)), base, /cannot be read: ENOENT$/],
  [
    "a base that is a folder",
    (directory) => (rmSync(fileOf(directory, base)), mkdirSync(fileOf(directory, base))),
    base,
    /cannot be read: \w+$/,
  ],
  ["a truncated delta", rewrite(second, (text) => text.slice(0, 10)), second, /is damaged: /],
  ["an empty last delta", rewrite(third, () => ""), third, /is damaged: /],
  ["a delta that is null", rewrite(first, () => "null"), first, /is damaged: /],
  ["a delta without changes", rewrite(first, () => "{}"), first, /is damaged: /],
  ["a delta that fits no state", rewrite(first, () => '{"changes":[{"at":["nowhere","a"],"value":1}]}'), first, /is damaged: /],
  ["a delta that is no change", rewrite(first, () => '{"changes":[null]}'), first, /is damaged: /],
  ["a missing delta", (directory) => rmSync(fileOf(directory, second)), second, /cannot be read: ENOENT$/],
  ["no epoch", (directory) => rmSync(fileOf(directory, "epoch"), { recursive: true }), "", /no folder epoch-… has the current state$/],
  [
    "a state of version 2",
    (directory) => {
      renameSync(fileOf(directory, base), fileOf(directory, "state-7-id.json"));
      rmSync(fileOf(directory, "epoch"), { recursive: true });
      writeFileSync(fileOf(directory, "head-7-id"), "");
    },
    "",
    /has version 2, but this program reads version 5$/,
  ],
])("%s is an error of the state that names it, and a replacement takes its place", async (_, damage, named, message) => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  for (let i = 0; i < 3; i++) await increment(store);
  const place = fileOf(directory, named);
  damage(directory);
  const refusal: unknown = await samples(open(directory)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EmulatorStateError);
  expect(String(refusal)).toMatch(message);
  expect(String(refusal)).toContain(place);
  open(directory).replace({ ...freshState("secret"), samples: 20 });
  expect(await samples(open(directory))).toBe(20);
  expect(await increment(store)).toBe(21);
  expect(existsSync(fileOf(directory, "head-7-id"))).toBe(false);
  expect(readdirSync(join(directory, "state"))).toHaveLength(1);
});

test("a damaged epoch that is sealed is replaced too", async () => {
  const directory = temporaryDirectory().path;
  await increment(open(directory));
  seal(directory, 1);
  rewrite(base, () => "")(directory);
  await expect(samples(open(directory))).rejects.toThrow(EmulatorStateError);
  open(directory).replace({ ...freshState("secret"), samples: 20 });
  expect(await samples(open(directory))).toBe(20);
});

test("a store sees that everything was deleted and begun again", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  for (let i = 0; i < 3; i++) await increment(store);
  rmSync(join(directory, "state"), { recursive: true });
  await increment(open(directory));
  expect(await increment(store)).toBe(2);
});
