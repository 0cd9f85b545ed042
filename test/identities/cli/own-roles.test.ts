/** The data roles that a run assigns to the signed-in principal: taken back by creates and rotations with --return-own-roles. */
import { expect, test } from "vitest";
import { ownRole } from "../../../src/azure/own-role.js";
import { signedIn } from "../../../src/azure/signed-in.js";
import { blobContributor, certificatesOfficer, secretsOfficer } from "../../../src/domain/roles.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { startCli } from "../../harness/cli.js";
import { changeState } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { connectedCluster } from "../../arc/cli/connected-clusters.js";
import { exits, writesSince } from "../../cli/expectations.js";
import { createSet, credentialsOf, destroySet, issuer, rotate, setFlags, vaultId } from "./identity-sets.js";

const kv = ["--key-vault-name", "kv-of-demo"] as const;
const officers = [blobContributor, certificatesOfficer, secretsOfficer].map(({ id }) => id);
const rotation = [...kv, "--component", "cpo", "--overlap", "1s"];
const returned = [...rotation, "--return-own-roles"];
const returning = [...kv, "--return-own-roles"];

/** The names of the assignments of these roles. */
async function held(azure: TestEmulator): Promise<string[]> {
  const { roleAssignments } = (await azure.snapshot()) as { roleAssignments: Record<string, { name: string; roleDefinitionId: string }> };
  return Object.values(roleAssignments).flatMap(({ name, roleDefinitionId }) =>
    officers.some((id) => roleDefinitionId.endsWith(id)) ? [name] : [],
  );
}
const dropRoles = (azure: TestEmulator) =>
  changeState(azure, ({ roleAssignments }) => {
    for (const [id, { roleDefinitionId }] of Object.entries(roleAssignments))
      if (officers.some((one) => roleDefinitionId.endsWith(one))) delete roleAssignments[id];
  });
const secretWrites = { method: "PUT", path: "^/secrets/demo-cpo$" };
const refused = { status: 400, body: { error: { code: "BadParameter", message: "no" } } };

test("a rerun after --return-own-roles plans to look at the contents of the vault, not to create them", async () => {
  const azure = await testEmulator();
  const flags = [...returning, "--output-file", azure.path("identities.json")];
  const { stderr: first } = exits(await createSet(azure, flags), 0);
  expect(first).toMatch(/destroy identities .*--identities-file \S+identities\.json/);
  const { stderr } = exits(await createSet(azure, [...flags, "--dry-run"]), 0);
  expect(stderr).toMatch(/~ wait .*8 certificates, 8 credential secrets: read with a role on Key Vault kv-of-demo/);
});

test("a create with --return-own-roles takes its roles back, and a rerun assigns them, changes nothing else, and takes them back", async () => {
  const azure = await testEmulator();
  const flags = [...returning, "--output-file", azure.path("identities.json")];
  const { stderr } = exits(await createSet(azure, flags), 0);
  expect(stderr).toContain("for this run only");
  expect(await held(azure)).toEqual([]);
  const made = await azure.snapshot();
  await azure.traffic();
  exits(await createSet(azure, flags), 0);
  const sent = await writesSince(azure);
  expect(sent.map((write) => write.replace(/ .*(roleAssignments).*/, " $1"))).toEqual([
    ...["PUT roleAssignments", "PUT roleAssignments"],
    ...["DELETE roleAssignments", "DELETE roleAssignments"],
  ]);
  expect(await azure.snapshot()).toEqual(made);
});

test("create all and create arc secrets take back the roles on the vault and on the issuer's account", async () => {
  const azure = await testEmulator();
  const flags = ["--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"];
  const all = ["create", "all", "--cloud", "local", ...flags, "--output-dir", azure.path("out")];
  exits(await azure.cli([...all, "--return-own-roles"]), 0);
  expect(await held(azure)).toEqual([]);
  exits(await azure.cli(all), 0);
  expect(await held(azure)).toHaveLength(3);
  const other = await testEmulator();
  await connectedCluster(other);
  const files = ["--output-file", other.path("secrets.json"), "--output-credential", other.path("credential.json")];
  const arc = ["create", "arc", "secrets", "--cloud", "local", "--name", "demo", "--oidc-issuer-url", issuer, ...files];
  exits(await other.cli([...arc, "--return-own-roles"]), 0);
  expect(await held(other)).toEqual([]);
});

