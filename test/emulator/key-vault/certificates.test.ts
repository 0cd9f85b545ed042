import { createPrivateKey, X509Certificate } from "node:crypto";
import forge from "node-forge";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { snapshotOf } from "../../../src/emulator/state/snapshot.js";
import { policyBody } from "../../../src/emulator/services/key-vault/certificate-policy.js";
import { makeCertificate } from "../../../src/emulator/services/key-vault/make-certificate.js";
import { holdKeys } from "../../harness/key-pool.js";
import { pemPolicy, refusal, vaultUrl, VaultState } from "./vault-state.js";

let state: VaultState;
const day = 24 * 3600;

interface Bundle {
  readonly id: string;
  readonly cer: string;
  readonly x5t: string;
  readonly attributes: { readonly nbf: number; readonly exp: number };
}

beforeEach(async () => {
  state = await VaultState.open();
});

async function bundleOf(name: string): Promise<Bundle> {
  return (await state.get(`/certificates/${name}`)).body as Bundle;
}

async function secretValueOf(name: string): Promise<string> {
  return ((await state.get(`/secrets/${name}`)).body as { value: string }).value;
}

test("a certificate is pending for some seconds, and does not exist before", async () => {
  state.arm.seconds = { "kvCertificate.create": 6 };
  const accepted = await state.createCertificate("demo-cert");
  const pending = `${vaultUrl}/certificates/demo-cert/pending`;
  expect(accepted).toMatchObject({ status: 202, body: { id: pending, status: "inProgress", cancellation_requested: false } });
  expect(accepted.headers["Location"]).toContain(`${pending}?api-version=2025-07-01&request_id=`);
  expect(await state.get("/certificates/demo-cert")).toMatchObject(refusal(404, "CertificateNotFound"));
  expect(await state.get("/secrets/demo-cert")).toMatchObject(refusal(404, "SecretNotFound"));
  expect(await state.createCertificate("demo-cert")).toMatchObject(refusal(409, "Conflict"));
  state.arm.pass(5);
  expect(await state.get("/certificates/demo-cert/pending")).toMatchObject({ body: { status: "inProgress" } });
  state.arm.pass(1);
  expect(await state.get("/certificates/demo-cert/pending")).toMatchObject({
    body: { status: "completed", target: `${vaultUrl}/certificates/demo-cert` },
  });
  expect((await bundleOf("demo-cert")).id).toMatch(/\/certificates\/demo-cert\/[0-9a-f]{32}$/);
});

test("the operation says what an issuer would be sent: a signed request for its subject", async () => {
  await state.createCertificate("a");
  const { cer } = await bundleOf("a");
  const { status, csr } = (await state.get("/certificates/a/pending")).body as { status: string; csr: string };
  const request = forge.pki.certificationRequestFromAsn1(forge.asn1.fromDer(Buffer.from(csr, "base64").toString("latin1")));
  expect([status, request.verify(), request.subject.getField("CN")?.value]).toEqual(["completed", true, "demo"]);
  const spki = new X509Certificate(Buffer.from(cer, "base64")).publicKey.export({ type: "spki", format: "pem" });
  expect(forge.pki.publicKeyToPem(request.publicKey as forge.pki.PublicKey).replaceAll("\r", "")).toBe(spki);
});

test("usages are answered in order, and older versions answer members that no API description has", async () => {
  const x509_props = { subject: "CN=demo", validity_months: 12, key_usage: ["keyEncipherment", "digitalSignature", "cRLSign"] };
  await state.createCertificate("a", { policy: { ...pemPolicy, x509_props } });
  const sorted = ["cRLSign", "digitalSignature", "keyEncipherment"];
  const older = (await state.send("GET", "/certificates/a", { apiVersion: "7.5" })).body;
  expect(older).toMatchObject({
    policy: { x509_props: { key_usage: sorted, basic_constraints: { ca: false } } },
    pending: { id: `${vaultUrl}/certificates/a/pending` },
  });
  const newer = (await state.get("/certificates/a")).body as { policy: { x509_props: object } };
  expect(newer.policy.x509_props).toMatchObject({ key_usage: sorted });
  expect([newer, newer.policy.x509_props].flatMap(Object.keys)).not.toEqual(expect.arrayContaining(["pending"]));
  expect(newer.policy.x509_props).not.toHaveProperty("basic_constraints");
  const policy = (older as { policy: object }).policy;
  expect(await state.send("PATCH", "/certificates/a/policy", { body: policy, apiVersion: "7.5" })).toMatchObject({ status: 200 });
});

