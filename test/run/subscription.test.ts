import { expect, test } from "vitest";
import { subscriptionOf } from "../../src/run/subscription.js";

const id = (digit: number) => `${"0".repeat(8)}-0000-0000-0000-${String(digit).repeat(12)}`;
const setting = id(1);
const credentials = { id: id(2), file: "creds.json" };
const document = { id: id(3), file: "infra.json" };
const variable = id(4);

test("the subscription comes from a flag or setting, a file, or the environment, in this order", () => {
  expect(subscriptionOf({ setting, credentials, document, variable })).toBe(setting);
  expect(subscriptionOf({ credentials, variable })).toBe(credentials.id);
  expect(subscriptionOf({ document, variable })).toBe(document.id);
  expect(subscriptionOf({ variable })).toBe(variable);
});

test("a missing subscription is refused, and so is an invalid variable", () => {
  expect(() => subscriptionOf({})).toThrow("no subscription specified");
  expect(() => subscriptionOf({ variable: "" })).toThrow("no subscription specified");
  expect(() => subscriptionOf({ variable: "mine" })).toThrow("AZURE_SUBSCRIPTION_ID is not a UUID");
  expect(subscriptionOf({ setting: id(1), variable: "mine" })).toBe(id(1));
});

test("two files with different subscriptions are refused, with both listed, unless a setting decides", () => {
  const refusal = expect.objectContaining({
    code: "ARO-USAGE-001",
    problems: [
      { origin: "creds.json", message: `is for subscription "${credentials.id}"` },
      { origin: "infra.json", message: `belongs to a cluster in subscription "${document.id}"` },
    ],
  });
  expect(() => subscriptionOf({ credentials, document })).toThrow(refusal);
  const agreed = { id: "AB000000-0000-0000-0000-000000000000", file: "creds.json" };
  expect(subscriptionOf({ credentials: agreed, document: { ...document, id: agreed.id.toLowerCase() } })).toBe(agreed.id);
});
