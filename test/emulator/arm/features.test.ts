/** Preview features and providers of a subscription: read, registered, unregistered and seeded. */
import { beforeEach, expect, test } from "vitest";
import { applySeed, parseSeedDocument } from "../../../src/emulator/state/seed-document.js";
import { ArmState, subscription } from "./arm-state.js";

const home = `${subscription}/providers/Microsoft.Features`;
const feature = `${home}/providers/Microsoft.Compute/features/EncryptionAtHost`;
const registration = `${home}/featureProviders/microsoft.compute/subscriptionFeatureRegistrations/encryptionathost`;
const options = { apiVersion: "2021-07-01" };
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
let arm: ArmState;

beforeEach(() => {
  arm = new ArmState();
});

function stateOf(id = feature): string {
  return (arm.get(id, options).body as { properties: { state: string } }).properties.state;
}

function named(list: string): string[] {
  return (arm.get(list, options).body as { value: { name: string }[] }).value.map(({ name }) => name);
}

test("a feature is not registered, is being registered when asked, and then is", () => {
  expect(arm.get(feature, options).body).toEqual({
    id: feature,
    name: "Microsoft.Compute/EncryptionAtHost",
    type: "Microsoft.Features/providers/features",
    properties: { state: "NotRegistered" },
  });
  const register = () => arm.send("POST", `${feature}/register`, undefined, options);
  expect(register()).toMatchObject({ status: 200, body: { properties: { state: "Registering" } } });
  expect(stateOf()).toBe("Registered");
  expect(register()).toMatchObject({ status: 200, body: { properties: { state: "Registered" } } });
  expect(arm.send("POST", `${feature}/unregister`, undefined, options)).toMatchObject({ body: { properties: { state: "Unregistering" } } });
  expect(stateOf()).toBe("Unregistered");
});

test("its registration is a resource of its own, whatever the case of its name", () => {
  expect(arm.put(registration, {}, options)).toMatchObject({
    status: 200,
    body: { name: "EncryptionAtHost", properties: { state: "Registered", approvalType: "AutoApproval" } },
  });
  expect([stateOf(), stateOf(registration)]).toEqual(["Registered", "Registered"]);
  expect([arm.delete(registration, options).status, arm.delete(registration, options).status]).toEqual([200, 204]);
  expect(stateOf()).toBe("Unregistered");
});

test("lists have the features of all providers, or of one", () => {
  expect(named(`${home}/features`)).toContain("Microsoft.Network/AllowBringYourOwnPublicIpAddress");
  expect(named(`${home}/providers/Microsoft.Compute/features`)).toEqual(["Microsoft.Compute/EncryptionAtHost"]);
});

test("a seeded feature is there and has its state", () => {
  const features = { "Microsoft.Compute/encryptionAtHost": "Pending", "Microsoft.Storage/Own": "Registered" };
  applySeed(arm.state, parseSeedDocument({ features }), 0);
  expect(stateOf()).toBe("Pending");
  expect(named(`${home}/providers/Microsoft.Storage/features`)).toEqual(["Microsoft.Storage/Own"]);
  expect(() => parseSeedDocument({ features: { Own: "Registered" } })).toThrow("Own");
});

test("an unknown feature, an unknown provider and a caller without the right are refused", () => {
  const unknown = `${home}/providers/Microsoft.Compute/features/Other`;
  expect(arm.get(unknown, options)).toMatchObject({ status: 404, body: { error: { code: "FeatureNotFound" } } });
  expect(arm.get(`${home}/providers/Other/features/Other`, options)).toMatchObject({
    status: 404,
    body: { error: { code: "InvalidResourceNamespace" } },
  });
  const caller = arm.caller("reader", [{ role: reader, scope: subscription }]);
  expect(arm.get(feature, { ...options, caller }).status).toBe(200);
  expect(arm.send("POST", `${feature}/register`, undefined, { ...options, caller })).toMatchObject({
    status: 403,
    body: { error: { code: "AuthorizationFailed" } },
  });
});

test.each(["Microsoft.ContainerService", "Microsoft.Compute", "Microsoft.Network", "Microsoft.ContainerRegistry"])(
  "%s is registered when asked",
  (namespace) => {
    applySeed(arm.state, parseSeedDocument({ providers: { [namespace]: "NotRegistered" } }), 0);
    const provider = `${subscription}/providers/${namespace}`;
    const state = () => arm.get(provider, { apiVersion: "2021-04-01" }).body;
    expect(state()).toMatchObject({ namespace, registrationState: "NotRegistered" });
    expect(arm.send("POST", `${provider}/register`, undefined, { apiVersion: "2021-04-01" }).status).toBe(200);
    expect(state()).toMatchObject({ registrationState: "Registered" });
  },
);