test("the answer to a creation has the request for its key; while that is being made, all else in the vault is answered at once", async () => {
  const release = holdKeys();
  onTestFinished(release);
  const ordered = state.createCertificate("a");
  expect(await state.get("/certificates")).toMatchObject({ status: 200 });
  release();
  expect(await ordered).toMatchObject({ status: 202, body: { status: "inProgress", csr: expect.stringMatching(/^MII/) } });
  expect((await bundleOf("a")).cer).toMatch(/^MII/);
  expect(await state.get("/certificates/a/pending")).toMatchObject({ body: { status: "completed" } });
});

test("a version that no process is making any more is made again", async () => {
  await state.createCertificate("a");
  const other = await VaultState.open();
  other.arm.state = state.state;
  other.token = state.token;
  await expect.poll(() => other.get("/certificates/a/pending")).toMatchObject({ body: { status: "completed" } });
  expect(await other.get("/certificates/a")).toMatchObject({ status: 200 });
});

test("a certificate that cannot be made is refused, and the vault still works", async () => {
  const x509_props = { subject: "CN=demo", sans: { ipAddresses: ["nowhere"] } };
  expect(await state.createCertificate("a", { policy: { ...pemPolicy, x509_props } })).toMatchObject(refusal(400, "BadParameter"));
  expect(await state.createCertificate("a")).toMatchObject({ status: 202 });
  expect((await bundleOf("a")).cer).toMatch(/^MII/);
});

test("what somebody else signs is pending until the certificate for its key is merged", async () => {
  const policy = { ...pemPolicy, issuer: { name: "Unknown" } };
  const { body } = await state.createCertificate("a", { policy });
  expect(body).toMatchObject({ status_details: "Pending certificate created. Please Perform Merge to complete the request." });
  expect(await state.get("/certificates/a")).toMatchObject({ status: 200, body: { attributes: { enabled: false } } });
  expect(await state.get("/certificates")).toMatchObject({ body: { value: [] } });
  await state.createCertificate("other");
  const merge = (x5c: readonly string[]) => state.send("POST", "/certificates/a/pending/merge", { body: { x5c } });
  expect(await merge([(await bundleOf("other")).cer])).toMatchObject(refusal(400, "BadParameter"));
  const order = state.state.vaults?.["demo-vault"]?.certificates["a"]?.pending?.order;
  const signed = await makeCertificate(policyBody.parse(policy), order?.key ?? "", {
    serial: Buffer.from("01", "hex"),
    at: state.arm.now,
    authority: undefined,
  });
  expect(await merge([signed.cer])).toMatchObject({ status: 201, body: { cer: signed.cer } });
  expect(await state.get("/certificates/a")).toMatchObject({ status: 200, body: { cer: signed.cer, attributes: { enabled: true } } });
  expect(await secretValueOf("a")).toContain("PRIVATE KEY");
});

test("validity starts ten minutes ago and lasts as many months as requested", async () => {
  state.arm.now = Date.parse("2026-01-15T12:00:00.500Z");
  state.token = state.tokenFor("https://vault.azure.net");
  await state.createCertificate("demo-cert");
  const { attributes, cer } = await bundleOf("demo-cert");
  expect(attributes).toMatchObject({ nbf: Date.parse("2026-01-15T11:50:00Z") / 1000, exp: Date.parse("2027-01-15T12:00:00Z") / 1000 });
  const certificate = new X509Certificate(Buffer.from(cer, "base64"));
  expect(Date.parse(certificate.validTo) / 1000).toBe(attributes.exp);
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
});

