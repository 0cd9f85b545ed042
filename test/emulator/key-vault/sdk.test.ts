/** A vault as Azure's own SDKs see it: management and content, through the server. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KeyVaultManagementClient } from "@azure/arm-keyvault";
import { ManagedServiceIdentityClient } from "@azure/arm-msi";
import { ResourceManagementClient } from "@azure/arm-resources";
import { CertificateClient } from "@azure/keyvault-certificates";
import { SecretClient } from "@azure/keyvault-secrets";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer, recording } from "../local-server.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { all, sdkAccess } from "../sdk-access.js";

const { subscriptionId, tenantId, clientPrincipalId } = wellKnown;
const administrator = "00482a5a-887f-4fb3-b363-3b7fe8e74483";
const location = "eastus";

async function openVault({ environment = recording() } = {}) {
  const name = "demo-vault";
  const server = await openLocalServer({ environment });
  const { credential, options } = sdkAccess(server);
  const resources = new ResourceManagementClient(credential, subscriptionId, options);
  const management = new KeyVaultManagementClient(credential, subscriptionId, options);
  await resources.resourceGroups.createOrUpdate("demo", { location });
  const properties = { tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true } as const;
  const vault = await management.vaults.createOrUpdate("demo", name, { location, properties }, { updateIntervalInMs: 20 });
  await seedState(server.directory, {
    roleAssignments: [{ scope: vault.id, role: administrator, principalId: clientPrincipalId }],
  });
  const url = vault.properties.vaultUri ?? "";
  return {
    server,
    management,
    identities: new ManagedServiceIdentityClient(credential, subscriptionId, options),
    certificates: new CertificateClient(url, credential, options),
    secrets: new SecretClient(url, credential, options),
  };
}

const policy = {
  issuerName: "Self",
  subject: "CN=demo-cpo-cert",
  contentType: "application/x-pem-file",
  keyType: "RSA",
  keySize: 2048,
  exportable: true,
  reuseKey: false,
  validityInMonths: 12,
} as const;

test("a vault is created, soft-deleted, listed as deleted and purged", async () => {
  const { management } = await openVault();
  expect((await all(management.vaults.listByResourceGroup("demo"))).map(({ name }) => name)).toEqual(["demo-vault"]);
  expect((await all(management.vaults.list())).map(({ name }) => name)).toEqual(["demo-vault"]);
  expect((await management.vaults.get("demo", "demo-vault")).properties.provisioningState).toBe("Succeeded");
  expect((await management.vaults.update("demo", "demo-vault", { tags: { a: "1" } })).tags).toEqual({ a: "1" });
  await management.vaults.delete("demo", "demo-vault");
  expect((await all(management.vaults.listDeleted())).map(({ name }) => name)).toEqual(["demo-vault"]);
  expect((await management.vaults.getDeleted("demo-vault", location)).properties?.tags).toEqual({ a: "1" });
  const asked = { name: "demo-vault", type: "Microsoft.KeyVault/vaults" } as const;
  expect((await management.vaults.checkNameAvailability(asked)).reason).toBe("AlreadyExists");
  await management.vaults.purgeDeleted("demo-vault", location);
  expect((await management.vaults.checkNameAvailability(asked)).nameAvailable).toBe(true);
});

test("identities and their credentials are created, listed and deleted", async () => {
  const { identities } = await openVault();
  const identity = await identities.userAssignedIdentities.createOrUpdate("demo", "disk", { location, tags: { a: "1" } });
  expect(identity.clientId).toMatch(/^[0-9a-f-]{36}$/);
  const credential = { issuer: "https://issuer.example.com", subject: "system:serviceaccount:a:b", audiences: ["openshift"] };
  await identities.federatedIdentityCredentials.createOrUpdate("demo", "disk", "operator", credential);
  expect(await identities.federatedIdentityCredentials.get("demo", "disk", "operator")).toMatchObject(credential);
  expect(await all(identities.federatedIdentityCredentials.list("demo", "disk"))).toHaveLength(1);
  await identities.federatedIdentityCredentials.delete("demo", "disk", "operator");
  await identities.userAssignedIdentities.delete("demo", "disk");
  expect(await all(identities.userAssignedIdentities.listByResourceGroup("demo"))).toEqual([]);
});

test("the vault creates a certificate, and its secret has the matching key", async () => {
  const { certificates, secrets } = await openVault();
  const poller = await certificates.beginCreateCertificate("demo-cpo-cert", policy, { tags: { a: "1" }, intervalInMs: 1 });
  const made = await poller.pollUntilDone();
  const x509 = new X509Certificate(Buffer.from(made.cer ?? new Uint8Array()));
  expect(x509.subject).toBe("CN=demo-cpo-cert");
  expect(x509.verify(x509.publicKey)).toBe(true);
  expect(Buffer.from(made.properties.x509Thumbprint ?? []).toString("hex")).toBe(x509.fingerprint.replaceAll(":", "").toLowerCase());
  const secret = await secrets.getSecret("demo-cpo-cert");
  expect(secret.properties).toMatchObject({ contentType: "application/x-pem-file", managed: true, version: made.properties.version });
  const value = secret.value ?? "";
  expect(x509.checkPrivateKey(createPrivateKey(value))).toBe(true);
  expect(new X509Certificate(value.slice(value.indexOf("-----BEGIN CERTIFICATE"))).raw).toEqual(x509.raw);

  await (await certificates.beginCreateCertificate("demo-cpo-cert", policy)).pollUntilDone();
  const versions = await all(certificates.listPropertiesOfCertificateVersions("demo-cpo-cert"));
  expect(versions).toHaveLength(2);
  const changed = await certificates.updateCertificateProperties("demo-cpo-cert", made.properties.version ?? "", { tags: { b: "2" } });
  expect(changed.properties.tags).toEqual({ b: "2" });
  expect((await certificates.getCertificatePolicy("demo-cpo-cert")).subject).toBe("CN=demo-cpo-cert");
  await certificates.updateCertificatePolicy("demo-cpo-cert", { ...policy, validityInMonths: 6 });
  expect((await certificates.getCertificate("demo-cpo-cert")).policy?.validityInMonths).toBe(6);
  expect(await all(certificates.listPropertiesOfCertificates())).toHaveLength(1);

  await (await certificates.beginDeleteCertificate("demo-cpo-cert")).pollUntilDone();
  expect(await all(certificates.listDeletedCertificates())).toHaveLength(1);
  await expect(secrets.getSecret("demo-cpo-cert")).rejects.toMatchObject({ statusCode: 404, code: "SecretNotFound" });
  await (await certificates.beginRecoverDeletedCertificate("demo-cpo-cert")).pollUntilDone();
  expect((await secrets.getSecret("demo-cpo-cert")).value).toContain("PRIVATE KEY");
  await (await certificates.beginDeleteCertificate("demo-cpo-cert")).pollUntilDone();
  await certificates.purgeDeletedCertificate("demo-cpo-cert");
  expect(await all(certificates.listDeletedCertificates())).toEqual([]);
});

test("a secret is set, read, listed, changed, deleted, recovered and purged", async () => {
  const { secrets } = await openVault();
  const notBefore = new Date("2026-01-01T00:00:00Z");
  const expiresOn = new Date("2027-01-01T00:00:00Z");
  const set = await secrets.setSecret("demo-cpo", "{}", { contentType: "application/json", notBefore, expiresOn, tags: { a: "1" } });
  await secrets.setSecret("demo-cpo", "second");
  expect((await secrets.getSecret("demo-cpo")).value).toBe("second");
  expect(await secrets.getSecret("demo-cpo", { version: set.properties.version ?? "" })).toMatchObject({
    value: "{}",
    properties: { contentType: "application/json", notBefore, expiresOn, tags: { a: "1" }, recoverableDays: 90 },
  });
  expect(await all(secrets.listPropertiesOfSecretVersions("demo-cpo"))).toHaveLength(2);
  await secrets.updateSecretProperties("demo-cpo", set.properties.version ?? "", { enabled: false });
  await expect(secrets.getSecret("demo-cpo", { version: set.properties.version ?? "" })).rejects.toMatchObject({ statusCode: 403 });
  await (await secrets.beginDeleteSecret("demo-cpo")).pollUntilDone();
  expect((await all(secrets.listDeletedSecrets())).map(({ name }) => name)).toEqual(["demo-cpo"]);
  await expect(secrets.setSecret("demo-cpo", "third")).rejects.toMatchObject({ statusCode: 409, code: "Conflict" });
  await (await secrets.beginRecoverDeletedSecret("demo-cpo")).pollUntilDone();
  expect((await secrets.getSecret("demo-cpo")).value).toBe("second");
  await (await secrets.beginDeleteSecret("demo-cpo")).pollUntilDone();
  await secrets.purgeDeletedSecret("demo-cpo");
  expect(await all(secrets.listPropertiesOfSecrets())).toEqual([]);
});

test("no secret and no key is in the record of traffic", async () => {
  const record = join(temporaryDirectory().path, "traffic.ndjson");
  const { certificates, secrets } = await openVault({ environment: { ARO_HCP_LOCAL_RECORD: record } });
  await secrets.setSecret("demo-cpo", "very-secret");
  await secrets.getSecret("demo-cpo");
  await (await certificates.beginCreateCertificate("demo-cpo-cert", policy)).pollUntilDone();
  const key = (await secrets.getSecret("demo-cpo-cert")).value ?? "";
  await all(secrets.listPropertiesOfSecrets());
  const recorded = readFileSync(record, "utf8");
  expect(recorded).toContain("demo-cpo-cert");
  for (const secret of ["very-secret", "PRIVATE KEY", key.split("\n")[1] ?? ""]) expect(recorded).not.toContain(secret);
});

test("with recorded latencies the SDKs wait for the vault's name, the certificate, the deletion and the purge", async () => {
  const environment = { ...recording(), ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "300" };
  const { management, certificates } = await openVault({ environment });
  expect((await management.vaults.get("demo", "demo-vault")).properties.provisioningState).toBe("Succeeded");
  const made = await (await certificates.beginCreateCertificate("a", policy, { intervalInMs: 20 })).pollUntilDone();
  expect(made.properties.enabled).toBe(true);
  await (await certificates.beginDeleteCertificate("a", { intervalInMs: 20 })).pollUntilDone();
  await management.vaults.delete("demo", "demo-vault");
  await management.vaults.purgeDeleted("demo-vault", location, { updateIntervalInMs: 20 });
  await expect(management.vaults.getDeleted("demo-vault", location)).rejects.toMatchObject({ code: "DeletedVaultNotFound" });
});
