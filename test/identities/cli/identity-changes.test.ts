/** An identity set that others have changed: their additions are kept and listed, and missing resources do not stop a destroy. */
import { expect, test } from "vitest";
import { all } from "../../../src/azure/pages.js";
import type { AzureState } from "../../../src/emulator/state/state.js";
import { componentRoles, vaultReader } from "../../../src/domain/roles.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { testEmulator, writes, type Exchange, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";
import { createSet, credentialsOf, destroySet, identityIds, issuer, uniqueName, vaultId } from "./identity-sets.js";
import {
  addSecret,
  setProperties,
  changeResource,
  changeState,
  resource,
  deleteResources,
  removeApplications,
} from "../../harness/state-changes.js";

const kv = ["--key-vault-name", "demo-kv"] as const;
const vault = vaultId("demo-kv");
const [oneReader, otherReader] = ["00000000-0000-4000-8000-00000000aaa1", "00000000-0000-4000-8000-00000000aaa2"];

/** Principals with a role on the vault, by role ID. */
async function principalsWith(azure: TestEmulator, role: string): Promise<string[]> {
  const { roleAssignments } = await azure.snapshot();
  return (Object.values(roleAssignments) as { scope: string; roleDefinitionId: string; principalId: string }[])
    .filter(({ scope, roleDefinitionId }) => scope.toLowerCase() === vault.toLowerCase() && roleDefinitionId.endsWith(role))
    .map(({ principalId }) => principalId)
    .sort();
}
const secretsUser = "4633458b-17de-408a-b874-0445c86b69e6";

/** The start time of a written secret, in seconds. */
const startOf =
  (name: string) =>
  ({ method, url, requestBody }: Exchange): number[] =>
    method === "PUT" && new URL(url).pathname === `/secrets/${name}`
      ? [(requestBody as { attributes: { nbf: number } }).attributes.nbf]
      : [];
const deleteVaultRoles = ({ roleAssignments }: AzureState) => {
  for (const id of Object.keys(roleAssignments)) if (id.startsWith(vault.toLowerCase())) delete roleAssignments[id];
};

test("readers get their role, which is deleted with the vault; content of others keeps the vault until they delete it", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, [...kv, "--key-vault-reader-object-id", oneReader]), 0);
  expect(await principalsWith(azure, secretsUser)).toEqual([oneReader]);
  await azure.traffic();
  // The management cluster was created again: the previous one may still run.
  exits(await createSet(azure, [...kv, "--key-vault-reader-object-id", otherReader]), 0);
  expect(await writesSince(azure)).toEqual([expect.stringContaining("/roleAssignments/")]);
  expect(await principalsWith(azure, secretsUser)).toEqual([oneReader, otherReader]);

  await addSecret(azure, "demo-kv", "payroll");
  const properties = { kty: "RSA", keySize: 2048 };
  // One key has the name of a certificate of the set, the other one encrypts etcd.
  await azure.seed({ resources: { [`${vault}/keys/etcd`]: { properties }, [`${vault}/keys/demo-cpo-cert`]: { properties } } });
  const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
  expect(stderr).toMatch(/keep +\S+\/vaults\/demo-kv: it also contains secret payroll, key etcd, not created by aro-hcp/);
  expect(await resource(azure, `${vault}/keys/etcd`)).toBeDefined();
  expect((await azure.snapshot()).vaults?.["demo-kv"]).toEqual({ certificates: {}, secrets: { payroll: expect.anything() as unknown } });
  await azure.traffic();
  exits(await destroySet(azure, [...kv, "--purge"]), 0);
  expect(await writesSince(azure)).toEqual([]);

  await changeState(azure, ({ vaults = {} }) => delete vaults["demo-kv"]?.secrets["payroll"]);
  await deleteResources(azure, `${vault}/keys/etcd`);
  exits(await destroySet(azure, [...kv, "--purge"]), 0);
  const removed = await writesSince(azure);
  // Two of the readers and two of the caller. Azure does not always delete them with the vault.
  expect(removed.filter((write) => write.includes("/roleAssignments/"))).toHaveLength(4);
  // They are deleted after the vault, so that the next run after a failure has access.
  expect(removed).toContain(`DELETE ${vault}`);
  expect(removed.findIndex((write) => write.includes("/roleAssignments/"))).toBeGreaterThan(removed.indexOf(`DELETE ${vault}`));
  expect(await azure.snapshot()).toEqual(before);
});

/** A create that a kill ended after it had created the vault, before its first role assignment. */
async function withClosedVault(): Promise<TestEmulator> {
  const azure = await testEmulator();
  const faults = [{ method: "PUT", path: "/vaults/[^/]+$", when: "after", kill: true }];
  expect((await createSet(azure, kv, { faults })).code).toBe("SIGKILL");
  await azure.traffic();
  return azure;
}

