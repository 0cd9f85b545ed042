/** Azure's errors while identities are created: each is retried, waited for, or explained. */
import { expect, test } from "vitest";
import { testEmulator } from "../../harness/test-emulator.js";
import { exits, writesSince } from "../../cli/expectations.js";
import { components, createSet, credentialsOf, destroySet } from "./identity-sets.js";

const arm = (status: number, code: string, message = code) => ({ status, body: { error: { code, message } } });
const noApplication =
  "The appId '11111111-1111-4111-8111-111111111111' of the service principal does not reference a valid application object.";

test("replication lag, throttling and parallel writers are waited for, and nothing is created twice", async () => {
  const azure = await testEmulator();
  const concurrent = "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity";
  const faults = [
    { method: "PATCH", path: "/servicePrincipals\\(", answer: arm(400, "Request_BadRequest", noApplication) },
    { method: "PATCH", path: "/v1.0/applications/[^/]+$", answer: arm(404, "Request_ResourceNotFound") },
    { method: "PUT", path: "/userAssignedIdentities/[^/]+$", answer: { ...arm(429, "429"), headers: { "retry-after": "1" } } },
    { method: "PUT", path: "/federatedIdentityCredentials/", answer: arm(409, concurrent) },
    { method: "PUT", path: "/federatedIdentityCredentials/", nth: 2, answer: arm(404, "ParentResourceNotFound") },
    // The request takes effect but its response is lost. The retry must not create a second object.
    { method: "PATCH", path: "/applications\\(uniqueName", nth: 3, when: "after", reset: true },
    { method: "PUT", path: "/secrets/", nth: 2, when: "after", reset: true },
    // The directory sends Retry-After, the vault does not.
    { method: "POST", path: "^/certificates/[^/]+/create$", nth: 2, answer: arm(429, "Throttled") },
    {
      method: "PATCH",
      path: "/applications\\(uniqueName",
      nth: 5,
      answer: { ...arm(429, "TooManyRequests"), headers: { "retry-after": "1" } },
    },
  ];
  const { stderr } = exits(await createSet(azure, [], { faults }), 0);
  expect(stderr).toContain("the application is not visible everywhere in the directory yet (Request_BadRequest)");
  expect(stderr).toContain("Azure is throttling requests (Throttled)");
  expect(stderr).toContain("Azure is throttling requests (TooManyRequests)");
  expect(stderr).toContain(`another operation on it is in progress (${concurrent})`);
  const made = await credentialsOf(azure);
  expect(Object.keys(made).toSorted()).toEqual([...components].toSorted());
  for (const { keys, certificates } of Object.values(made)) expect({ keys, certificates }).toEqual({ keys: 1, certificates: 1 });
  exits(await createSet(azure), 0);
});

test.each([
  ["the directory's quota", { method: "PATCH", path: "/applications\\(", answer: arm(403, "Directory_QuotaExceeded") }, "ARO-SUB-002"],
  [
    "a vault name that another tenant uses",
    { method: "PUT", path: "/vaults/[^/]+$", answer: arm(409, "VaultAlreadyExists") },
    "ARO-VAULT-002",
  ],
  [
    "a vault name that is not available",
    {
      method: "POST",
      path: "/checkNameAvailability",
      answer: { status: 200, body: { nameAvailable: false, reason: "AlreadyExists", message: "taken" } },
    },
    "ARO-VAULT-002",
  ],
  ["a policy", { method: "PUT", path: "/vaults/[^/]+$", answer: arm(403, "RequestDisallowedByPolicy") }, "ARO-SUB-005"],
  [
    "a vault's firewall",
    {
      path: "^/certificates",
      answer: {
        status: 403,
        body: { error: { code: "Forbidden", message: "Client address is not authorized.", innererror: { code: "ForbiddenByFirewall" } } },
      },
    },
    "ARO-AUTHZ-006",
  ],
])("%s is refused with an explanation", async (_, rule, code) => {
  const azure = await testEmulator();
  const { stderr } = exits(await createSet(azure, [], { faults: [{ ...rule, times: 100 }] }), 5);
  expect(stderr).toContain(`[${code}]`);
});

test.each([
  ["a list of the directory", { host: "graph.microsoft.com", path: "/deletedItems/", answer: { status: 200, body: {} } }],
  ["an HTML page instead of a list", { host: "graph.microsoft.com", path: "", answer: { status: 200, body: "<html>sign in here</html>" } }],
  ["a list of a vault's keys", { path: "/vaults/[^/]+/keys$", answer: { status: 200, body: {} } }],
  ["a list of a vault's secrets", { path: "^/secrets$", answer: { status: 200, body: {} } }],
])("%s without a list does not count as empty, and nothing is removed", async (_, rule) => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  await azure.traffic();
  const { stderr } = exits(await destroySet(azure, ["--purge"], { faults: [{ method: "GET", ...rule, times: 100 }] }), 1);
  expect(stderr).toContain("[ARO-NET-003]");
  expect(await writesSince(azure)).toEqual([]);
});

test("a vault that was deleted but not purged is found by destroy --purge, after all other resources are deleted", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, ["--output-file", azure.path("ids.json")]), 0);
  exits(await destroySet(azure), 0);
  const { stderr } = exits(await destroySet(azure, ["--purge", "--identities-file", azure.path("ids.json")]), 0);
  expect(stderr).toContain("permanently");
  expect(await azure.snapshot()).toEqual(before);
});
