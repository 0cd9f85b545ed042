/** What a command says is true: nothing passes without a check, and a plan passes only what its run can do. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/state/well-known.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { changeState, updateResource } from "../harness/state-changes.js";
import { application, client, given, roleIds } from "../verify/other-client.js";
import { assignmentsOf } from "../identities/verify/identity-edits.js";
import { findings, healthyState, rowOf } from "../verify/healthy-state.js";
import { groupId, groups, ids } from "./demo-cluster.js";
import { create, exits, refuses, titled, writesSince } from "./expectations.js";
import { placePrivateKey, publicFile, testKey } from "../issuer/signing-keys.js";

const cloud = ["--cloud", "local", "--name", "demo"];
const oneLine = (text: string) => text.replace(/\s+/g, " ");

async function createAll(azure: TestEmulator, flags: readonly string[] = []) {
  await placePrivateKey(azure.path("demo"), testKey());
  const wanted = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo"), "--yes"];
  return azure.cli(["create", "all", ...demo, ...wanted, ...flags]);
}

/** The flag of a credentials file for another client with these roles. */
async function asClient(azure: TestEmulator, ...seeds: readonly object[]): Promise<string[]> {
  const { subscriptionId, tenantId } = wellKnown;
  for (const document of seeds) await azure.seed(document);
  const path = azure.path("creds.json");
  await writeFile(path, JSON.stringify({ subscriptionId, tenantId, ...client }), { mode: 0o600 });
  return ["--azure-creds", path];
}

test("a plan without a successful read does not say that there is nothing to do", async () => {
  const azure = await testEmulator();
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no" } } };
  const faults = [{ method: "GET", path: "/resourceGroups/|/dnszones|/tagNames", times: 999, answer }];
  const { stderr } = exits(await create(azure, [], { faults }), 5);
  expect(stderr).not.toContain("nothing to do");
  expect(stderr).toMatch(/\d+ could not be read/);
});

test("a location that does not exist is refused by every create and every plan before the first write, with the near one", async () => {
  const azure = await testEmulator();
  const key = await publicFile(azure.path("keys"), testKey());
  const commands = [
    ["create", "infra", ...demo, ...demoDomain],
    ["create", "identities", ...cloud, "--resource-group-name", "common", "--oidc-issuer-url", "https://demo.blob.core.windows.net/demo"],
    ["create", "oidc-issuer", ...cloud, "--public-key-file", key],
    ["create", "all", ...demo, ...demoDomain, "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo")],
  ];
  for (const command of commands) {
    for (const mode of ["--yes", "--dry-run"]) {
      const wrong = azure.cli([...command, mode, "--location", "eastus9"]);
      await refuses(azure, wrong, 5, /the subscription has no location "eastus9"; did you\s+mean "eastus\d?"\?/);
    }
    exits(await azure.cli([...command, "--dry-run", "--location", "westeurope"]), 0);
  }
});

