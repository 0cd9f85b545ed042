import { expect, test } from "vitest";
import { requireSubscription } from "../../src/settings/existing-subscription.js";
import { create, nsgId, problemsOf, subnetId, subscription } from "./resolving.js";

test("what is brought must be in the subscription of the credentials; each thing that is not is named", async () => {
  const resolved = await create({ subnetId, networkSecurityGroupId: nsgId });
  expect(() => requireSubscription(resolved, subscription.toUpperCase())).not.toThrow();
  const elsewhere = Promise.resolve().then(() => requireSubscription(resolved, "22222222-2222-2222-2222-222222222222"));
  expect((await problemsOf(elsewhere)).map(({ origin }) => origin)).toEqual(["--subnet-id", "--network-security-group-id"]);
});

test("without anything brought every subscription will do", async () => {
  const resolved = await create();
  expect(() => requireSubscription(resolved, subscription)).not.toThrow();
});
