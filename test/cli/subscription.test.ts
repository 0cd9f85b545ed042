import { expect, test } from "vitest";
import { subscriptionOf } from "../../src/cli/subscription.js";

const id = (digit: number) => `${"0".repeat(8)}-0000-0000-0000-${String(digit).repeat(12)}`;
const sources = { setting: id(1), credentials: id(2), document: id(3), variable: id(4) } as const;

test("the subscription is that of flag or setting, of the credentials, of the infra document, of the environment, in this order", () => {
  const { setting, credentials, document, variable } = sources;
  expect(subscriptionOf({ setting, credentials, document, variable })).toBe(setting);
  expect(subscriptionOf({ credentials, document, variable })).toBe(credentials);
  expect(subscriptionOf({ document, variable })).toBe(document);
  expect(subscriptionOf({ variable })).toBe(variable);
});

test("none is refused, and a variable that holds none", () => {
  expect(() => subscriptionOf({})).toThrow("no subscription is given");
  expect(() => subscriptionOf({ variable: "" })).toThrow("no subscription is given");
  expect(() => subscriptionOf({ variable: "mine" })).toThrow("AZURE_SUBSCRIPTION_ID is not a UUID");
  expect(subscriptionOf({ setting: id(1), variable: "mine" })).toBe(id(1));
});