test.each([[["--purge"]], [[]]])("a vault without access is read before its deletion, with a role for this run (%j)", async (mode) => {
  const azure = await withClosedVault();
  const { stderr } = exits(await destroySet(azure, [...kv, ...mode]), 0);
  expect(stderr).toMatch(/remove +Key Vault demo-kv: its contents are read first, with the role Key Vault Reader for this run only/);
  const ofVault = (await writesSince(azure)).filter((write) => write.includes(vault));
  expect(ofVault[0]).toMatch(/^PUT .*\/roleAssignments\//);
  expect(ofVault[1]).toBe(ofVault[0]?.replace("PUT", "DELETE"));
  expect(ofVault.at(-1)).toBe(`DELETE ${vault}`);
  expect(await principalsWith(azure, vaultReader.id)).toEqual([]);
});

test.each([[["--purge"]], [[]]])("a secret of others in a vault without access stops its deletion (%j)", async (mode) => {
  const azure = await withClosedVault();
  await addSecret(azure, "demo-kv", "payroll");
  const { stderr } = exits(await destroySet(azure, [...kv, ...mode]), 5);
  expect(stderr).toMatch(/Key Vault "demo-kv" also contains what aro-hcp did not create, so it was not deleted/);
  expect(stderr).toMatch(/because\S* +secret payroll$/m);
  expect(await resource(azure, vault)).toBeDefined();
  expect(await principalsWith(azure, vaultReader.id)).toEqual([]);
});

test("a vault that the caller may neither read nor open is kept, with the role that it needs", async () => {
  const azure = await withClosedVault();
  await changeState(azure, ({ roleAssignments }) => {
    for (const one of Object.values(roleAssignments))
      one.roleDefinitionId = one.roleDefinitionId.replace(/[^/]+$/, componentRoles.contributor.id);
  });
  for (const mode of [["--purge"], []]) {
    const { stderr } = exits(await destroySet(azure, [...kv, ...mode]), 0);
    expect(stderr).toMatch(/keep +\S+\/vaults\/demo-kv: its contents cannot be read; ask an owner for "Key Vault Reader" on it/);
    expect(await resource(azure, vault)).toBeDefined();
  }
  expect((await writesSince(azure)).filter((write) => write.includes(vault))).toEqual([]);
});

test("a killed destroy leaves the role that reads the vault to the next one, also if the vault is kept", async () => {
  const azure = await withClosedVault();
  await addSecret(azure, "demo-kv", "payroll");
  const faults = [{ method: "PUT", path: "/roleAssignments/", when: "after", kill: true }];
  expect((await destroySet(azure, kv, { faults })).code).toBe("SIGKILL");
  expect(await principalsWith(azure, vaultReader.id)).toHaveLength(1);
  const { stderr } = exits(await destroySet(azure, kv), 0);
  expect(stderr).toMatch(/keep +\S+\/vaults\/demo-kv: it also contains secret payroll/);
  expect(await principalsWith(azure, vaultReader.id)).toEqual([]);
});

test("a vault with a deleted secret of others is soft-deleted, and not purged, neither then nor later", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, kv), 0);
  const content = await (await connectedAzure(azure.directory)).vaultContent("demo-kv");
  await content.secrets.setSecret("payroll", "theirs");
  await (await content.secrets.beginDeleteSecret("payroll", { intervalInMs: 0 })).pollUntilDone();
  const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
  expect(stderr).toMatch(
    /keep +\S+\/vaults\/demo-kv: it also contains deleted secret payroll, not created by aro-hcp, which a purge would/,
  );
  expect((await content.secrets.getDeletedSecret("payroll")).name).toBe("payroll");
  exits(await destroySet(azure, kv), 0);
  expect(await resource(azure, vault)).toBeUndefined();
  await staysDeleted(azure);
});

test("a policy against tags does not stop the deletion of a vault, and this run purges it", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, kv), 0);
  const body = { error: { code: "RequestDisallowedByPolicy", message: "No." } };
  const faults = [{ method: "PATCH", path: "/providers/Microsoft.Resources/tags/default$", times: 100, answer: { status: 403, body } }];
  exits(await destroySet(azure, [...kv, "--purge"], { faults }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a vault that somebody else deleted is not purged", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, kv), 0);
  const { vaults } = await (await connectedAzure(azure.directory)).vaults();
  await vaults.delete(vault.split("/")[4] ?? "", "demo-kv");
  await staysDeleted(azure);
});

