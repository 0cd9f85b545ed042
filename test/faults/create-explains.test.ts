/** Errors of Azure that `create infra` cannot recover from: it exits with the code and explanation, and a later rerun completes it. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { roleFlags } from "../identities/cli/identities.js";
import { demo, testEmulator, writes, type TestEmulator } from "../harness/test-emulator.js";
import { always, create, poll, put, run, undisturbedState, type FaultRule } from "./fault-runs.js";
import { recorded, signature, throttled } from "./recorded-answers.js";

interface Row {
  readonly title: string;
  readonly faults: readonly FaultRule[];
  readonly exit: number;
  readonly code: string;
  /** Part of the explanation. */
  readonly says: string;
  /** Whether the run wrote anything: then an undisturbed rerun must complete it. */
  readonly partial?: true;
}

const rows: readonly Row[] = [
  // Nothing is written.
  {
    title: "LocationNotAvailableForResourceGroup",
    faults: [{ ...put.group, ...always, answer: recorded.locationNotAvailable }],
    exit: 5,
    code: "ARO-SUB-003",
    says: "List of available regions is 'westus'",
  },
  {
    title: "a disabled subscription",
    faults: [{ ...put.group, ...always, answer: recorded.disabledSubscription }],
    exit: 5,
    code: "ARO-SUB-008",
    says: "is disabled and therefore marked as read only",
  },
  {
    title: "RequestDisallowedByPolicy",
    faults: [{ ...put.group, ...always, answer: recorded.disallowedByPolicy }],
    exit: 5,
    code: "ARO-SUB-005",
    says: "disallowed by policy",
  },
  {
    title: "a Retry-After of an hour, without waiting for it",
    faults: [{ ...put.group, ...always, answer: throttled("3600") }],
    exit: 1,
    code: "ARO-AZURE-003",
    says: "as Azure requests, then rerun the command",
  },
  {
    title: "an hour's pause of a service that is down, without waiting for it",
    faults: [{ ...put.group, ...always, answer: { ...recorded.html503, headers: { "retry-after": "3600" } } }],
    exit: 1,
    code: "ARO-AZURE-002",
    says: "as Azure requests, then rerun the command",
  },
  {
    title: "a token that is always refused",
    faults: [{ host: "management.azure.com", ...always, answer: recorded.expiredToken }],
    exit: 4,
    code: "ARO-AUTH-002",
    says: "is earlier than current UTC time",
  },
  {
    title: "a lost network connection",
    faults: [{ host: "management.azure.com", ...always, reset: true }],
    exit: 1,
    code: "ARO-NET-001",
    says: "check the network connection and DNS",
  },
  {
    title: "an Azure that stays down and responds with HTML pages",
    faults: [{ host: "management.azure.com", ...always, answer: recorded.html503 }],
    exit: 1,
    code: "ARO-AZURE-002",
    says: "https://status.azure.com",
  },
  {
    title: "ResourceGroupBeingDeleted that persists while it creates the group",
    faults: [{ ...put.group, ...always, answer: recorded.groupBeingDeleted }],
    exit: 1,
    code: "ARO-OWN-005",
    says: "it is being deleted; reading it again",
  },

  // Other steps write.
  {
    title: "LinkedAuthorizationFailed",
    faults: [{ ...put.vnet, ...always, answer: recorded.linkedAuthorizationFailed }],
    exit: 5,
    code: "ARO-AUTHZ-001",
    says: "'join' on the linked scope",
    partial: true,
  },
  {
    title: "a provider that the caller cannot register",
    faults: [
      { ...put.nsg, ...always, answer: recorded.missingRegistration },
      { method: "POST", path: "/register$", answer: recorded.authorizationFailed },
    ],
    exit: 5,
    code: "ARO-SUB-001",
    says: "az provider register",
    partial: true,
  },
  {
    title: "ResourceGroupBeingDeleted while it creates resources in the group",
    faults: [{ ...put.address, ...always, answer: recorded.groupBeingDeleted }],
    exit: 1,
    code: "ARO-AZURE-006",
    says: "wait until it is gone",
    partial: true,
  },
  {
    title: "an outdated ETag that persists, with Azure's last response",
    faults: [{ ...put.address, ...always, answer: recorded.preconditionFailed }],
    exit: 1,
    code: "ARO-OWN-005",
    says: "412 PreconditionFailedEtagMismatch, request ",
    partial: true,
  },
  {
    title: "a write that was accepted, but whose resource never exists",
    faults: [{ ...put.zone, ...always, answer: { status: 202 } }],
    exit: 1,
    code: "ARO-OWN-005",
    says: "Azure accepted the write, but it does not exist",
    partial: true,
  },
  {
    title: "an empty response to a poll, with the resource",
    faults: [{ ...poll.network, ...always, answer: { status: 200, body: {} } }],
    exit: 1,
    code: "ARO-NET-003",
    says: "error: network security group ",
    partial: true,
  },
  {
    title: "ResourceGroupNotFound that persists",
    faults: [{ ...put.address, ...always, answer: recorded.groupNotFound }],
    exit: 1,
    code: "ARO-AZURE-005",
    says: "could not be found",
    partial: true,
  },
  {
    title: "AnotherOperationInProgress that persists, without its signed URL",
    faults: [{ ...put.balancer, ...always, answer: recorded.anotherOperationInProgress }],
    exit: 1,
    code: "ARO-AZURE-004",
    says: "wait until the other operation finishes",
    partial: true,
  },
  {
    title: "InvalidResourceReference",
    faults: [{ ...put.vnet, ...always, answer: recorded.invalidReference }],
    exit: 1,
    code: "ARO-AZURE-005",
    says: "was not found",
    partial: true,
  },
  {
    title: "a failed operation, with its innermost reason",
    faults: [{ ...poll.network, ...always, answer: recorded.failedOperation }],
    exit: 1,
    code: "ARO-AZURE-001",
    says: "does not have enough capacity",
    partial: true,
  },
  {
    title: "a poll that always fails",
    faults: [{ ...poll.privateDns, ...always, answer: recorded.html500 }],
    exit: 1,
    code: "ARO-AZURE-002",
    says: "Azure gave no reason",
    partial: true,
  },
];

