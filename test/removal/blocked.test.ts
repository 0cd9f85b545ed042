/** When a destroy reads what may block it. */
import { expect, test } from "vitest";
import { blockedRemoval } from "../../src/removal/blocked.js";
import { listingAzure } from "../harness/connected-azure.js";

test("locks and deny assignments are read once, and only of subscriptions in which something is deleted", async () => {
  const { azure, listed: asked } = await listingAzure();
  const subscription = `/subscriptions/${azure.connection.subscriptionId}`;
  const said: string[] = [];
  const block = (...ids: string[]) => blockedRemoval(azure, ids, (text) => said.push(text));
  expect(await block()).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await block(`${subscription}/resourceGroups/g`, `${subscription.toUpperCase()}/resourceGroups/h`)).toBeUndefined();
  expect(asked.toSorted()).toEqual(["denyAssignments", "locks"].map((type) => `${subscription}/providers/Microsoft.Authorization/${type}`));
  expect(said).toEqual([]);
});
