/** Missing permissions, missing inputs, and other forms of credentials. For each check's fault and fix, see `identity-advice.test.ts`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { givenDocument } from "../../src/files/given-document.js";
import { readInfraOutput } from "../../src/files/infra-output.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { groups, subscription } from "../cli/demo-cluster.js";
import { pkcs12Of, writeSecret, type Fields } from "./credential-writing.js";
import { commandsIn, findings, healthyState, rowOf } from "./healthy-state.js";
import { assign, assignmentsOf } from "./identity-access-rows.js";
import { change } from "./identity-rows.js";

/** Fault rules: the discovery document exists, but the key set does not. */
async function noKeySet(): Promise<string> {
  const path = join(temporaryDirectory().path, "faults.json");
  const answer = { status: 404, headers: { "x-ms-error-code": "BlobNotFound" } };
  await writeFile(path, JSON.stringify([{ path: "/jwks$", times: 9, answer }]));
  return path;
}

const cryptoOfficer = "14b46e9e-c2b7-41b4-b07b-48a6ebf60603";

const row = (results: readonly Result[], id: string) => rowOf(results, ...(id.split("/") as [string, string]));

test("without permission to read the directory, tokens identify principals; inherited roles count, and case of group names is ignored", async () => {
  const state = await healthyState();
  await change(state, (stored) => {
    for (const each of stored.applications) if (each.appId === wellKnown.clientId) each.graphPermissions = [];
    for (const [key, { principalId }] of assignmentsOf(stored, "disk")) {
      Reflect.deleteProperty(stored.roleAssignments, key);
      assign(stored, subscription, "5b7237c5-45e1-49d6-bc18-a1f62f400748", principalId, "00000000-0000-4000-8000-00000000cccc");
    }
  });
  const { keys } = await state.azure.vaults();
  const { keyUriWithVersion: encryptionKeyId } = await keys.createIfNotExist("demo-common", state.vault, "etcd", {
    properties: { kty: "RSA" },
  });
  const infra = await readInfraOutput(join(state.files, "infra.json"));
  const { vnetID = "" } = infra;
  const results = await state.verify({
    encryptionKeyId,
    infra: { ...infra, vnetID: vnetID.replace(groups.vnet, groups.vnet.toUpperCase()) },
  });
  expect(findings(results)).toEqual(["kms-role/kms failed"]);
  expect(row(results, "kms-role/kms").evidence).toContain("no role assignment Key Vault Crypto User for kms on Key Vault");
  const principal = row(results, "principal-exists/cpo");
  expect([principal.state, principal.evidence]).toEqual([
    "skipped",
    expect.stringMatching(/Authorization_RequestDenied.*Application.Read.All/),
  ]);
  expect(row(results, "role-assigned/disk").evidence).toContain(`(inherited from ${subscription})`);
  expect(row(results, "role-name-free/cpo").evidence).toBe("3 names in use by its own role assignments, the others free");
});

test("the key set is fetched even without the cluster's key", async () => {
  const state = await healthyState({ ARO_HCP_LOCAL_FAULTS: await noKeySet() });
  const results = await state.verify({ signingKeyPath: undefined });
  expect(findings(results)).toEqual(["issuer-keys/issuer failed"]);
  expect(row(results, "issuer-keys/issuer").evidence).toMatch(/jwks returned 404 BlobNotFound; sign-in fails with AADSTS50166/);
});

test("checks without their input are skipped with the missing flag", async () => {
  const state = await healthyState();
  const results = await state.verify({ infra: undefined, issuerUrl: undefined, signingKeyPath: undefined });
  expect(findings(results)).toEqual([]);
  expect(row(results, "azure-read/cpo").evidence).toContain("--infra-json");
  expect(row(results, "federation/azure-disk-MI").evidence).toContain("--oidc-issuer-url");
  expect(row(results, "federated-sign-in/azure-disk-MI").state).toBe("skipped");

  // If the cluster's group does not exist, only role-assigned fails.
  const infra = await readInfraOutput(join(state.files, "infra.json"));
  const gone = await state.verify({ infra: { ...infra, resourceGroupName: "demo-gone" } });
  expect(new Set(findings(gone).map((line) => line.split("/")[0]))).toEqual(new Set(["role-assigned"]));
  expect(row(gone, "role-assigned/cpo")).toMatchObject({
    evidence: "Resource group 'demo-gone' could not be found.",
    next: expect.stringMatching(/--infra-json of an existing cluster/) as unknown,
  });
  expect(row(gone, "role-name-free/cpo").state).toBe("skipped");
});

