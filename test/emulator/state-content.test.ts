/** Content beside the state document: there for every committed state that names it, and gone with the last. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resetState, stateSnapshot } from "../../src/emulator/index.js";
import { freshState } from "../../src/emulator/state/seed.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import { StateStore } from "../../src/emulator/state/store.js";
import { containerThrough, openStorage } from "./blob/storage.js";
import { openLocalServer } from "./local-server.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const open = (directory: string, compactAfter?: number): StateStore => StateStore.open(directory, () => freshState("secret"), compactAfter);
const content = Buffer.from("content");
const filesOf = (directory: string): string[] => {
  const folder = join(directory, "state", "content");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
/** Any member of the document that holds the name of a file. */
const keep = (state: AzureState, name: string | undefined): void => {
  if (name === undefined) delete state.knobs;
  else state.knobs = { missingRoles: [name] };
};
const kept = (state: AzureState): string => state.knobs?.missingRoles?.[0] ?? "";

function write(store: StateStore, commit = true): Promise<string> {
  return store.transact((state) => {
    const name = store.content.write(content);
    keep(state, name);
    return { value: name, commit };
  });
}

const read = (store: StateStore): Promise<string> =>
  store.transact((state) => ({ value: store.content.read(kept(state), 0, content.length).toString(), commit: false }));

test("content that a commit names stays, and goes when a later commit names it no more", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  const first = await write(store);
  expect(filesOf(directory)).toEqual([first]);
  expect(await read(open(directory))).toBe("content");
  const second = await write(store);
  expect(filesOf(directory)).toEqual([second]);
  await store.transact((state) => {
    keep(state, undefined);
    return { value: undefined, commit: true };
  });
  expect(filesOf(directory)).toEqual([]);
});

test("what a transaction wrote that did not commit is removed", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  const name = await write(store);
  await write(store, false);
  const refused = store.transact(() => {
    store.content.write(content);
    throw new Error("refused");
  });
  await expect(refused).rejects.toThrow("refused");
  expect(filesOf(directory)).toEqual([name]);
});

test("what a killed process wrote is removed when the next epoch begins", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory, 3000);
  const name = await write(store);
  writeFileSync(join(directory, "state", "content", "content-of-the-dead"), "");
  await expect
    .poll(async () => {
      await store.transact((state) => ({ value: ++state.samples, commit: true }));
      return filesOf(directory);
    })
    .toEqual([name]);
});

test("a writer whose file another process removed has written it again by the time it commits", async () => {
  const directory = temporaryDirectory().path;
  const [slow, fast] = [open(directory), open(directory)];
  let runs = 0;
  const name = await slow.transact(async (state) => {
    const written = slow.content.write(content);
    if (++runs === 1) await fast.transact((other) => ({ value: ++other.samples, commit: true }));
    keep(state, written);
    return { value: written, commit: true };
  });
  expect(runs).toBe(2);
  expect(filesOf(directory)).toEqual([name]);
  expect(await read(slow)).toBe("content");
});

test("a reader whose content a commit removed meanwhile reads the newer state", async () => {
  const directory = temporaryDirectory().path;
  const [slow, fast] = [open(directory), open(directory)];
  await write(slow);
  let runs = 0;
  const value = await slow.transact(async (state) => {
    if (++runs === 1) await write(fast);
    return { value: slow.content.read(kept(state), 3, 4).toString(), commit: false };
  });
  expect([value, runs]).toEqual(["tent", 2]);
});

test("content that somebody else removed is an error that says what to do", async () => {
  const directory = temporaryDirectory().path;
  const store = open(directory);
  rmSync(join(directory, "state", "content", await write(store)));
  await expect(read(store)).rejects.toThrow(/is missing$/);
});

test("large blobs leave one file each, the same snapshot for the same content, and nothing after a reset", async () => {
  const large = Buffer.alloc(100_000, "x");
  const snapshots = await Promise.all(
    [1, 2].map(async (uploads) => {
      const { container, server } = await openStorage();
      for (let i = 0; i < uploads; i++) await container.getBlockBlobClient("large").uploadData(large);
      expect(filesOf(server.directory)).toHaveLength(1);
      await container.getBlockBlobClient("blocks").uploadData(large, { maxSingleShotSize: 1, blockSize: 80_000 });
      const snapshot = await stateSnapshot(server.directory);
      const other = await openLocalServer({ directory: server.directory });
      expect((await containerThrough(other).getBlobClient("large").downloadToBuffer()).equals(large)).toBe(true);
      resetState(server.directory);
      expect(filesOf(server.directory)).toEqual([]);
      return snapshot.resources;
    }),
  );
  expect(snapshots[0]).toEqual(snapshots[1]);
  expect(JSON.stringify(snapshots[0])).toContain('"size":100000');
});