test("roles that the principal had before stay", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, kv), 0);
  const before = await held(azure);
  exits(await createSet(azure, returning), 0);
  expect(await held(azure)).toEqual(before);
});

test("a create that fails takes its roles back", async () => {
  const azure = await testEmulator();
  const faults = [{ ...secretWrites, answer: refused, times: 100 }];
  expect((await createSet(azure, returning, { faults })).code).not.toBe(0);
  expect(await held(azure)).toEqual([]);
});

test("a create that can no longer list its roles at its end says which ones are left, and how to delete them", async () => {
  const azure = await testEmulator();
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "No." } } };
  // Each role is looked for once before it is assigned.
  const faults = [
    { method: "GET", path: "/vaults/kv-of-demo/providers/Microsoft.Authorization/roleAssignments$", nth: 3, times: 100, answer },
  ];
  const { stderr } = await createSet(azure, returning, { faults });
  expect(await held(azure)).not.toEqual([]);
  expect(stderr).toMatch(/az role assignment delete --ids \S+kv-of-demo/);
});

test("a create that is stopped while it waits for the vault takes its roles back", async () => {
  const azure = await testEmulator();
  await changeState(azure, (state) => {
    state.knobs = { ...state.knobs, dataRightsLagSeconds: 3600 };
  });
  const run = startCli(["create", "identities", ...setFlags, "--oidc-issuer-url", issuer, ...returning, "--yes"], {
    env: { HOME: azure.path("."), ARO_HCP_LOCAL_DIR: azure.directory },
  });
  await expect.poll(async () => (await held(azure)).length, { timeout: 20_000 }).toBe(2);
  run.signal("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(await held(azure)).toEqual([]);
});

test.each([
  ["takes them back", returning, 0],
  ["keeps them without the flag", kv, 2],
])("a create that is killed leaves its roles to the next one, which %s", async (_what, flags, left) => {
  const azure = await testEmulator();
  expect((await createSet(azure, returning, { faults: [{ ...secretWrites, when: "after", kill: true }] })).code).toBe("SIGKILL");
  expect(await held(azure)).toHaveLength(2);
  exits(await createSet(azure, flags), 0);
  expect(await held(azure)).toHaveLength(left);
  // What a run keeps is lasting: a rotation does not take it back.
  if (left > 0) {
    exits(await rotate(azure, rotation), 0);
    expect(await held(azure)).toHaveLength(left);
  }
});

test("a rotation without roles assigns them, and takes them back with --return-own-roles", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, [...kv, "--output-file", azure.path("identities.json")]), 0);
  await dropRoles(azure);
  const file = ["--identities-file", azure.path("identities.json")];
  exits(await rotate(azure, [...returned, ...file]), 0);
  expect(await held(azure)).toEqual([]);
  expect((await credentialsOf(azure))["cpo"]).toMatchObject({ certificates: 2, secrets: 2 });
  exits(await rotate(azure, [...rotation, ...file, "--min-age", "1s"]), 0);
  expect(await held(azure)).toHaveLength(2);
});

test("a role that another run has assigned to stay since the plan is neither replaced nor taken back", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, kv), 0);
  const lasting = await held(azure);
  const connected = await connectedAzure(azure.directory);
  const own = ownRole(connected, { role: secretsOfficer, scopeTitle: "Key Vault kv-of-demo" }, await signedIn(connected.connection), false);
  await own.assign(vaultId("kv-of-demo"));
  await own.takeBack(vaultId("kv-of-demo"));
  expect(await held(azure)).toEqual(lasting);
});

test("a destroy of a set whose create took its roles back reads the vault first", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, [...returning, "--output-file", azure.path("identities.json")]), 0);
  exits(await destroySet(azure, [...kv, "--purge", "--identities-file", azure.path("identities.json")]), 0);
  expect(await azure.snapshot()).toEqual(before);
});