async function staysDeleted(azure: TestEmulator): Promise<void> {
  const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
  expect(stderr).toMatch(
    /keep +deleted Key Vault demo-kv: it was not deleted by a destroy that could read its contents; Azure purges it on 20\d\d-/,
  );
  const { vaults } = await (await connectedAzure(azure.directory)).vaults();
  expect((await all(vaults.listDeleted())).map(({ name }) => name)).toEqual(["demo-kv"]);
}

test("the purge protection of an unreadable vault is reported, and not waited for", async () => {
  const azure = await testEmulator();
  const file = azure.path("ids.json");
  exits(await createSet(azure, [...kv, "--output-file", file]), 0);
  const purge = [...kv, "--purge", "--identities-file", file];
  // The caller has no role on it.
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, given] of Object.entries(roleAssignments)) if (id.startsWith(vault.toLowerCase())) given.principalId = oneReader;
  });
  await setProperties(azure, vault, { enablePurgeProtection: true });
  const { stderr } = exits(await destroySet(azure, purge), 0);
  expect(stderr).toMatch(/Key Vault demo-kv can be recovered until 20\d\d-/);
  expect(await resource(azure, vault)).toBeUndefined();
  await azure.traffic();
  exits(await destroySet(azure, purge), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test.each([
  ["a managed identity", "/userAssignedIdentities/[^/]+$", "azure-disk-MI-demo"],
  ["the vault", "/vaults/demo-kv$", "vaults/demo-kv"],
])("a deletion of %s that Azure confirms without effect is reported", async (_what, path, left) => {
  const azure = await testEmulator();
  exits(await createSet(azure, kv), 0);
  const faults = [{ method: "DELETE", path, times: 100, answer: { status: 200 } }];
  const { stderr } = exits(await destroySet(azure, kv, { faults, env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } }), 1);
  expect(stderr).toContain("ARO-DELETE-003");
  expect(stderr).toContain(left);
  expect(stderr).not.toContain("ARO-OWN-004");
  exits(await destroySet(azure, kv), 0);
});

