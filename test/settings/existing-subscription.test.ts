import { expect, test } from "vitest";
import { requireExistingInSubscription } from "../../src/settings/existing-subscription.js";
import { create, nsgId, problemsOf, subnetId, subscription } from "./resolving.js";

test("existing resources must be in the subscription of the credentials; each one that is not is reported", async () => {
  const resolved = await create({ subnetId, networkSecurityGroupId: nsgId });
  expect(() => requireExistingInSubscription(resolved, subscription.toUpperCase())).not.toThrow();
  const elsewhere = Promise.resolve().then(() => requireExistingInSubscription(resolved, "22222222-2222-2222-2222-222222222222"));
  expect((await problemsOf(elsewhere)).map(({ origin }) => origin)).toEqual(["--subnet-id", "--network-security-group-id"]);
});

test("without existing resources, any subscription is valid", async () => {
  const resolved = await create();
  expect(() => requireExistingInSubscription(resolved, subscription)).not.toThrow();
});
