/** Reads the content of client_secret in every form that users might store, as the pods do. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import forge from "node-forge";
import { expect, test } from "vitest";
import { readCredentialContent } from "../../../src/identities/verify/credential-content.js";

const rsa = (bits: number) => generateKeyPairSync("rsa", { modulusLength: bits });
const [one, other, short] = [rsa(2048), rsa(2048), rsa(1024)];
const curve = generateKeyPairSync("ec", { namedCurve: "prime256v1" });

const pkcs8 = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

/** Signed by its own key. */
function selfSigned({ privateKey }: { readonly privateKey: KeyObject }, subject = "demo"): forge.pki.Certificate {
  const key = forge.pki.privateKeyFromPem(pkcs8(privateKey));
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  certificate.serialNumber = "01";
  certificate.validity.notBefore = new Date("2026-01-01T00:00:00Z");
  certificate.validity.notAfter = new Date("2027-01-01T00:00:00Z");
  certificate.setSubject([{ name: "commonName", value: subject }]);
  certificate.setIssuer([{ name: "commonName", value: subject }]);
  certificate.sign(key, forge.md.sha256.create());
  return certificate;
}

const certificate = selfSigned(one);
const certificatePem = forge.pki.certificateToPem(certificate);
const otherPem = forge.pki.certificateToPem(selfSigned(other, "issuer"));
const keyPem = pkcs8(one.privateKey);
const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");

function pfx(password: string | null, options: object): string {
  const asn1 = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(keyPem), [certificate], password, options);
  return base64(Buffer.from(forge.asn1.toDer(asn1).getBytes(), "latin1"));
}

const thumbprint = forge.md.sha1
  .create()
  .update(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes())
  .digest()
  .toHex()
  .toUpperCase();

test.each([
  ["certificate and PKCS#8 key", base64(certificatePem + keyPem), "PEM"],
  ["key first", base64(keyPem + certificatePem), "PEM"],
  ["a chain, its leaf last", base64(otherPem + certificatePem + keyPem), "PEM"],
  ["a PKCS#1 key", base64(certificatePem + one.privateKey.export({ type: "pkcs1", format: "pem" }).toString()), "PEM"],
  [
    "text around the blocks, Windows line ends",
    base64(`Bag Attributes\r\n${certificatePem}subject=x\r\n${keyPem}`.replaceAll("\n", "\r\n")),
    "PEM",
  ],
  ["base64 in lines", base64(certificatePem + keyPem).replace(/.{64}/g, "$&\n"), "PEM"],
  ["PKCS#12 as Key Vault exports it", pfx("", { algorithm: "3des" }), "PKCS#12"],
])("reads %s", async (_what, content, form) => {
  const read = await readCredentialContent(content);
  expect(read).toMatchObject({
    form,
    thumbprint,
    bits: 2048,
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2027-01-01T00:00:00Z"),
  });
  // Entra's library expects the leaf first, and the key in PKCS#8.
  expect("pem" in read && read.pem.startsWith(certificatePem.replaceAll("\r", "").slice(0, 200))).toBe(true);
  expect("pem" in read && read.pem.endsWith(keyPem)).toBe(true);
});

const curvePem = pkcs8(curve.privateKey);

test.each([
  ["nothing", "", /is empty/],
  ["no base64", "not base64!", /is not base64/],
  ["base64 that was cut", base64(certificatePem + keyPem).slice(0, -1), /is not base64/],
  ["URL-safe base64", Buffer.from([0xfb, 0xff, 0xfe]).toString("base64url"), /URL-safe/],
  ["PEM without base64", certificatePem + keyPem, /it is PEM, not base64/],
  ["base64 twice", base64(base64(certificatePem + keyPem)), /neither PEM nor PKCS#12/],
  ["JSON", base64("{}"), /neither PEM nor PKCS#12/],
  [
    "a certificate in DER",
    base64(Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), "latin1")),
    /neither PEM/,
  ],
  ["a certificate alone", base64(certificatePem), /no private key/],
  ["a key alone", base64(keyPem), /no certificate/],
  ["two keys", base64(certificatePem + keyPem + keyPem), /more than one private key/],
  ["another's key", base64(certificatePem + pkcs8(other.privateKey)), /belongs to none/],
  ["a short key", base64(forge.pki.certificateToPem(selfSigned(short)) + pkcs8(short.privateKey)), /1024 bits/],
  ["an elliptic curve in PKCS#8", base64(certificatePem + curvePem), /of type ec, .* only RSA/],
  [
    "an elliptic curve in SEC 1",
    base64(certificatePem + curve.privateKey.export({ type: "sec1", format: "pem" }).toString()),
    /elliptic curve/,
  ],
  [
    "an encrypted key",
    base64(certificatePem + one.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString()),
    /is encrypted, and pods have no password/,
  ],
  ["a broken certificate", base64(certificatePem.replace(/MII.{20}/, "AAAA") + keyPem), /certificate in it cannot be read/],
  ["a broken key", base64(certificatePem + keyPem.replace(/MII.{20}/, "AAAA")), /private key cannot be read/],
  ["PKCS#12 with a password", pfx("secret", { algorithm: "3des" }), /with a password/],
  ["PKCS#12 with PBES2", pfx("", { algorithm: "aes256" }), /modern encryption \(PBES2\).*-legacy/],
  ["PKCS#12 without a MAC", pfx("", { algorithm: "3des", useMac: false }), /without a MAC/],
  ["PKCS#12 with a SHA-256 MAC", modernPfx(), /modern encryption \(digest 2\.16\.840\.1\.101\.3\.4\.2\.1\)/],
])("rejects %s", async (_what, content, problem) => {
  const read = await readCredentialContent(content);
  expect(read).toEqual({ problem: expect.stringMatching(problem) as unknown });
  expect(JSON.stringify(read)).not.toMatch(/BEGIN|MII/);
});

/** Changes only the object identifier of the MAC digest. The MAC becomes invalid, but the reader rejects the file before checking it. */
function modernPfx(): string {
  const der = Buffer.from(pfx("", { algorithm: "3des" }), "base64");
  const outer = forge.asn1.fromDer(forge.util.createBuffer(der.toString("latin1")));
  const child = (node: forge.asn1.Asn1, index: number) => (node.value as forge.asn1.Asn1[])[index] as forge.asn1.Asn1;
  child(child(child(child(outer, 2), 0), 0), 0).value = forge.asn1.oidToDer("2.16.840.1.101.3.4.2.1").getBytes();
  return base64(Buffer.from(forge.asn1.toDer(outer).getBytes(), "latin1"));
}