test("applications, identities and a vault that were deleted manually do not stop a destroy", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, [...kv, "--output-file", azure.path("ids.json")]), 0);
  await changeState(azure, (state) => {
    removeApplications(state, ({ uniqueName: name }) => ["cpo", "disk"].some((each) => name === uniqueName(each)));
  });
  await deleteResources(azure, identityIds[0] ?? "", vault);
  await changeState(azure, (state) => {
    deleteVaultRoles(state);
    delete state.vaults;
  });
  // Without the vault, only the file shows whose the certificates of the other applications are.
  exits(await destroySet(azure, [...kv, "--purge", "--identities-file", azure.path("ids.json")]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a colleague without vault access gets access, and repairs deleted and changed content", async () => {
  const azure = await testEmulator();
  // Shows whose the applications are while the vault cannot be read.
  const flags = [...kv, "--output-file", azure.path("ids.json")];
  exits(await createSet(azure, flags), 0);
  const forbidden = { error: { code: "Forbidden", message: "Caller is not authorized.", innererror: { code: "ForbiddenByRbac" } } };
  await changeState(azure, (state) => {
    deleteVaultRoles(state);
    const { certificates = {}, secrets = {} } = state.vaults?.["demo-kv"] ?? {};
    const deleted = { at: 1, busyUntil: 1 };
    // A deleted certificate with its secret, a deleted credential secret, a disabled one, and a disabled certificate.
    for (const each of [certificates["demo-file-cert"], secrets["demo-file-cert"], secrets["demo-disk"]]) if (each) each.deleted = deleted;
    const [current] = secrets["demo-ingress"]?.versions ?? [];
    if (current) {
      current.attributes.enabled = false;
      current.tags = { ...current.tags, team: "a" };
    }
    const [disabled] = certificates["demo-network-cert"]?.versions ?? [];
    if (disabled) disabled.attributes.enabled = false;
    // Each application has only one fault, so that no fault is repaired together with another one.
    const applicationOf = (component: string) =>
      Object.values(state.applications).find(({ uniqueName: name }) => name === uniqueName(component)) ?? {};
    Object.assign(applicationOf("cpo"), { displayName: "renamed" });
    Object.assign(applicationOf("nodepool-mgmt"), { tags: ["theirs"] });
  });
  const began = (await azure.traffic()).flatMap(startOf("demo-ingress"));
  const faults = [{ method: "PUT", path: "^/secrets/demo-ingress$", answer: { status: 403, body: forbidden }, times: 2 }];
  const { stderr } = exits(await createSet(azure, flags, { faults }), 0);
  expect(stderr).toContain("the role assignment has not taken effect in the whole vault yet (ForbiddenByRbac)");
  // A recovered object counts as created, and no other writer is reported.
  for (const title of ["certificate demo-file-cert", "credential secret demo-disk"]) {
    expect(stderr).toMatch(new RegExp(`waiting +${title}: it was recovered; reading it again`));
    expect(stderr).toMatch(new RegExp(`created +${title} \\(`));
  }
  expect(stderr).not.toContain("another client");
  const exchanges = await azure.traffic();
  const sent = writes(exchanges).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(sent.filter((write) => write.includes("/recover"))).toHaveLength(2);
  expect(sent.filter((write) => write.includes("/create"))).toEqual(["POST /certificates/demo-network-cert/create"]);
  expect(await credentialsOf(azure)).toMatchObject({
    file: { keys: 1, certificates: 1, secrets: 1 },
    ingress: { keys: 1, certificates: 1, secrets: 2 },
    network: { keys: 2, certificates: 2, secrets: 2 },
  });
  // The certificate is the same, but pods use a secret only if it starts later.
  expect(exchanges.flatMap(startOf("demo-ingress")).at(-1)).toBeGreaterThan(began.at(-1) ?? Infinity);
  const { applications, vaults = {} } = await azure.snapshot();
  const ourTag = "aro-hcp-identities:demo";
  for (const [component, tags] of [
    ["cpo", [ourTag]],
    ["nodepool-mgmt", ["theirs", ourTag]],
  ] as const) {
    const repaired = { uniqueName: uniqueName(component), displayName: `demo-${component}`, tags };
    expect(Object.values(applications)).toContainEqual(expect.objectContaining(repaired));
  }
  expect(vaults).toMatchObject({
    "demo-kv": { secrets: { "demo-ingress": { versions: [{}, { enabled: true, tags: { team: "a", "aro-hcp-identities": "demo" } }] } } },
  });
  await azure.traffic();
  exits(await createSet(azure, kv), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("a set of the same name in another group is another set: destroying this set keeps it complete, also if it is soft-deleted", async () => {
  const azure = await testEmulator();
  const other = ["--cloud", "local", "--name", "demo", "--resource-group-name", "elsewhere"];
  exits(await azure.cli(["create", "identities", ...other, "--oidc-issuer-url", issuer]), 0);
  const alone = await azure.snapshot();
  exits(await createSet(azure), 0);
  exits(await destroySet(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(alone);

  exits(await azure.cli(["destroy", "identities", ...other, "--yes"]), 0);
  const deleted = await azure.snapshot();
  // Its vault has the same tag. Only the group of the vault shows its owner.
  exits(await destroySet(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(deleted);
});

test("a vault of the set with access policies is changed to Azure RBAC, and the group of another set is not used", async () => {
  const azure = await testEmulator();
  const flags = [...kv, "--output-file", azure.path("ids.json")];
  exits(await createSet(azure, flags), 0);
  const made = await azure.snapshot();
  await setProperties(azure, vault, { enableRbacAuthorization: false });
  exits(await createSet(azure, flags), 0);
  expect((await azure.snapshot()).resources[vault.toLowerCase()]).toEqual(made.resources[vault.toLowerCase()]);
  await changeResource(azure, groupId("common"), (stored) => (stored.tags = { "aro-hcp-identities": "other" }));
  await setProperties(azure, vault, { enableRbacAuthorization: false });
  const unreadable = await destroySet(azure, [...kv, "--purge"]);
  exits(unreadable, 0);
  expect(unreadable.stderr).toContain("its contents cannot be read");
  await setProperties(azure, vault, { enableRbacAuthorization: true });
  exits(await destroySet(azure, [...kv, "--purge"]), 0);
  expect(await resource(azure, vault)).toBeUndefined();
  expect(await resource(azure, groupId("common"))).toBeDefined();
});

test("a role of one of its principals on a management group is kept, and does not stop destroy", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const [{ servicePrincipalId = "" } = {}] = Object.values((await azure.snapshot()).applications) as { servicePrincipalId?: string }[];
  const scope = "/providers/Microsoft.Management/managementGroups/all";
  const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111`;
  const properties = { scope, principalId: servicePrincipalId, roleDefinitionId: "/providers/Microsoft.Authorization/roleDefinitions/r" };
  const body = { value: [{ id, name: id.split("/").at(-1), type: "Microsoft.Authorization/roleAssignments", properties }] };
  const faults = [
    { method: "GET", path: "^/subscriptions/[^/]+/providers/[^/]+/roleAssignments$", answer: { status: 200, body }, times: 9 },
  ];
  exits(await destroySet(azure, [], { faults }), 0);
  expect((await writesSince(azure)).filter((write) => write.includes("managementGroups"))).toEqual([]);
});