test("PKCS#12 as `az` stores it passes, and certificates that expire soon are warnings", async () => {
  const state = await healthyState();
  const { secrets } = await state.azure.vaultContent(state.vault);
  const { value = "" } = await secrets.getSecret("demo-cpo");
  const fields = JSON.parse(value) as Fields;
  await writeSecret(secrets, "demo-cpo", JSON.stringify({ ...fields, client_secret: pkcs12Of(fields, "3des") }));
  const results = await state.verify({ watchExpiryDays: 366 });
  expect(rowOf(results, "credential-certificate", "cpo").evidence).toMatch(/^PKCS#12, RSA 2048/);
  const soon = rowOf(results, "credential-expiry", "cpo");
  expect(soon).toMatchObject({ state: "warning", evidence: expect.stringMatching(/, in 36\d days$/) as unknown });
  expect(findings(results).every((finding) => finding.startsWith("credential-expiry/"))).toBe(true);
  expect(findings(await state.verify())).toEqual([]);
});

test("a vault's firewall fails one check, and the checks that depend on it are skipped", async () => {
  const state = await healthyState();
  const { vaults } = await state.azure.vaults();
  const close = (properties: object) => vaults.update("demo-common", state.vault, { properties });
  const evidence = async () => {
    const results = await state.verify();
    expect(findings(results)).toEqual(["vault-reachable/vault failed"]);
    expect(rowOf(results, "credential-json", "cpo").state).toBe("skipped");
    return rowOf(results, "vault-reachable", "vault").evidence;
  };
  await close({ networkAcls: { defaultAction: "Deny", ipRules: [] } });
  expect(await evidence()).toMatch(/^access is denied except for 0 address ranges.*no node can read a secret/);
  await close({ networkAcls: { defaultAction: "Deny", ipRules: [{ value: "198.51.100.7" }] } });
  expect(await evidence()).toMatch(/^ForbiddenByFirewall: access is denied except for 1 address range,.*this machine is not among them/);
  await close({ publicNetworkAccess: "Disabled" });
  expect(await evidence()).toMatch(/^public access is disabled/);
  await close({ publicNetworkAccess: "Enabled", networkAcls: { defaultAction: "Allow", ipRules: [] } });
  expect(findings(await state.verify())).toEqual([]);
});

test("a key for etcd encryption fails if it is missing, in another cloud, disabled, expired, not RSA, or not usable by the KMS identity", async () => {
  const state = await healthyState();
  const { keys, vaults } = await state.azure.vaults();
  const make = async (name: string, properties: object) => {
    const { keyUriWithVersion = "" } = await keys.createIfNotExist("demo-common", state.vault, name, { properties });
    return keyUriWithVersion;
  };
  const good = await make("etcd", { kty: "RSA", keySize: 4096 });
  const finding = async (encryptionKeyId: string) => {
    const results = await state.verify({ encryptionKeyId });
    return { found: findings(results), row: rowOf(results, "kms-key", "kms"), role: rowOf(results, "kms-role", "kms") };
  };
  for (const [id, evidence] of [
    [good.replace(/\w+$/, "0".repeat(32)), /has no version 0{32} of key etcd/],
    [good.replace(state.vault, "elsewhere"), /has no vault elsewhere/],
    [await make("off", { kty: "RSA", attributes: { enabled: false } }), /of key off is disabled/],
    [good.replace("vault.azure.net", "vault.azure.cn"), /is at vault\.azure\.cn, but vaults of AzurePublicCloud are at vault\.azure\.net/],
    [await make("curve", { kty: "EC", curveName: "P-256" }), /is of type EC/],
    [
      await make("old", { kty: "RSA", attributes: { expires: Date.parse("2025-01-01T00:00:00Z") / 1000 } }),
      /expired on 2025-01-01T00:00:00Z/,
    ],
    [
      await make("new", { kty: "RSA", attributes: { notBefore: Date.parse("2099-01-01T00:00:00Z") / 1000 } }),
      /not valid before 2099-01-01/,
    ],
    [await make("signs", { kty: "RSA", keyOps: ["sign", "decrypt"] }), /does not allow the key operations encrypt$/],
  ] as const) {
    const { found, row, role } = await finding(id);
    expect(found).toEqual(["kms-key/kms failed"]);
    expect(row.evidence).toMatch(evidence);
    expect(role.state).toBe("skipped");
  }
  const { found, role } = await finding(good);
  expect(found).toEqual(["kms-role/kms failed"]);
  const [, roleId = "", principalId = "", scope = ""] =
    /--role (\S+) --assignee-object-id (\S+) .*--scope (\S+)$/.exec(commandsIn(role)[0] ?? "") ?? [];
  const { id: vaultId = "" } = await vaults.get("demo-common", state.vault);
  expect(scope).toBe(vaultId);
  const { roleAssignments } = await state.azure.authorization();
  const assign = async (at: string, role: string, name: string) => {
    const roleDefinitionId = `/subscriptions/${state.azure.connection.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
    const { id = "" } = await roleAssignments.create(at, name, { principalId, principalType: "ServicePrincipal", roleDefinitionId });
    return id;
  };
  const onVault = await assign(scope, roleId, "aaaaaaaa-0000-4000-8000-000000000001");
  expect((await finding(good)).found).toEqual([]);
  await roleAssignments.deleteById(onVault);

  // A wider role on the key alone is enough; on another key it is not.
  await assign(`${vaultId}/keys/curve`, cryptoOfficer, "aaaaaaaa-0000-4000-8000-000000000002");
  expect((await finding(good)).found).toEqual(["kms-role/kms failed"]);
  await assign(`${vaultId}/keys/etcd`, cryptoOfficer, "aaaaaaaa-0000-4000-8000-000000000003");
  expect((await finding(good)).role.evidence).toBe(`Key Vault Crypto Officer for object ID ${principalId}`);

  // A key without an identity that uses it.
  const path = join(state.files, "identities.json");
  const { kms: _, ...others } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  await writeFile(path, JSON.stringify(others));
  expect(await finding(good)).toMatchObject({
    found: ["kms-role/kms failed"],
    role: { evidence: expect.stringMatching(/the file has no KMS identity/) as unknown },
  });
  const inner = await givenDocument(join(state.files, "managed-identities.json"));
  expect(rowOf(await state.verify({ managedIdentities: inner, encryptionKeyId: good }), "kms-role", "kms").state).toBe("skipped");
});
