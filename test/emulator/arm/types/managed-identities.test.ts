import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription } from "../arm-state.js";

let arm: ArmState;
let group: string;
const identityIn = (id: string, name = "disk"): string => `${id}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const credentialIn = (identity: string, name: string): string => `${identity}/federatedIdentityCredentials/${name}`;
const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });
const location = "eastus";

function credential(subject: string, changes: Readonly<Record<string, unknown>> = {}): unknown {
  return { properties: { issuer: "https://issuer.example.com/demo", subject, audiences: ["openshift"], ...changes } };
}

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
});

test("an identity gets IDs of its own and keeps them when it is written again", () => {
  const id = identityIn(group);
  const made = arm.put(id, { location, tags: { a: "1" } });
  const lowered = id.replace("resourceGroups", "resourcegroups");
  expect(made).toMatchObject({
    status: 201,
    body: { id: lowered, location, tags: { a: "1" }, properties: { tenantId: arm.state.tenantId } },
  });
  const { properties } = made.body as { properties: { principalId: string; clientId: string } };
  expect(properties.principalId).not.toBe(properties.clientId);
  expect(arm.put(id, { location, tags: { b: "2" } })).toMatchObject({ status: 200, body: { tags: { b: "2" }, properties } });
  expect(arm.send("PATCH", id, { tags: { c: "3" } })).toMatchObject({ status: 200, body: { tags: { c: "3" }, properties } });
});

test("a new identity without tags answers an empty object and its own URL, and a missing credential has the words of its provider", () => {
  const id = identityIn(group);
  const lowered = id.replace("resourceGroups", "resourcegroups");
  const Location = `https://management.azure.com${lowered}`;
  expect(arm.put(id, { location })).toMatchObject({ status: 201, headers: { Location }, body: { tags: {} } });
  const again = arm.put(id, { location });
  expect(again).toMatchObject({ status: 200, body: { tags: {} } });
  expect(again.headers).not.toHaveProperty("Location");
  const made = arm.put(credentialIn(id, "operator"), credential("s"));
  expect(made.headers).toEqual({ Location: `${Location}/federatedIdentityCredentials/operator` });
  const message = `Resource '${lowered}/federatedIdentityCredentials/other' was not found.`;
  expect(arm.get(credentialIn(id, "other"))).toEqual({ status: 404, headers: {}, body: { error: { code: "NotFound", message } } });
});

test("a third write of identities within a second is throttled, and accepted after the second", () => {
  arm.seconds = { read: 0.1, "identity.put": 2 };
  expect(arm.put(identityIn(group, "one"), { location }).status).toBe(201);
  expect(arm.put(identityIn(group, "two"), { location }).status).toBe(201);
  const refused = arm.put(identityIn(group, "three"), { location });
  expect(refused).toMatchObject({ ...refusal("429", 429), headers: { "Retry-After": "2" } });
  arm.pass(1);
  expect(arm.put(identityIn(group, "three"), { location }).status).toBe(201);
});

test("credentials are created, read, listed, changed and deleted, and are deleted with their identity", () => {
  const identity = identityIn(group);
  arm.put(identity, { location });
  const id = credentialIn(identity, "operator");
  expect(arm.get(id)).toMatchObject(refusal("NotFound", 404));
  expect(arm.put(id, credential("system:serviceaccount:a:b"))).toMatchObject({
    status: 201,
    body: { id: id.replace("resourceGroups", "resourcegroups"), properties: { audiences: ["openshift"] } },
  });
  expect(arm.put(id, credential("system:serviceaccount:a:c")).status).toBe(200);
  expect(arm.get(id).body).toMatchObject({ properties: { subject: "system:serviceaccount:a:c" } });
  expect(arm.get(`${identity}/federatedIdentityCredentials`).body).toMatchObject({ value: [{ name: "operator" }] });
  expect(arm.delete(id).status).toBe(200);
  expect(arm.delete(id).status).toBe(204);
  arm.put(id, credential("system:serviceaccount:a:b"));
  expect(arm.delete(identity).status).toBe(200);
  expect(arm.delete(id)).toMatchObject(refusal("ParentResourceNotFound", 404));
  expect(Object.keys(arm.state.resources).filter((key) => key.includes("federated"))).toEqual([]);
});