test("each version has a key of its own, unless the policy reuses it", async () => {
  await state.createCertificate("a");
  const first = await bundleOf("a");
  await state.createCertificate("a");
  const second = await bundleOf("a");
  await state.createCertificate("a", { policy: { ...pemPolicy, key_props: { ...pemPolicy.key_props, reuse_key: true } } });
  const third = await bundleOf("a");
  const keyOf = ({ cer }: Bundle) => new X509Certificate(Buffer.from(cer, "base64")).publicKey.export({ type: "spki", format: "pem" });
  expect(keyOf(second)).not.toBe(keyOf(first));
  expect(keyOf(third)).toBe(keyOf(second));
  expect(third.x5t).not.toBe(second.x5t);
  expect((await state.get(first.id)).body).toMatchObject({ cer: first.cer });
  const { value } = (await state.get("/certificates/a/versions")).body as { value: { x5t: string }[] };
  expect(value.map(({ x5t }) => x5t)).toEqual([first.x5t, second.x5t, third.x5t]);
});

test("the secret of a PEM certificate contains the key, then the certificate", async () => {
  await state.createCertificate("a");
  const value = await secretValueOf("a");
  expect(value).toMatch(
    /^-----BEGIN PRIVATE KEY-----[^]+-----END PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----\n$/,
  );
  const certificate = new X509Certificate(value.slice(value.indexOf("-----BEGIN CERTIFICATE")));
  expect(certificate.checkPrivateKey(createPrivateKey(value))).toBe(true);
});

test("by default a certificate is stored as PKCS#12 without a password", async () => {
  await state.createCertificate("a", { policy: { issuer: { name: "Self" }, x509_props: { subject: "CN=demo, O=Example" } } });
  const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(Buffer.from(await secretValueOf("a"), "base64").toString("binary")), "");
  const [bag] = store.getBags({ bagType: forge.pki.oids["certBag"] ?? "" })[forge.pki.oids["certBag"] ?? ""] ?? [];
  const keys = store.getBags({ bagType: forge.pki.oids["pkcs8ShroudedKeyBag"] ?? "" })[forge.pki.oids["pkcs8ShroudedKeyBag"] ?? ""];
  expect(keys).toHaveLength(1);
  expect(bag?.cert?.subject.getField("O")).toMatchObject({ value: "Example" });
  expect((await state.get("/secrets/a")).body).toMatchObject({ contentType: "application/x-pkcs12", managed: true });
});

test("a key that is not exportable is not in the secret", async () => {
  const key_props = { ...pemPolicy.key_props, exportable: false };
  await state.createCertificate("a", { policy: { ...pemPolicy, key_props } });
  expect(await secretValueOf("a")).toMatch(/^-----BEGIN CERTIFICATE/);
  await state.createCertificate("b", { policy: { ...pemPolicy, key_props, secret_props: { contentType: "application/x-pkcs12" } } });
  const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(Buffer.from(await secretValueOf("b"), "base64").toString("binary")), "");
  expect(store.getBags({ bagType: forge.pki.oids["pkcs8ShroudedKeyBag"] ?? "" })[forge.pki.oids["pkcs8ShroudedKeyBag"] ?? ""]).toEqual([]);
});

test("names and key usages of the policy are in the certificate", async () => {
  const x509_props = { subject: "CN=demo", sans: { dns_names: ["a.example.com"] }, key_usage: ["keyCertSign"], ekus: ["1.2.3.4.5"] };
  await state.createCertificate("a", { policy: { ...pemPolicy, x509_props } });
  const certificate = new X509Certificate(Buffer.from((await bundleOf("a")).cer, "base64"));
  expect(certificate.subjectAltName).toBe("DNS:a.example.com");
  expect(certificate.keyUsage).toEqual(["1.2.3.4.5"]);
});

test("a certificate owns the secret with its name: nobody else may write it", async () => {
  await state.createCertificate("a");
  for (const [method, target] of [
    ["PUT", "/secrets/a"],
    ["PATCH", "/secrets/a"],
    ["DELETE", "/secrets/a"],
  ] as const) {
    const body = method === "PUT" ? { value: "x" } : {};
    expect(await state.send(method, target, { body })).toMatchObject(refusal(403, "Forbidden"));
  }
  await state.send("PUT", "/secrets/b", { body: { value: "x" } });
  expect(await state.createCertificate("b")).toMatchObject(refusal(409, "Conflict"));
});

