/** Certificate issuers of a vault, and the certificates that their authorities sign: as a service cluster's TLS certificate. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KeyVaultManagementClient } from "@azure/arm-keyvault";
import { ResourceManagementClient } from "@azure/arm-resources";
import { CertificateClient } from "@azure/keyvault-certificates";
import { SecretClient } from "@azure/keyvault-secrets";
import forge from "node-forge";
import { beforeEach, describe, expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { snapshotOf } from "../../../src/emulator/state/snapshot.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { openLocalServer, recording } from "../local-server.js";
import { all, sdkAccess } from "../sdk-access.js";
import { pemPolicy, refusal, vaultUrl, VaultState } from "./vault-state.js";

const certificatesOfficer = "a4417e6f-fecd-4de8-b567-7b0420556985";
const certificateUser = "db79e9a7-68ee-4b58-9aeb-b90e7c24fcba";
const publicCa = { provider: "OneCertV2-PublicCA" };
const tls = {
  ...pemPolicy,
  issuer: { name: "public-ca" },
  x509_props: { subject: "CN=rp.example.com", sans: { dns_names: ["rp.example.com", "*.rp.example.com"] } },
};

describe("by requests", () => {
  let state: VaultState;

  beforeEach(async () => {
    state = await VaultState.open();
  });

  const set = (name: string, body: object) => state.send("PUT", `/certificates/issuers/${name}`, { body });
  const statusOf = async (name: string) => (await state.get(`/certificates/${name}/pending`)).body;

  test("an issuer is set, read, changed, listed and deleted, and its password is never answered", async () => {
    const digiCert = {
      provider: "DigiCert",
      credentials: { account_id: "account", pwd: "the password" },
      org_details: { id: "organization", admin_details: [{ first_name: "Ada", email: "ada@example.com" }] },
    };
    const id = `${vaultUrl}/certificates/issuers/company`;
    const made = await set("company", digiCert);
    expect(made).toMatchObject({
      status: 200,
      body: { ...digiCert, id, credentials: { account_id: "account" }, attributes: { enabled: true } },
    });
    expect((await state.get("/certificates/issuers/Company")).body).toEqual(made.body);
    expect((await state.get("/certificates/issuers")).body).toMatchObject({ value: [{ id, provider: "DigiCert" }] });
    const changed = await state.send("PATCH", "/certificates/issuers/company", { body: { attributes: { enabled: false } } });
    expect(changed.body).toMatchObject({ credentials: { account_id: "account" }, attributes: { enabled: false } });
    for (const text of [JSON.stringify(made), JSON.stringify(state.state)]) expect(text).not.toContain("the password");
    expect(JSON.stringify(snapshotOf(state.state, state.arm.now, { operationLog: false }))).not.toContain("PRIVATE KEY");
    expect((await state.send("DELETE", "/certificates/issuers/company")).body).toEqual(changed.body);
    for (const method of ["GET", "DELETE", "PATCH"] as const) {
      expect(await state.send(method, "/certificates/issuers/company", { body: {} })).toMatchObject(
        refusal(404, "CertificateIssuerNotFound"),
      );
    }
  });

  test.each([
    ["a reserved name", "Self", publicCa],
    ["a provider that is unknown", "a", { provider: "Contoso" }],
    ["no provider", "a", {}],
    ["DigiCert without an organization", "a", { provider: "DigiCert" }],
    ["an unknown member", "a", { ...publicCa, contact: "nobody" }],
  ])("%s is refused", async (_what, name, body) => {
    expect(await set(name, body)).toMatchObject(refusal(400, "BadParameter"));
    expect((await state.get("/certificates/issuers")).body).toMatchObject({ value: [] });
  });

  test("a certificate of an issuer that the vault does not have, or not enabled, is refused", async () => {
    const create = () => state.createCertificate("frontend-cert", { policy: tls });
    expect(await create()).toMatchObject(refusal(400, "BadParameter"));
    await set("public-ca", { ...publicCa, attributes: { enabled: false } });
    expect(await create()).toMatchObject(refusal(400, "BadParameter"));
    await set("public-ca", { ...publicCa, attributes: { enabled: true } });
    expect((await create()).status).toBe(202);
  });

  test("until the authority has signed, the certificate is there, disabled and without content", async () => {
    state.arm.seconds = { "kvCertificate.create": 600 };
    await set("public-ca", publicCa);
    await state.createCertificate("frontend-cert", { policy: tls });
    const { body } = await state.get("/certificates/frontend-cert");
    expect(body).toMatchObject({ attributes: { enabled: false }, policy: { issuer: { name: "public-ca" } } });
    expect(body).not.toHaveProperty("cer");
    expect(await state.get("/secrets/frontend-cert")).toMatchObject(refusal(404, "SecretNotFound"));
    expect(await statusOf("frontend-cert")).toMatchObject({ status: "inProgress", issuer: { name: "public-ca" } });
    state.arm.pass(600);
    expect(await statusOf("frontend-cert")).toMatchObject({ status: "completed" });
    expect((await state.get("/certificates/frontend-cert")).body).toMatchObject({ attributes: { enabled: true } });
  });

  test("an authority that a seed holds leaves the request pending, one that rejects ends it", async () => {
    state.state.knobs = { certificateIssuance: { "OneCertV2-PublicCA": "held", GlobalSign: "rejected" } };
    await set("public-ca", publicCa);
    await set("other-ca", { provider: "globalsign" });
    await state.createCertificate("held", { policy: tls });
    state.arm.pass(365 * 24 * 3600);
    state.token = state.tokenFor("https://vault.azure.net");
    expect(await statusOf("held")).toMatchObject({ status: "inProgress" });
    await state.send("PATCH", "/certificates/held/pending", { body: { cancellation_requested: true } });
    expect(await statusOf("held")).toMatchObject({ status: "cancelled" });
    await state.createCertificate("rejected", { policy: { ...tls, issuer: { name: "other-ca" } } });
    expect(await statusOf("rejected")).toMatchObject({ status: "failed", error: { code: "Request rejected" } });
    expect(await state.get("/certificates/rejected")).toMatchObject(refusal(404, "CertificateNotFound"));
  });

  test("the secret has the chain, as PEM and as PKCS#12", async () => {
    await set("public-ca", publicCa);
    const pkcs12 = { ...tls, secret_props: { contentType: "application/x-pkcs12" } };
    for (const [name, policy] of [["pem", tls] as const, ["pfx", pkcs12] as const]) await state.createCertificate(name, { policy });
    const valueOf = async (name: string) => ((await state.get(`/secrets/${name}`)).body as { value: string }).value;
    const [, leaf = "", authority = ""] = (await valueOf("pem")).split(/(?=-----BEGIN )/);
    expect(new X509Certificate(leaf).verify(new X509Certificate(authority).publicKey)).toBe(true);
    const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(Buffer.from(await valueOf("pfx"), "base64").toString("latin1")), "");
    expect(store.getBags({ bagType: forge.pki.oids["certBag"] ?? "" })[forge.pki.oids["certBag"] ?? ""]).toHaveLength(2);
  });

  test("a certificate may have no subject but other names, as one for a hostname above 64 characters", async () => {
    await set("public-ca", publicCa);
    const dns_names = [`${"a".repeat(60)}.rp.example.com`];
    await state.createCertificate("long", { policy: { ...tls, x509_props: { subject: "", sans: { dns_names } } } });
    const { cer } = (await state.get("/certificates/long")).body as { cer: string };
    expect(new X509Certificate(Buffer.from(cer, "base64"))).toMatchObject({ subjectAltName: `DNS:${dns_names[0] ?? ""}` });
    expect(await state.createCertificate("nameless", { policy: { ...tls, x509_props: { subject: "" } } })).toMatchObject(
      refusal(400, "BadParameter"),
    );
  });

  test("a reader of certificates cannot read issuers, an officer can set them", async () => {
    const reader = await VaultState.open({ role: certificateUser });
    expect(await reader.get("/certificates/issuers")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
    const officer = await VaultState.open({ role: certificatesOfficer });
    expect((await officer.send("PUT", "/certificates/issuers/a", { body: publicCa })).status).toBe(200);
  });
});

test("with Azure's own SDK, a TLS certificate is signed by an issuer's authority for the hostnames of its policy", async () => {
  const environment = { ARO_HCP_LOCAL_RECORD: join(temporaryDirectory().path, "traffic.ndjson"), ...recording() };
  const server = await openLocalServer({ environment });
  const { credential, options } = sdkAccess(server);
  await new ResourceManagementClient(credential, wellKnown.subscriptionId, options).resourceGroups.createOrUpdate("demo", {
    location: "eastus",
  });
  const { vaults } = new KeyVaultManagementClient(credential, wellKnown.subscriptionId, options);
  const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true } as const;
  const vault = await vaults.createOrUpdate("demo", "svc-vault", { location: "eastus", properties }, { updateIntervalInMs: 20 });
  const role = "00482a5a-887f-4fb3-b363-3b7fe8e74483";
  await seedState(server.directory, { roleAssignments: [{ scope: vault.id, role, principalId: wellKnown.clientPrincipalId }] });
  const url = vault.properties.vaultUri ?? "";
  const certificates = new CertificateClient(url, credential, options);
  const issuer = { accountId: "account", password: "the password", organizationId: "organization" };
  // The SDK takes the name from another part of the ID.
  const id = `${url}certificates/issuers/public-ca`;
  expect(await certificates.createIssuer("public-ca", "OneCertV2-PublicCA", issuer)).toMatchObject({ id, accountId: "account" });
  expect(await all(certificates.listPropertiesOfIssuers())).toMatchObject([{ id, provider: "OneCertV2-PublicCA" }]);
  const dnsNames: [string, string] = ["rp.example.com", "*.rp.example.com"];
  const poller = await certificates.beginCreateCertificate(
    "frontend-cert",
    { issuerName: "public-ca", subject: "CN=rp.example.com", subjectAlternativeNames: { dnsNames }, contentType: "application/x-pem-file" },
    { intervalInMs: 20 },
  );
  const made = await poller.pollUntilDone();
  expect(made.policy).toMatchObject({ issuerName: "public-ca", subjectAlternativeNames: { dnsNames } });
  const certificate = new X509Certificate(Buffer.from(made.cer ?? []));
  expect(certificate.subjectAltName).toBe("DNS:rp.example.com, DNS:*.rp.example.com");
  expect(certificate.issuer).toContain("OneCertV2-PublicCA");
  expect(certificate.checkHost("api.rp.example.com")).toBe("*.rp.example.com");
  const { value, properties: about } = await new SecretClient(url, credential, options).getSecret("frontend-cert");
  expect([value?.match(/BEGIN CERTIFICATE/g)?.length, about.contentType]).toEqual([2, "application/x-pem-file"]);
  await certificates.deleteIssuer("public-ca");
  await expect(certificates.getIssuer("public-ca")).rejects.toMatchObject({ statusCode: 404, code: "CertificateIssuerNotFound" });
  expect(readFileSync(environment.ARO_HCP_LOCAL_RECORD, "utf8")).not.toContain("the password");
});
