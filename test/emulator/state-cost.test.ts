/** What a request costs does not depend on how much there is: it reads as much of a large state as of a small one. */
import { expect, test, vi } from "vitest";
import { freshState } from "../../src/emulator/state/seed.js";
import { StateStore } from "../../src/emulator/state/store.js";
import { fillState, requestsOf, senderTo } from "../../tools/many-resources.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

/** How many members of the state each request reads: a draft reads each through Reflect. */
async function readsWith(count: number): Promise<Record<string, number>> {
  const store = StateStore.open(temporaryDirectory().path, () => freshState("secret"));
  const send = await senderTo(store);
  await fillState(store, send, count);
  const reads = [vi.spyOn(Reflect, "get"), vi.spyOn(Reflect, "getOwnPropertyDescriptor")];
  const found: Record<string, number> = {};
  for (const [name, requests] of Object.entries(requestsOf())) {
    const before = reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const request of requests) await send(request);
    found[name] = reads.reduce((sum, { mock }) => sum + mock.calls.length, 0) - before;
  }
  vi.restoreAllMocks();
  return found;
}

test("a request reads no more of a state with many resources than of one with few", async () => {
  const few = await readsWith(100);
  const many = await readsWith(2000);
  expect(Object.values(few).every((reads) => reads > 5)).toBe(true);
  const grown = Object.entries(many).filter(([name, reads]) => reads > 1.2 * (few[name] ?? 0));
  expect(grown.map(([name, reads]) => `${name}: ${String(few[name])} to ${String(reads)}`)).toEqual([]);
});