test("a deleted certificate keeps its name and its secret's, and is recovered as a whole", async () => {
  await state.createCertificate("a");
  const before = await bundleOf("a");
  expect(await state.send("DELETE", "/certificates/a")).toMatchObject({ status: 200, body: { x5t: before.x5t } });
  expect(await state.createCertificate("a")).toMatchObject(refusal(409, "Conflict", "ObjectIsDeletedButRecoverable"));
  expect(await state.send("PUT", "/secrets/a", { body: { value: "x" } })).toMatchObject(
    refusal(409, "Conflict", "ObjectIsDeletedButRecoverable"),
  );
  expect(await state.get("/certificates/a/pending")).toMatchObject(refusal(404, "PendingCertificateNotFound"));
  await state.send("POST", "/deletedcertificates/a/recover");
  expect(await bundleOf("a")).toEqual(before);
  expect(await secretValueOf("a")).toContain("PRIVATE KEY");
  await state.send("DELETE", "/certificates/a");
  expect(await state.send("DELETE", "/deletedcertificates/a")).toMatchObject({ status: 204 });
  expect(await state.get("/deletedcertificates/a")).toMatchObject(refusal(404, "CertificateNotFound"));
  expect(state.state.vaults?.["demo-vault"]).toEqual({ secrets: {}, certificates: {} });
});

test("a pending certificate can be canceled and removed", async () => {
  state.arm.seconds = { "kvCertificate.create": 6 };
  await state.createCertificate("a");
  const cancelled = await state.send("PATCH", "/certificates/a/pending", { body: { cancellation_requested: true } });
  expect(cancelled.body).toMatchObject({ status: "inProgress", cancellation_requested: true });
  state.arm.pass(6);
  expect(await state.get("/certificates/a/pending")).toMatchObject({ body: { status: "cancelled" } });
  expect(await state.get("/certificates/a")).toMatchObject(refusal(404, "CertificateNotFound"));
  expect(await state.send("PATCH", "/certificates/a/pending", { body: { cancellation_requested: true } })).toMatchObject({ status: 400 });
  expect(await state.send("DELETE", "/certificates/a/pending")).toMatchObject({ status: 200 });
  expect(await state.get("/certificates/a/pending")).toMatchObject(refusal(404, "PendingCertificateNotFound"));
});

test("the tags of a version and whether it is enabled apply to its secret too", async () => {
  await state.createCertificate("a");
  const { id, attributes } = await bundleOf("a");
  const body = { tags: { b: "2" }, attributes: { enabled: false, exp: attributes.nbf + day } };
  expect(await state.send("PATCH", id, { body })).toMatchObject({
    body: { tags: { b: "2" }, attributes: { ...attributes, enabled: false } },
  });
  expect(await state.get("/secrets/a")).toMatchObject(refusal(403, "Forbidden", "SecretDisabled"));
});

test.each([
  ["no policy", {}, 400, "BadParameter"],
  ["a subject that is no name", { policy: { ...pemPolicy, x509_props: { subject: "demo" } } }, 400, "BadParameter"],
  ["a key of 1024 bits", { policy: { ...pemPolicy, key_props: { key_size: 1024 } } }, 400, "BadParameter"],
  ["an elliptic key", { policy: { ...pemPolicy, key_props: { kty: "EC", crv: "P-256" } } }, 501, "NotImplementedByEmbeddedAzure"],
])("a certificate with %s is refused", async (_what, body, status, code) => {
  expect(await state.createCertificate("a", body)).toMatchObject(refusal(status, code));
});

test("a snapshot shows what is in the vault, but no secret, key or time", async () => {
  await state.createCertificate("a");
  await bundleOf("a");
  await state.send("PUT", "/secrets/b", { body: { value: "very-secret", tags: { renew_after: "2026-05-01T00:00:00Z", c: "1" } } });
  const snapshot = snapshotOf(state.state, state.arm.now, { operationLog: false });
  expect(snapshot.vaults?.["demo-vault"]).toMatchObject({
    certificates: { a: { versions: [{ enabled: true, nbf: true, exp: true }] } },
    secrets: { a: { managed: true }, b: { versions: [{ tags: { renew_after: "(time)", c: "1" } }] } },
  });
  const text = JSON.stringify(snapshot);
  for (const secret of ["very-secret", "PRIVATE KEY", (await bundleOf("a")).x5t]) expect(text).not.toContain(secret);
});
