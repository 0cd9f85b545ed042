/** When a destroy reads what may block it. */
import { expect, test, vi } from "vitest";
import type { Azure } from "../../src/azure/azure.js";
import { blockedRemoval, blocksReader } from "../../src/removal/blocked.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator } from "../harness/test-emulator.js";

test("locks and deny assignments are requested before it is known what is deleted, and once", async () => {
  const { directory } = await testEmulator();
  const connected = await connectedAzure(directory);
  const manager = await connected.manager();
  const asked: string[] = [];
  const list: typeof manager.list = (path, ...rest) => {
    asked.push(path);
    return manager.list(path, ...rest);
  };
  const azure: Azure = { ...connected, manager: () => Promise.resolve({ ...manager, list }) };
  const subscription = `/subscriptions/${azure.connection.subscriptionId}`;
  const blocksOf = blocksReader(azure);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const said: string[] = [];
  expect(await blockedRemoval(azure, blocksOf, [`${subscription}/resourceGroups/g`], (text) => said.push(text))).toBeUndefined();
  expect(asked.toSorted()).toEqual(["denyAssignments", "locks"].map((type) => `${subscription}/providers/Microsoft.Authorization/${type}`));
  expect(said).toEqual([]);
});