test.each(rows)("create explains $title", async ({ faults, exit, code, says, partial }) => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const { stderr } = await run(azure, [...create, "--debug"], exit, { faults });
  expect(stderr).toContain(`[${code}]`);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain(signature.slice(0, 40));
  if (partial === undefined) {
    expect(await azure.snapshot()).toEqual(before);
    return;
  }
  await run(azure, create, 0);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

const commands = [
  ["create", create],
  ["show", ["show", "infra", ...create.slice(2)]],
  ["destroy", ["destroy", "infra", ...demo, "--yes"]],
] as const;

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const tenantId = "7e7a0000-0000-4000-8000-000000000001";

/** Creates a service principal with these built-in roles on the subscription. Returns the flags that sign in as it. */
async function signInAs(azure: TestEmulator, roles: readonly string[]): Promise<string[]> {
  const appId = "0b0b0000-0000-4000-8000-000000000001";
  const principalId = "0b0b0000-0000-4000-8000-000000000002";
  const graphPermissions = ["Application.Read.All"];
  await azure.seed({
    applications: [{ appId, displayName: "other", servicePrincipalId: principalId, secret: "other-secret", graphPermissions }],
    roleAssignments: roles.map((role) => ({ scope: subscription, role, principalId })),
  });
  const file = azure.path("creds.json");
  const creds = { subscriptionId: subscription.split("/")[2], tenantId, clientId: appId, clientSecret: "other-secret" };
  await writeFile(file, JSON.stringify(creds), { mode: 0o600 });
  return ["--azure-creds", file];
}

const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";

test("create explains that a contributor cannot create role assignments, and a rerun with the permission completes them", async () => {
  const azure = await testEmulator();
  const roles = await roleFlags(azure);
  const { stderr } = await run(azure, [...create, ...roles, ...(await signInAs(azure, [contributor]))], 5);
  expect(stderr).toContain("[ARO-AUTHZ-002]");
  await run(azure, [...create, ...roles], 0);
});

test.each(commands)("%s: a principal without permissions gets an authorization error, not an empty result", async (_name, command) => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, [...command, ...(await signInAs(azure, []))], 5);
  expect(stderr).toContain("[ARO-AUTHZ-001]");
  expect(writes(await azure.traffic())).toEqual([]);
});

