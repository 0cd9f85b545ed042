import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import forge from "node-forge";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { credentialFacts, credentialPem, credentialSecret, laterThan, renewalDates } from "../../src/domain/credential-secret.js";
import { rfc3339 } from "../../src/text/rfc3339.js";

const identity = {
  authorityHost: "https://login.microsoftonline.com",
  clientId: "11111111-1111-4111-8111-111111111111",
  tenantId: "22222222-2222-4222-8222-222222222222",
};
const dates = { notBefore: new Date("2026-01-31T10:00:00Z"), notAfter: new Date("2027-01-31T10:00:00Z") };

/** As a vault exports it: the key first. */
function exported(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(forge.pki.privateKeyFromPem(pkcs8).n, forge.pki.privateKeyFromPem(pkcs8).e);
  certificate.serialNumber = "01";
  certificate.validity = { notBefore: dates.notBefore, notAfter: dates.notAfter };
  certificate.setSubject([{ name: "commonName", value: "demo-cpo-cert" }]);
  certificate.setIssuer([{ name: "commonName", value: "demo-cpo-cert" }]);
  certificate.sign(forge.pki.privateKeyFromPem(pkcs8), forge.md.sha256.create());
  return `${pkcs8}${forge.pki.certificateToPem(certificate).replaceAll("\r\n", "\n")}`;
}

describe("the value of a credential secret", () => {
  const pem = exported();
  const secret = credentialSecret(identity, pem, dates);

  test("has exactly the keys that HyperShift's loader and its vault helper read, in snake case", () => {
    expect(Object.keys(secret).toSorted()).toEqual([
      "authentication_endpoint",
      "cannot_renew_after",
      "client_id",
      "client_secret",
      "not_after",
      "not_before",
      "renew_after",
      "tenant_id",
    ]);
    expect(secret.authentication_endpoint).toBe("https://login.microsoftonline.com/");
  });

  test("contains base64 of PEM: the certificate, then its matching key in PKCS#8", () => {
    expect(secret.client_secret).toMatch(/^[A-Za-z0-9+/]+=*$/);
    const decoded = credentialPem(JSON.stringify(secret));
    expect(decoded.startsWith("-----BEGIN CERTIFICATE-----")).toBe(true);
    expect(decoded.indexOf("-----BEGIN PRIVATE KEY-----")).toBeGreaterThan(decoded.indexOf("-----END CERTIFICATE-----"));
    expect(new X509Certificate(decoded).checkPrivateKey(createPrivateKey(decoded.slice(decoded.indexOf("-----BEGIN PRIVATE"))))).toBe(true);
  });

  test("is parsed into its facts, which contain no key", () => {
    const facts = credentialFacts(JSON.stringify(secret));
    expect(facts).toMatchObject({ clientId: identity.clientId, tenantId: identity.tenantId, notBefore: "2026-01-31T10:00:00Z" });
    expect(facts?.thumbprint).toMatch(/^[0-9A-F]{40}$/);
    expect(JSON.stringify(facts)).not.toContain(secret.client_secret.slice(0, 40));
  });

  test.each([
    ["a certificate alone", pem.slice(pem.indexOf("-----BEGIN CERT"))],
    ["a key alone", pem.slice(0, pem.indexOf("-----BEGIN CERT"))],
  ])("is not made of %s", (_, half) => {
    expect(() => credentialSecret(identity, half, dates)).toThrow(RangeError);
  });

  test.each([undefined, "", "no JSON", "[]", "null", "3"])("an invalid value is no credential: %s", (value) => {
    expect(credentialFacts(value)).toBeUndefined();
  });
});

test("a rewritten credential always begins at least one second later than the one before", () => {
  const now = new Date("2040-01-02");
  const instant = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, instant, (before, wanted) => {
      const previous = rfc3339(before);
      const next = rfc3339(laterThan(previous, new Date(Math.floor(wanted.getTime() / 1000) * 1000), now));
      expect(Date.parse(next)).toBeGreaterThan(Date.parse(previous));
    }),
  );
});

test("a first credential, or one after a credential in the future, begins with its certificate", () => {
  const now = new Date(dates.notBefore.getTime() + 60_000);
  expect(laterThan(undefined, dates.notBefore, now)).toEqual(dates.notBefore);
  expect(laterThan("2099-01-01T00:00:00Z", dates.notBefore, now)).toEqual(dates.notBefore);
});

test("renewal is due in the last third of a life and never after its end", () => {
  const { renewAfter, cannotRenewAfter } = renewalDates({
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2026-01-31T00:00:00Z"),
  });
  expect(renewAfter).toBe("2026-01-21T00:00:00Z");
  expect(cannotRenewAfter).toBe("2026-01-31T00:00:00Z");
});
