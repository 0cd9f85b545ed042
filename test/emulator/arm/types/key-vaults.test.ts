import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription } from "../arm-state.js";

let arm: ArmState;
let group: string;
let vault: string;
const vaultIn = (id: string, name = "demo-vault"): string => `${id}/providers/Microsoft.KeyVault/vaults/${name}`;
const deleted = `${subscription}/providers/Microsoft.KeyVault/locations/eastus/deletedVaults/demo-vault`;
const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });

function body(changes: Readonly<Record<string, unknown>> = {}) {
  const sku = { family: "A", name: "standard" };
  return {
    location: "eastus",
    tags: { a: "1" },
    properties: { tenantId: arm.state.tenantId, sku, enableRbacAuthorization: true, ...changes },
  };
}

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
  vault = vaultIn(group);
});

test("a new vault is 200 and registers its name until its GET says it is ready; an update ends at once", () => {
  arm.seconds = { "keyVault.put": 30, "keyVault.update": 3 };
  const made = arm.put(vault, body());
  expect(made).toMatchObject({
    status: 200,
    body: {
      id: vault,
      tags: { a: "1" },
      properties: {
        provisioningState: "RegisteringDns",
        vaultUri: "https://demo-vault.vault.azure.net",
        softDeleteRetentionInDays: 90,
        enableRbacAuthorization: true,
      },
    },
  });
  expect(made.headers).not.toHaveProperty("Location");
  arm.pass(29);
  const vaultUri = "https://demo-vault.vault.azure.net/";
  expect(arm.get(vault).body).toMatchObject({ properties: { provisioningState: "RegisteringDns", vaultUri } });
  arm.pass(1);
  expect(arm.get(vault).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
  expect(arm.put(vault, body())).toMatchObject({ status: 200, body: { properties: { provisioningState: "Succeeded", vaultUri } } });
  expect(
    Object.values(arm.state.operationLog)
      .slice(-2)
      .map(({ seconds }) => seconds),
  ).toEqual([30, 3]);
});

test("a deleted vault keeps its name: its owner must recover or purge it, others get that it is taken", () => {
  arm.put(vault, body());
  expect(arm.delete(vault).status).toBe(200);
  expect(arm.delete(vault).status).toBe(204);
  expect(arm.get(vault)).toMatchObject(refusal("ResourceNotFound", 404));
  expect(arm.get(deleted)).toMatchObject({ status: 200, body: { properties: { vaultId: vault, location: "eastus", tags: { a: "1" } } } });
  expect(arm.get(`${subscription}/providers/Microsoft.KeyVault/deletedVaults`).body).toMatchObject({ value: [{ name: "demo-vault" }] });
  expect(arm.put(vault, body())).toMatchObject(refusal("ConflictError", 409));
  expect(arm.put(vaultIn(arm.group("other"), "DEMO-vault"), body())).toMatchObject(refusal("VaultAlreadyExists", 409));
  const asked = arm.send("POST", `${subscription}/providers/Microsoft.KeyVault/checkNameAvailability`, {
    name: "demo-vault",
    type: "Microsoft.KeyVault/vaults",
  });
  expect(asked.body).toMatchObject({ nameAvailable: false, reason: "AlreadyExists" });
});

test("a recovered vault is as it was, except for its role assignments", () => {
  arm.put(vault, body({ softDeleteRetentionInDays: 7 }));
  const assignment = `${vault}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111`;
  const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`;
  const principalId = "22222222-2222-4222-8222-222222222222";
  expect(arm.put(assignment, { properties: { roleDefinitionId, principalId, principalType: "ServicePrincipal" } }).status).toBe(201);
  arm.delete(vault);
  expect(arm.put(vault, { ...body({ createMode: "recover" }), tags: {} })).toMatchObject({
    status: 200,
    body: { tags: { a: "1" }, properties: { provisioningState: "Succeeded", softDeleteRetentionInDays: 7 } },
  });
  expect(arm.get(deleted)).toMatchObject(refusal("DeletedVaultNotFound", 404));
  expect(arm.get(assignment)).toMatchObject(refusal("RoleAssignmentNotFound", 404));
  arm.delete(vault);
  expect(arm.get(deleted).status).toBe(200);
});

test("a vault that was not deleted cannot be recovered", () => {
  expect(arm.put(vault, body({ createMode: "recover" }))).toMatchObject(refusal("SoftDeletedVaultDoesNotExist"));
});

test("a purge is accepted, polled, and frees the name", () => {
  arm.put(vault, body());
  arm.delete(vault);
  arm.seconds = { "keyVault.purge": 8 };
  const purged = arm.send("POST", `${deleted}/purge`);
  expect(purged).toMatchObject({ status: 202, headers: { "Retry-After": "5" } });
  const poll = () => arm.get(purged.headers["Location"] ?? "");
  expect(poll().status).toBe(202);
  expect(arm.put(vault, body())).toMatchObject(refusal("ConflictError", 409));
  expect(arm.put(vault, body({ createMode: "recover" }))).toMatchObject(refusal("SoftDeletedVaultDoesNotExist"));
  arm.pass(8);
  const times = { createdDateTime: "2026-01-01 00:00:00Z", lastActionDateTime: "2026-01-01 00:00:08Z" };
  expect(poll()).toMatchObject({ status: 200, body: { ...times, status: "Succeeded" } });
  expect(arm.send("POST", `${deleted}/purge`)).toMatchObject(refusal("DeletedVaultNotFound", 404));
  expect(arm.put(vault, body()).status).toBe(200);
});

test("purge protection cannot be switched off and forbids the purge", () => {
  arm.put(vault, body({ enablePurgeProtection: true }));
  expect(arm.put(vault, body({ enablePurgeProtection: false }))).toMatchObject(refusal("BadRequest"));
  expect(arm.put(vault, body()).body).toMatchObject({ properties: { enablePurgeProtection: true } });
  arm.delete(vault);
  expect(arm.get(deleted).body).toMatchObject({ properties: { purgeProtectionEnabled: true } });
  expect(arm.send("POST", `${deleted}/purge`)).toMatchObject(refusal("MethodNotAllowed", 405));
});

test("deleting its group soft-deletes a vault", () => {
  arm.put(vault, body());
  arm.get(arm.delete(group).headers["Location"] ?? "");
  expect(arm.get(deleted).status).toBe(200);
});

test.each([
  ["a retention of six days", { softDeleteRetentionInDays: 6 }, "BadRequest", 400],
  ["a retention of 91 days", { softDeleteRetentionInDays: 91 }, "BadRequest", 400],
  ["another tenant", { tenantId: "22222222-2222-4222-8222-222222222222" }, "BadRequest", 400],
  ["an access policy for nobody", { accessPolicies: [{ permissions: {} }] }, "InvalidRequestContent", 400],
  ["an unknown property", { gold: true }, "InvalidRequestContent", 400],
])("a vault with %s is refused", (_what, changes, code, status) => {
  expect(arm.put(vault, body(changes), { unrecorded: true })).toMatchObject(refusal(code, status));
});

test("a vault says who wrote it, and names Azure's defaults only where Azure does", () => {
  const { tags: _, ...untagged } = body({ enableSoftDelete: true });
  const { properties, ...vaultMade } = arm.put(vault, untagged).body as { properties: object };
  const createdBy = "c11e0000-0000-4000-8000-000000000003";
  expect(vaultMade).toMatchObject({ tags: {}, systemData: { createdBy, createdByType: "Application", lastModifiedBy: createdBy } });
  expect(properties).not.toHaveProperty("softDeleteRetentionInDays");
  expect(properties).not.toHaveProperty("publicNetworkAccess");
  arm.pass(60);
  const { systemData } = arm.send("PATCH", vault, { tags: { a: "1" } }).body as { systemData: Record<string, string> };
  expect(systemData).toMatchObject({ createdAt: "2026-01-01T00:00:00.000Z", lastModifiedAt: "2026-01-01T00:01:00.000Z" });
  arm.delete(vault);
  const { deletionDate = "", scheduledPurgeDate = "" } = (arm.get(deleted).body as { properties: Record<string, string> }).properties;
  expect(Date.parse(scheduledPurgeDate) - Date.parse(deletionDate)).toBe(90 * 24 * 3600 * 1000);
});

test("public network access is named since the version that has it", () => {
  arm.put(vault, body(), { apiVersion: "2021-04-01-preview", unrecorded: true });
  expect(arm.get(vault).body).not.toHaveProperty("properties.publicNetworkAccess");
  arm.put(vaultIn(group, "newer"), body());
  expect(arm.get(vaultIn(group, "newer")).body).toMatchObject({ properties: { publicNetworkAccess: "Enabled" } });
});

test("a vault has soft delete, even if its body says otherwise", () => {
  expect(arm.put(vault, body({ enableSoftDelete: false }))).toMatchObject({
    status: 200,
    body: { properties: { enableSoftDelete: true } },
  });
  expect(arm.send("PATCH", vault, { properties: { enableSoftDelete: false } }).body).toMatchObject({
    properties: { enableSoftDelete: true },
  });
});

test("network rules are answered unless they admit everybody", () => {
  const rulesAfter = (networkAcls: unknown) =>
    (arm.put(vault, body({ networkAcls })).body as { properties: Record<string, unknown> }).properties;
  const admitsAll = rulesAfter({ bypass: "AzureServices", defaultAction: "Allow" });
  expect(admitsAll).not.toHaveProperty("networkAcls");
  expect(admitsAll).toMatchObject({ publicNetworkAccess: "Enabled" });
  const virtualNetworkRules = [{ id: `${group}/providers/Microsoft.Network/virtualNetworks/Demo/subnets/a` }];
  expect(rulesAfter({ defaultAction: "Deny", ipRules: [{ value: "192.0.2.1" }], virtualNetworkRules })).toMatchObject({
    networkAcls: {
      bypass: "AzureServices",
      defaultAction: "Deny",
      ipRules: [{ value: "192.0.2.1/32" }],
      virtualNetworkRules: [{ id: virtualNetworkRules[0]?.id.toLowerCase() }],
    },
  });
});

test("lists of vaults and of deleted vaults end with a page without entries", () => {
  arm.put(vault, body());
  for (const path of [`${group}/providers/Microsoft.KeyVault/vaults`, `${subscription}/providers/Microsoft.KeyVault/deletedVaults`]) {
    const { value, nextLink } = arm.get(path).body as { value: unknown[]; nextLink: string };
    expect(value).toHaveLength(1);
    expect(arm.get(nextLink.slice("https://management.azure.com".length)).body).toEqual({ value: [] });
    arm.delete(vault);
  }
});

test("retention is fixed at creation", () => {
  arm.put(vault, body({ softDeleteRetentionInDays: 30 }));
  expect(arm.put(vault, body({ softDeleteRetentionInDays: 31 }))).toMatchObject(refusal("BadRequest"));
  expect(arm.put(vault, body()).body).toMatchObject({ properties: { softDeleteRetentionInDays: 30 } });
});

test.each(["ab", "1vault", "a--b", "vault-", "a".repeat(25), "va_ult"])("a vault cannot be called %s", (name) => {
  expect(arm.put(vaultIn(group, name), body(), { unrecorded: true })).toMatchObject(refusal("VaultNameNotValid"));
});

test("a patch changes what it names and leaves the rest", () => {
  arm.put(vault, body());
  const patched = arm.send("PATCH", vault, { properties: { enabledForDeployment: true } });
  expect(patched).toMatchObject({ status: 200, body: { tags: { a: "1" }, properties: { enabledForDeployment: true } } });
  expect(arm.send("PATCH", vault, { tags: { b: "2" } }).body).toMatchObject({
    tags: { b: "2" },
    properties: { enabledForDeployment: true, enableRbacAuthorization: true },
  });
});

test("old versions announce their retirement, and leave access to policies until the vault is switched to roles", () => {
  const { enableRbacAuthorization: _, ...silent } = body().properties;
  const byRoles = (enableRbacAuthorization: boolean) => ({ status: 200, body: { properties: { enableRbacAuthorization } } });
  expect(arm.put(vault, { ...body(), properties: silent }, { apiVersion: "2025-05-01" })).toMatchObject(byRoles(false));
  expect(arm.send("PATCH", vault, { properties: { enableRbacAuthorization: true } })).toMatchObject(byRoles(true));
  expect(arm.put(vault, { ...body(), properties: silent })).toMatchObject({ status: 200 });
  expect(arm.get(vault, { apiVersion: "2025-05-01" }).headers).toHaveProperty("azure-deprecating");
  expect(arm.get(vault).headers).not.toHaveProperty("azure-deprecating");
});

test("the list of the oldest version finds vaults among all resources", () => {
  arm.put(vault, body());
  const filter = encodeURIComponent("resourceType eq 'Microsoft.KeyVault/vaults'");
  const listed = arm.get(`${subscription}/resources?$filter=${filter}`, { apiVersion: "2015-11-01" });
  expect(listed.body).toMatchObject({ value: [{ id: vault }] });
  expect(arm.get(`${subscription}/providers/Microsoft.KeyVault/vaults`).body).toMatchObject({ value: [{ id: vault }] });
});

test("keys are created once and listed; they are deleted and recovered with their vault", () => {
  arm.put(vault, body());
  const rsa = { properties: { kty: "rsa", keySize: 2048 } };
  expect(arm.put(`${vault}/keys/etcd`, rsa)).toMatchObject({
    status: 200,
    body: {
      name: "etcd",
      location: "eastus",
      properties: {
        kty: "RSA",
        attributes: { recoveryLevel: "Recoverable+Purgeable" },
        keyUri: "https://demo-vault.vault.azure.net/keys/etcd",
      },
    },
  });
  expect(arm.put(`${vault}/keys/etcd`, { properties: { kty: "RSA", keySize: 4096 } }).body).toMatchObject({
    properties: { keySize: 2048 },
  });
  expect(arm.get(`${vault}/keys`).body).toMatchObject({ value: [{ name: "etcd" }] });
  const message = expect.stringContaining("The specified resource does not exist.") as string;
  expect(arm.get(`${vault}/keys/other`)).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound", message } } });
  arm.delete(vault);
  expect(arm.get(`${vault}/keys`).status).toBe(404);
  arm.put(vault, body({ createMode: "recover" }));
  expect(arm.get(`${vault}/keys`).body).toMatchObject({ value: [{ name: "etcd" }] });
});