test("create explains AuthorizationFailed of a reader and writes nothing", async () => {
  const azure = await testEmulator();
  const flags = await signInAs(azure, [reader]);
  const { stderr } = await run(azure, [...create, ...flags], 5);
  expect(stderr).toContain("[ARO-AUTHZ-001]");
  expect(stderr.replace(/\s+/g, " ")).toContain("Microsoft.Resources/subscriptions/resourceGroups/write");
  // The plan finds it: nothing is even tried.
  expect(writes(await azure.traffic())).toEqual([]);
});

test("destroy explains AuthorizationFailed of a reader and names the remaining resources", async () => {
  const azure = await testEmulator();
  await run(azure, create, 0);
  const made = await azure.snapshot();
  const flags = await signInAs(azure, [reader]);
  const { stderr } = await run(azure, ["destroy", "infra", ...demo, "--yes", ...flags], 5);
  expect(stderr).toContain("[ARO-AUTHZ-001]");
  expect(stderr).toContain("[ARO-DELETE-003]");
  expect((await azure.snapshot()).resources).toEqual(made.resources);
});

test("create explains a lock on the subscription", async () => {
  const azure = await testEmulator();
  await azure.seed({
    resources: { [`${subscription}/providers/Microsoft.Authorization/locks/frozen`]: { properties: { level: "ReadOnly" } } },
  });
  const before = await azure.snapshot();
  const { stderr } = await run(azure, create, 5);
  expect(stderr).toContain("[ARO-SUB-004]");
  expect(await azure.snapshot()).toEqual(before);
});

test("create explains the limit of public IP addresses, and a rerun with a higher limit completes it", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { publicIpLimit: 0 } });
  const { stderr } = await run(azure, create, 5);
  expect(stderr).toContain("[ARO-SUB-002]");
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("fewer --outbound-addresses need fewer");
  await azure.seed({ knobs: { publicIpLimit: 10 } });
  await run(azure, create, 0);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test.each(commands)("%s: a subscription that is not visible does not count as empty", async (_name, command) => {
  const azure = await testEmulator();
  const faults = [{ host: "management.azure.com", ...always, answer: recorded.subscriptionNotFound }];
  const { stderr } = await run(azure, command, 5, { faults });
  expect(stderr).toContain("[ARO-AUTH-004]");
  expect(writes(await azure.traffic())).toEqual([]);
});

test.each(commands.slice(0, 2))("%s: SubscriptionNotFound does not mean that a group does not exist", async (_name, command) => {
  const azure = await testEmulator();
  const faults = [{ method: "GET", path: "/resourceGroups/[^/]+-vnet$", ...always, answer: recorded.subscriptionNotFound }];
  const { stderr } = await run(azure, command, 5, { faults });
  expect(stderr).toContain("[ARO-AUTH-004]");
  expect(writes(await azure.traffic())).toEqual([]);
});

test.each(commands)("%s: a proxy's 404 page does not mean that the subscription is empty", async (_name, command) => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, command, 1, { faults: [{ host: "management.azure.com", ...always, answer: recorded.proxyPage }] });
  expect(stderr).toContain("[ARO-AZURE-005]");
  expect(writes(await azure.traffic())).toEqual([]);
});
