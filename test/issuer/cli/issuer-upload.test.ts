/** `--issuer-upload account-key`: the storage account accepts its keys only during the upload, however the command ends. */
import { expect, test } from "vitest";
import { testEmulator, writes, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import { resource } from "../../harness/state-changes.js";
import { exits, writesSince } from "../../cli/expectations.js";
import { publicFile, testKey } from "../signing-keys.js";
import { demoAccount } from "../../harness/demo-issuer.js";

const account = `/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/demo-oidc/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;
const key = testKey();
const byKey = ["--issuer-upload", "account-key"] as const;

const argsOf = async (azure: TestEmulator, flags: readonly string[]) => [
  ...["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--yes"],
  ...["--public-key-file", await publicFile(azure.path("keys"), key), ...flags],
];
const create = async (azure: TestEmulator, flags: readonly string[] = [], options?: CliOptions) =>
  azure.cli(await argsOf(azure, flags), options);

const acceptsKeys = async (azure: TestEmulator) => (await resource(azure, account))?.properties["allowSharedKeyAccess"];

/** The state after a create with the role. */
async function createdByRole() {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  return azure.snapshot();
}

test("with a key, create does not wait for the role, and leaves the same state as with the role", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { dataRightsLagSeconds: 100_000 } });
  const { stderr } = exits(await create(azure, [...byKey, "--debug"]), 0);
  const traffic = await azure.traffic();
  expect(traffic.filter(({ status, url }) => status === 403 && url.includes("blob.core"))).toEqual([]);
  const written = writes(traffic).filter(({ method, url }) => method === "PATCH" || url.includes("listKeys") || url.includes("blob.core"));
  expect(
    written.map(
      ({ method, url, requestBody }) =>
        `${method} ${new URL(url).pathname.split("/").at(-1) ?? ""} ${JSON.stringify(requestBody)?.slice(0, 48) ?? ""}`,
    ),
  ).toEqual([
    expect.stringContaining("POST listKeys"),
    `PATCH ${demoAccount} {"properties":{"allowSharedKeyAccess":true}}`,
    expect.stringMatching(/^PUT jwk/),
    expect.stringContaining("PUT openid-configuration"),
    `PATCH ${demoAccount} {"properties":{"allowSharedKeyAccess":false}}`,
  ]);
  expect(stderr).not.toMatch(/SharedKey demo|[\w+/]{80}==/);
  expect(JSON.stringify(traffic)).not.toMatch(/[\w+/]{80}==/);

  await azure.seed({ knobs: { dataRightsLagSeconds: 0 } });
  const { knobs: _, ...state } = (await azure.snapshot()) as Awaited<ReturnType<typeof azure.snapshot>> & { readonly knobs?: unknown };
  expect(state.resources[account.toLowerCase()]).toEqual((await createdByRole()).resources[account.toLowerCase()]);
  for (const flags of [[], byKey]) {
    exits(await create(azure, flags), 0);
    expect(await writesSince(azure)).toEqual([]);
  }
});

const arm = (status: number, code: string) => ({ status, body: { error: { code, message: "no" } } });
const blob = (status: number, code: string) => ({ status, headers: { "x-ms-error-code": code } });
const patch = { method: "PATCH", path: `/storageAccounts/${demoAccount}$` } as const;
const upload = { method: "PUT", path: "/openid/v1/jwks$" } as const;

test.each<[string, object]>([
  ["the keys cannot be listed", { method: "POST", path: "/listKeys$", answer: arm(403, "AuthorizationFailed") }],
  ["it is not allowed to turn the keys on", { ...patch, answer: arm(403, "RequestDisallowedByPolicy") }],
  ["the upload is refused", { ...upload, times: 9, answer: blob(400, "InvalidHeaderValue") }],
])("the account refuses its keys after a failure: %s", async (_, rule) => {
  const azure = await testEmulator();
  expect((await create(azure, byKey, { faults: [rule] })).code).not.toBe(0);
  expect(await acceptsKeys(azure)).toBe(false);
  exits(await create(azure), 0);
});

test("the account refuses its keys although the response to turning them on was lost", async () => {
  const azure = await testEmulator();
  // All retries of a lost connection are lost too.
  const lost = { ...patch, when: "after", times: 12, reset: true };
  const run = await create(azure, byKey, { faults: [lost], env: { ARO_HCP_LOCAL_TIME_SCALE: "100" } });
  expect(run.code).not.toBe(0);
  exits(await create(azure), 0);
  expect(await acceptsKeys(azure)).toBe(false);
});

test("the account refuses its keys although turning them on took effect and was refused when it was sent again", async () => {
  const azure = await testEmulator();
  const refused = { ...patch, when: "after", answer: arm(409, "AnotherProblem") };
  const run = await create(azure, byKey, { faults: [refused] });
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain("AnotherProblem");
  expect(await acceptsKeys(azure)).toBe(false);
});

test("if the keys cannot be turned off, the failure says so, and a rerun turns them off", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(await create(azure, byKey, { faults: [{ ...patch, nth: 2, answer: arm(403, "AuthorizationFailed") }] }), 1);
  expect(stderr).toMatch(/\[ARO-OIDC-007\]/);
  expect(stderr).toContain("az storage account update --name demo1e0571 --allow-shared-key-access false");
  expect(await acceptsKeys(azure)).toBe(true);
  exits(await create(azure), 0);
  expect(await acceptsKeys(azure)).toBe(false);
});

test.each<[string, object]>([
  ["after the keys were turned on", { ...patch, when: "after", kill: true }],
  ["during the upload", { ...upload, when: "after", kill: true }],
  ["before the keys are turned off", { ...patch, nth: 2, kill: true }],
])("after a kill %s, a rerun turns the keys off", async (_, rule) => {
  const azure = await testEmulator();
  expect((await create(azure, byKey, { faults: [rule] })).code).toBe("SIGKILL");
  expect(await acceptsKeys(azure)).toBe(true);
  exits(await create(azure), 0);
  expect((await azure.snapshot()).resources).toEqual((await createdByRole()).resources);
});

test("Ctrl-C during the upload turns the keys off", async () => {
  const azure = await testEmulator();
  const faults = [{ ...upload, delay: 5 }];
  const running = await azure.startCli(await argsOf(azure, byKey), { faults, env: { ARO_HCP_LOCAL_TIME_SCALE: "1" } });
  await azure.recorded((exchanges) =>
    exchanges.some(({ method, url }) => method === "PATCH" && url.includes(`/storageAccounts/${demoAccount}`)),
  );
  running.signal("SIGINT");
  exits(await running.ended, 130);
  expect(await acceptsKeys(azure)).toBe(false);
});

test("an upload during which another command turns the keys off is repeated", async () => {
  const azure = await testEmulator();
  const refused = { ...upload, times: 40, answer: blob(403, "KeyBasedAuthenticationNotPermitted") };
  const run = await create(azure, byKey, { faults: [refused], env: { ARO_HCP_LOCAL_TIME_SCALE: "100" } });
  exits(run, 0);
  expect(run.stderr).toContain("the storage account does not accept its keys yet");
  expect(await acceptsKeys(azure)).toBe(false);
});

test("an account that accepts its keys again because another command uploads is set again", async () => {
  const azure = await testEmulator();
  const kill = { ...patch, when: "after", kill: true };
  expect((await create(azure, byKey, { faults: [kill] })).code).toBe("SIGKILL");
  const { properties, ...stored } = (await resource(azure, account)) ?? expect.fail("no account");
  const accepting = { ...patch, when: "after", answer: { status: 200, body: { ...stored, properties } } };
  expect(properties["allowSharedKeyAccess"]).toBe(true);
  exits(await create(azure, [], { faults: [accepting] }), 0);
  expect(await acceptsKeys(azure)).toBe(false);
});

test("a missing permission to list keys is reported before anything is created", async () => {
  const azure = await testEmulator();
  const readers = [
    {
      method: "GET",
      path: "/providers/Microsoft.Authorization/permissions$",
      times: 99,
      answer: { status: 200, body: { value: [{ actions: ["*"], notActions: ["Microsoft.Storage/storageAccounts/listKeys/action"] }] } },
    },
  ];
  const { stderr } = exits(await create(azure, byKey, { faults: readers }), 5);
  expect(stderr).toContain("Microsoft.Storage/storageAccounts/listKeys/action");
  expect(await writesSince(azure)).toEqual([]);
  exits(await create(azure, [], { faults: readers }), 0);
});