test("create all that may not assign roles stops before the first write, and names every step that would fail once", async () => {
  const azure = await testEmulator();
  const signIn = await asClient(azure, application(), given(roleIds.contributor));
  await azure.traffic();
  const { stderr } = exits(await createAll(azure, signIn), 5);
  expect(await writesSince(azure)).toEqual([]);
  expect(oneLine(stderr)).toMatch(/no permission to assign roles: \d\d planned steps would fail; nothing was changed \[ARO-AUTHZ-002\]/);
  expect(stderr.match(/error: /g)).toHaveLength(1);
  // Commands name only scopes that exist.
  const scopes = [...oneLine(stderr).matchAll(/--scope (\S+?)`/g)].map(([, scope = ""]) => scope);
  expect(scopes).toEqual(["/subscriptions/5b5c0000-0000-4000-8000-000000000001", groupId("dns")].filter((scope) => scopes.includes(scope)));
  const planned = exits(await createAll(azure, [...signIn, "--dry-run"]), 0);
  expect(oneLine(planned.stderr)).toMatch(/warning: the signed-in principal has no permission to assign roles/);
  await azure.seed(given(roleIds.userAccessAdministrator));
  exits(await createAll(azure, signIn), 0);
});

test("create that may not register applications stops before the first write, with the client ID in the commands", async () => {
  const azure = await testEmulator();
  const seeds = [application(["Application.Read.All"]), given(roleIds.contributor), given(roleIds.userAccessAdministrator)];
  const signIn = await asClient(azure, ...seeds);
  await azure.traffic();
  const { stderr } = exits(await createAll(azure, signIn), 5);
  expect(await writesSince(azure)).toEqual([]);
  expect(stderr).toContain("[ARO-AUTHZ-004]");
  expect(oneLine(stderr)).toContain(`az ad app permission admin-consent --id ${client.clientId}`);
});

test("show, verify and the plan of create report the same differences of a load balancer", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  type Part = { readonly name: string; readonly properties: Record<string, unknown> };
  await updateResource(azure, ids.loadBalancer, ({ properties }) => {
    const set = (kind: string, values: object) =>
      (properties[kind] as Part[]).map((part) => ({ ...part, properties: { ...part.properties, ...values } }));
    return {
      properties: {
        ...properties,
        probes: set("probes", { port: 8080 }),
        outboundRules: set("outboundRules", { allocatedOutboundPorts: 8 }),
      },
    };
  });
  const paths = ["probes[demo-x7k2].port", "outboundRules[demo-x7k2].allocatedOutboundPorts"];
  const shown = exits(await azure.cli(["show", "infra", ...demo]), 0).stdout;
  expect(oneLine(shown)).toContain(paths.join(", "));
  const verified = exits(await azure.cli(["verify", "infra", ...demo]), 3).stdout;
  for (const path of paths) expect(verified).toContain(path);
  const { stderr } = exits(await create(azure, ["--dry-run"]), 0);
  for (const path of paths) expect(stderr).toContain(path);
  expect(oneLine(stderr)).toContain("it differs, and stays as it is");
  expect(stderr).toContain("nothing to do: ");
});

const othersGroup = (name: string) => ({
  resources: { [groupId(name)]: { location: "eastus", tags: { "aro-hcp-name": "other", "aro-hcp-infra-id": "other-1" } } },
});

const refusals = [
  { what: "a network group of another cluster", seed: othersGroup(groups.vnet), code: "ARO-OWN-001", flags: [] },
  {
    what: "a network group in another location",
    seed: {
      resources: { [groupId(groups.vnet)]: { location: "westus", tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" } } },
    },
    code: "ARO-OWN-002",
    flags: ["--location", "eastus"],
  },
  { what: "an existing network that does not exist", seed: {}, code: "ARO-OWN-003", flags: ["--vnet-id", ids.vnet] },
  { what: "a zone that does not exist", seed: {}, code: "ARO-DNS-001", flags: ["--base-domain", "none.example.com"] },
] as const;

test.each(titled(refusals))("doctor fails for what create refuses: %s", async (_what, { seed, code, flags }) => {
  const azure = await testEmulator();
  await azure.seed(seed);
  const domain = flags.some((flag) => flag === "--base-domain") ? [] : demoDomain;
  const refused = exits(await azure.cli(["create", "infra", ...demo, ...domain, ...flags, "--dry-run"]), 5);
  expect(refused.stderr).toContain(`[${code}]`);
  const { code: exit, stdout } = await azure.cli(["doctor", "infra", ...demo, ...domain, ...flags, "--output", "json"]);
  const { results } = JSON.parse(stdout) as { results: { state: string; evidence: string }[] };
  expect(exit).toBe(6);
  const failed = results.filter(({ state }) => state === "failed");
  expect(failed.map(({ evidence }) => evidence)).toEqual([expect.stringContaining(`${code}: `)]);
});

test("the KMS identity without a role on any key fails, and the report passes neither it nor the pods that no check read", async () => {
  const state = await healthyState();
  await changeState(state, (stored) => {
    for (const [id] of assignmentsOf(stored, "kms")) delete stored.roleAssignments[id];
  });
  const results = await state.verify();
  const role = "kms-role/kms";
  expect(findings(results)).toEqual([`${role} failed`]);
  expect(rowOf(results, "kms-role", "kms").next).toMatch(/az role assignment create --role \S+ --assignee-object-id/);
});

test("the report marks what no check read as skipped, and its headline says so", async () => {
  const state = await healthyState();
  const report = join(state.files, "report.html");
  await state.aroHcp(["verify", "identities", "--input-dir", state.files, "--output-report", report]);
  const page = await readFile(report, "utf8");
  expect(page).toMatch(/<p class="verdict passed">No check failed, and \d+ checks were skipped</);
  expect(page).not.toContain("All checks passed");
  const pods = [...page.matchAll(/<g class="node (\w+)"><title>[^<]*(?:managed-azure-cpo|openshift-image-registry)[^<]*<\/title>/g)];
  expect(pods.map(([, state]) => state)).toEqual(["skipped", "skipped"]);
});
