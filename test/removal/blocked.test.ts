/** When a destroy reads what may block it. */
import { expect, test, vi } from "vitest";
import { blockedRemoval, blocksReader } from "../../src/removal/blocked.js";
import { listingAzure } from "../harness/connected-azure.js";

test("locks and deny assignments are requested before it is known what is deleted, and once", async () => {
  const { azure, listed: asked } = await listingAzure();
  const subscription = `/subscriptions/${azure.connection.subscriptionId}`;
  const blocksOf = blocksReader(azure);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const said: string[] = [];
  expect(await blockedRemoval(azure, blocksOf, [`${subscription}/resourceGroups/g`], (text) => said.push(text))).toBeUndefined();
  expect(asked.toSorted()).toEqual(["denyAssignments", "locks"].map((type) => `${subscription}/providers/Microsoft.Authorization/${type}`));
  expect(said).toEqual([]);
});
