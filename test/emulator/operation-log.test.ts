/** The log of operations has a bound, and a write costs the same before and behind it. */
import { expect, test, vi } from "vitest";
import type { Change } from "../../src/emulator/state/changes.js";
import { MemoryCopy } from "../../src/emulator/state/memory-copy.js";
import { longestLog } from "../../src/emulator/state/operation-log.js";
import { freshState } from "../../src/emulator/state/seed.js";
import { snapshotOf } from "../../src/emulator/state/snapshot.js";
import { StateStore } from "../../src/emulator/state/store.js";
import { wellKnown } from "../../src/emulator/state/well-known.js";
import { senderTo, type Sent } from "../../tools/many-resources.js";

const entry = (nth: number) => ({ resource: String(nth), verb: "PUT", seconds: 0 });

/** An emulator whose log has this many entries, and what its commits changed. */
async function emulatorWith(count: number) {
  const state = freshState("secret");
  for (let nth = 0; nth < count; nth++) state.operationLog[nth] = entry(nth);
  state.operationCount = count;
  const commits: (readonly Change[])[] = [];
  const copy = new MemoryCopy(state, (_, changes) => commits.push(changes));
  const send = await senderTo(StateStore.inMemory(copy));
  return { send, commits, read: () => copy.refresh() };
}

const put: Sent = {
  method: "PUT",
  host: "management.azure.com",
  target: `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo?api-version=2025-04-01`,
  body: { location: "eastus" },
};

test("beyond 10,000 entries, the oldest are dropped", async () => {
  const { send, read } = await emulatorWith(longestLog);
  for (let nth = 0; nth < 3; nth++) await send(put);
  const { operationLog = [] } = snapshotOf(read(), 0, { operationLog: true });
  expect(operationLog).toHaveLength(longestLog);
  expect(operationLog.slice(0, 2)).toEqual([entry(3), entry(4)]);
  expect(operationLog.at(-1)).toMatchObject({ verb: "PUT", request: expect.any(String) });
  expect(Object.keys(read().operationLog)).toHaveLength(longestLog);
});

test("a write that drops an entry reads no more of the log than one that does not, and has one change more", async () => {
  const costOf = async (count: number): Promise<{ reads: number; changes: number }> => {
    const { send, commits } = await emulatorWith(count);
    const spies = [vi.spyOn(Reflect, "get"), vi.spyOn(Reflect, "getOwnPropertyDescriptor")];
    await send(put);
    const reads = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    vi.restoreAllMocks();
    return { reads, changes: commits.flat().length };
  };
  const [few, many] = [await costOf(10), await costOf(longestLog)];
  expect(few.reads).toBeGreaterThan(5);
  expect(many.reads - few.reads).toBeLessThan(5);
  expect(many.changes).toBe(few.changes + 1);
});
