/** Missing permissions, missing inputs, and other forms of credentials. For each check, see `identity-row-tests.ts`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { givenDocument } from "../../../src/files/given-document.js";
import { readInfraOutput } from "../../../src/files/infra-output.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import type { IdentityChain } from "../../../src/identities/verify/chain.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { groups, subscription } from "../../cli/demo-cluster.js";
import { pkcs12Of, writeSecret, type Fields } from "./credential-writing.js";
import { commandsIn, findings, healthyState, rowOf } from "../../verify/healthy-state.js";
import { assign, assignmentsOf } from "./identity-edits.js";
import { changeState } from "../../harness/state-changes.js";
import { keyIn } from "./identity-key-rows.js";
import { editFiles } from "./identity-rows.js";

/** Fault rules: the discovery document exists, but the key set does not. */
async function noKeySet(): Promise<string> {
  const path = join(temporaryDirectory().path, "faults.json");
  const answer = { status: 404, headers: { "x-ms-error-code": "BlobNotFound" } };
  await writeFile(path, JSON.stringify([{ path: "/jwks$", times: 9, answer }]));
  return path;
}

const cryptoOfficer = "14b46e9e-c2b7-41b4-b07b-48a6ebf60603";

const kms = "kms";
const kmsRole = `kms-role/${kms}`;
const kmsKey = `kms-key/${kms}`;

const row = (results: readonly Result[], id: string) => rowOf(results, ...(id.split("/") as [string, string]));

test("without permission to read the directory, tokens identify principals; inherited roles count, and case of group names is ignored", async () => {
  const state = await healthyState();
  await changeState(state, (stored) => {
    Object.assign(stored.applications[wellKnown.clientId] ?? {}, { graphPermissions: [] });
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
  expect(findings(results)).toEqual([`${kmsRole} failed`]);
  expect(row(results, kmsRole).evidence).toMatch(/no role assignment Key Vault Crypto User for kms on Key Vault/);
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
  expect(row(results, "azure-read/cpo").evidence).toContain("--infra-file");
  expect(row(results, "federation/azure-disk-MI").evidence).toContain("--oidc-issuer-url");
  expect(row(results, "federated-sign-in/azure-disk-MI").state).toBe("skipped");

  // If the cluster's group does not exist, only role-assigned fails.
  const infra = await readInfraOutput(join(state.files, "infra.json"));
  const gone = await state.verify({ infra: { ...infra, resourceGroupName: "demo-gone" } });
  expect(new Set(findings(gone).map((line) => line.split("/")[0]))).toEqual(new Set(["role-assigned"]));
  expect(row(gone, "role-assigned/cpo")).toMatchObject({
    evidence: "Resource group 'demo-gone' could not be found.",
    next: expect.stringMatching(/--infra-file of an existing cluster/) as unknown,
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

/** A state with a key for etcd encryption, and the findings of its checks. */
async function stateWithKey() {
  const state = await healthyState();
  const encryptionKeyId = await keyIn(state, "etcd", { kty: "RSA", keySize: 4096 });
  const verify = async (changes?: Partial<IdentityChain>) => {
    const results = await state.verify({ encryptionKeyId, ...changes }, { subjects: ["kms"] });
    return { found: findings(results), role: rowOf(results, "kms-role", "kms") };
  };
  return { state, verify };
}

test("the advice for the KMS identity's missing role names the vault, and another role on the key is enough", async () => {
  const { state, verify } = await stateWithKey();
  const { vaults } = await state.azure.vaults();
  const { found, role } = await verify();
  expect(found).toEqual([`${kmsRole} failed`]);
  const [, principalId = "", scope = ""] = /--assignee-object-id (\S+) .*--scope (\S+)$/.exec(commandsIn(role)[0] ?? "") ?? [];
  const { id: vaultId = "" } = await vaults.get("demo-common", state.vault);
  expect(scope).toBe(vaultId);
  const assignOn = (key: string, name: string) =>
    changeState(state, (stored) => assign(stored, `${vaultId}/keys/${key}`, cryptoOfficer, principalId, name));

  await assignOn("other", "aaaaaaaa-0000-4000-8000-000000000002");
  expect((await verify()).found).toEqual([`${kmsRole} failed`]);
  await assignOn("etcd", "aaaaaaaa-0000-4000-8000-000000000003");
  expect((await verify()).role.evidence).toBe(`Key Vault Crypto Officer for object ID ${principalId}`);
});

test("the key is used as the KMS identity, and its backup too, until the role or a version is gone", async () => {
  const state = await healthyState();
  const path = join(state.files, "encryption-key.json");
  const inFile = async (member: string) => (JSON.parse(await readFile(path, "utf8")) as Record<string, string>)[member] ?? "";
  const verify = async (...flags: readonly string[]) => {
    const args = ["verify", "identities", "--input-dir", state.files, "--component", kms, "--output", "json", ...flags];
    return (JSON.parse((await state.run(...args)).stdout) as { results: Result[] }).results;
  };
  const set = ["--name", "demo", "--resource-group-name", "demo-common"];
  const oldVersion = (await inFile("activeKeyID")).split("/").at(-1) ?? "";
  await state.aroHcp(["rotate", "encryption-key", ...set, "--output-file", path, "--keep-own-roles", "--yes"]);
  const used = row(await verify(), "kms-use/kms");
  expect([used.state, used.evidence]).toEqual([
    "passed",
    "encrypted and decrypted with RSA-OAEP-256: 2 versions of key demo-etcd-encryption",
  ]);

  await changeState(state, (stored) => {
    const inVaults = Object.values(stored.vaults ?? {}).flatMap(({ keys = {} }) => Object.values(keys).flatMap(({ versions }) => versions));
    for (const { version, attributes } of inVaults) attributes.enabled = version !== oldVersion;
    for (const { name, properties } of Object.values(stored.resources))
      if (name === oldVersion) (properties["attributes"] as { enabled: boolean }).enabled = false;
  });
  expect(findings(await verify())).toEqual([`${kmsKey} failed`]);

  await changeState(state, (stored) => {
    for (const [key, { scope }] of Object.entries(stored.roleAssignments))
      if (scope.endsWith("/keys/demo-etcd-encryption")) Reflect.deleteProperty(stored.roleAssignments, key);
  });
  expect(findings(await verify("--encryption-key-id", await inFile("activeKeyID")))).toEqual([`${kmsRole} failed`]);

  const key = "demo-etcd-encryption";
  const keys = await state.azure.vaultKeys(state.vault);
  await (await keys.beginDeleteKey(key, { intervalInMs: 1 })).pollUntilDone();
  const deleted = await verify();
  expect(findings(deleted)).toEqual([`${kmsKey} failed`]);
  const { evidence } = row(deleted, kmsKey);
  expect(evidence).toBe(`key ${key} of vault ${state.vault} is soft-deleted`);
  await state.follow(`${commandsIn(row(deleted, kmsKey))[0] ?? ""} --yes`);
  expect(row(await verify(), kmsKey).evidence).not.toContain("soft-deleted");
});

test("a key for etcd encryption without a KMS identity in the file fails, and with the control-plane file alone it is skipped", async () => {
  const { state, verify } = await stateWithKey();
  await editFiles(state, (files) => void delete files.kms);
  expect(await verify()).toMatchObject({
    found: [`${kmsRole} failed`],
    role: { evidence: expect.stringMatching(/the file has no KMS identity/) as unknown },
  });
  const inner = await givenDocument(join(state.files, "managed-identities.json"));
  expect((await verify({ managedIdentities: inner })).role.state).toBe("skipped");
});