test("a write of a credential is refused during another write of the same identity, but not of another one", () => {
  const [identity, other] = [identityIn(group), identityIn(group, "file")];
  arm.put(identity, { location });
  arm.put(other, { location });
  arm.seconds = { "fic.put": 2 };
  expect(arm.put(credentialIn(identity, "one"), credential("s1")).status).toBe(201);
  const code = "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity";
  const message =
    `Too many Federated Identity Credentials are written concurrently for the managed identity '${identity.toLowerCase()}'. ` +
    "Concurrent Federated Identity Credentials writes under the same managed identity are not supported.";
  expect(arm.put(credentialIn(identity, "two"), credential("s2"))).toMatchObject({ status: 409, body: { error: { code, message } } });
  expect(arm.delete(credentialIn(identity, "one"))).toMatchObject(refusal(code, 409));
  expect(arm.put(credentialIn(other, "two"), credential("s2")).status).toBe(201);
  arm.pass(2);
  expect(arm.delete(credentialIn(identity, "one")).status).toBe(200);
  expect(arm.put(credentialIn(identity, "two"), credential("s2"))).toMatchObject(refusal(code, 409));
});

test.each([
  ["two audiences", { audiences: ["a", "b"] }, "Federated identity credentials must have exactly one audience."],
  ["an issuer without TLS", { issuer: "http://issuer.example.com" }, "HTTPS"],
  ["an empty subject", { subject: "" }, "must specify 'issuer', 'subject' and 'audience'"],
])("a credential with %s is refused", (_what, changes, words) => {
  const identity = identityIn(group);
  arm.put(identity, { location });
  const refused = arm.put(credentialIn(identity, "operator"), credential("s", changes));
  expect(refused).toMatchObject(refusal("BadRequest"));
  expect(JSON.stringify(refused.body)).toContain(words);
});

test("an issuer and subject belong to one credential only, and an identity has at most twenty", () => {
  const identity = identityIn(group);
  arm.put(identity, { location });
  for (let n = 1; n <= 20; n++) expect(arm.put(credentialIn(identity, `fic-${String(n)}`), credential(`s${String(n)}`)).status).toBe(201);
  const twice = arm.put(credentialIn(identity, "fic-20"), credential("s1"));
  expect(JSON.stringify(twice.body)).toContain("Issuer and subject combination already exists for this Managed Identity.");
  expect(arm.put(credentialIn(identity, "fic-21"), credential("s21"))).toMatchObject(refusal("BadRequest"));
  expect(arm.put(credentialIn(identity, "fic-20"), credential("s21")).status).toBe(200);
});

test("names of credentials have 3 to 120 characters", () => {
  const identity = identityIn(group);
  arm.put(identity, { location });
  const put = (name: string) => arm.put(credentialIn(identity, name), credential("s"), { unrecorded: true });
  expect(put("ab")).toMatchObject(refusal("InvalidResourceName"));
  expect(put("a".repeat(121))).toMatchObject(refusal("InvalidResourceName"));
  expect(put("-abc")).toMatchObject(refusal("InvalidResourceName"));
  expect(put("a".repeat(120)).status).toBe(201);
});

test("with a lagging directory, a new identity accepts credentials only after a while", () => {
  arm.state.knobs = { identityLagSeconds: 10 };
  const identity = identityIn(group);
  arm.put(identity, { location });
  expect(arm.put(credentialIn(identity, "operator"), credential("s"))).toMatchObject(refusal("ParentResourceNotFound", 404));
  arm.pass(10);
  expect(arm.put(credentialIn(identity, "operator"), credential("s")).status).toBe(201);
});

test("a credential under no identity is refused with its parent's name", () => {
  const refused = arm.put(credentialIn(identityIn(group, "none"), "operator"), credential("s"));
  expect(refused).toMatchObject(refusal("ParentResourceNotFound", 404));
  expect(JSON.stringify(refused.body)).toContain(`${subscription}/resourceGroups/demo`);
});
