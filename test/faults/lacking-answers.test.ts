/** Answers that lack what the program needs end a run as what they are, never as a fault of the program (exit 70). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSet, group, identityIds, vaultId } from "../identities/cli/identity-sets.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, create, fast, poll, run } from "./fault-runs.js";

let set: TestEmulator;
let vault: string;
beforeAll(async () => {
  set = await testEmulator({ atEnd: afterAll });
  const { code, stderr } = await createSet(set, [], { env: fast });
  expect(code, stderr).toBe(0);
  vault = Object.keys((await set.snapshot()).vaults ?? {})[0] ?? "";
});

const tagged = { tags: { "aro-hcp-identities": "demo" }, location: "eastus" };
const [identity = ""] = identityIds;

test.each<[what: string, path: string, body: () => object]>([
  ["a vault without properties", "/vaults/[^/]+$", () => ({ id: vaultId(vault), name: vault, ...tagged })],
  ["a vault with null properties", "/vaults/[^/]+$", () => ({ id: vaultId(vault), name: vault, ...tagged, properties: null })],
  ["a group without name", "/resourceGroups/common$", () => ({ id: group, ...tagged })],
  ["an identity without properties", "/image-registry-MI-demo$", () => ({ id: identity, name: "image-registry-MI-demo", ...tagged })],
  ["an application without client ID", "/applications\\(", () => ({ id: "x", displayName: "d", tags: [], keyCredentials: [] })],
  ["an application without keys", "/applications\\(", () => ({ id: "x", appId: "a", displayName: "d", tags: [], keyCredentials: null })],
  ["a service principal without client ID", "/servicePrincipals\\(", () => ({ id: "x", appId: null })],
  ["role assignments without principal", "/roleAssignments$", () => ({ value: [{ id: `${group}/x/y`, name: "n", properties: {} }] })],
  [
    "a certificate without dates",
    "^/certificates/demo-cpo-cert/?$",
    () => ({ id: `https://${vault}/certificates/demo-cpo-cert/0`, cer: "AA" }),
  ],
  ["a secret without value", "^/secrets/demo-cpo/?$", () => ({ id: `https://${vault}/secrets/demo-cpo/0`, value: null })],
  ["an empty secret without attributes", "^/secrets/demo-cpo/?$", () => ({ id: `https://${vault}/secrets/demo-cpo/0`, value: "" })],
])("%s is not from Azure", async (_what, path, body) => {
  const azure = await testEmulator({ prepared: set.directory });
  const faults = [{ method: "GET", path, ...always, answer: { status: 200, body: body() } }];
  const { code, stderr } = await createSet(azure, [], { env: fast, faults });
  expect(stderr).toContain("[ARO-NET-003]");
  expect(stderr).not.toMatch(/ARO-BUG|ARO-OWN/);
  expect(code).toBe(1);
});

test("an exported certificate that is empty is named", async () => {
  const azure = await testEmulator();
  const attributes = { enabled: true, created: 1_700_000_000 };
  const body = { id: `https://${vault}/secrets/demo-cpo-cert/0`, value: "", attributes };
  const faults = [{ method: "GET", path: "^/secrets/demo-cpo-cert/", ...always, answer: { status: 200, body } }];
  const { code, stderr } = await createSet(azure, [], { env: fast, faults });
  expect(stderr).toContain('certificate "demo-cpo-cert" is not exported as PEM with its key  [ARO-OWN-002]');
  expect(code).not.toBe(70);
});

test.each([
  ["numbers for code and message", { code: 5, message: 5 }],
  ["no error", undefined],
])("an operation that failed with %s is an error of Azure", async (_what, error) => {
  const azure = await testEmulator();
  const faults = [{ ...poll.network, ...always, answer: { status: 200, body: { status: "Failed", error } } }];
  const { stderr } = await run(azure, create, 1, { faults });
  expect(stderr).toContain("[ARO-AZURE-001]");
});
