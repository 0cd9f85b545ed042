/** Makes what a vault makes: an RSA key, a certificate that it signs, and the secret that carries both. */
import { createHash, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type forge from "node-forge";
import type { CertificatePolicy } from "./certificate-policy.js";
import { pem } from "./certificate-policy.js";
import { badParameter } from "./errors.js";

/** How far back a vault dates what it signs. */
const backdatedMs = 10 * 60 * 1000;

export interface SelfSigned {
  /** PKCS#8 PEM. */
  readonly key: string;
  /** DER, base64. */
  readonly cer: string;
  /** SHA-1 of the DER, base64url. */
  readonly x5t: string;
  /** What the certificate's secret holds, in the policy's content type. */
  readonly secret: string;
  /** Epoch seconds. */
  readonly nbf: number;
  readonly exp: number;
}

/** A PKCS#8 PEM. Takes 0.1 s for 2048 bits and seconds for 4096, off the main thread. */
export async function newKey(bits: number): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: bits,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return privateKey;
}

/** @throws ApiError 400 for a subject that is no distinguished name. */
export async function selfSign(policy: CertificatePolicy, key: string, now: number): Promise<SelfSigned> {
  // Loaded only where a certificate is to be made.
  const { default: library } = await import("node-forge");
  const privateKey = library.pki.privateKeyFromPem(key);
  const { x509_props, key_props, secret_props } = policy;
  const certificate = library.pki.createCertificate();
  certificate.publicKey = library.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // Positive, as RFC 5280 4.1.2.2 asks: the first bit is the sign.
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
  // X.509 times are whole seconds.
  const made = new Date(Math.floor(now / 1000) * 1000);
  certificate.validity.notBefore = new Date(made.getTime() - backdatedMs);
  certificate.validity.notAfter = new Date(made);
  certificate.validity.notAfter.setUTCMonth(made.getUTCMonth() + x509_props.validity_months);
  const subject = parseName(x509_props.subject);
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions(extensionsOf(policy, library.pki.oids));
  certificate.sign(privateKey, library.md.sha256.create());
  const der = Buffer.from(library.asn1.toDer(library.pki.certificateToAsn1(certificate)).getBytes(), "binary");
  const carried = key_props.exportable ? privateKey : null;
  return {
    key,
    cer: der.toString("base64"),
    x5t: createHash("sha1").update(der).digest("base64url"),
    secret: secret_props.contentType === pem ? asPem(key_props.exportable ? key : "", der) : asPkcs12(library, carried, certificate),
    nbf: certificate.validity.notBefore.getTime() / 1000,
    exp: certificate.validity.notAfter.getTime() / 1000,
  };
}

/** The key comes first, as a vault writes it. */
function asPem(key: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `${key}-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** Without a password, and in the old algorithms, as a vault exports it. */
function asPkcs12(library: typeof forge, key: forge.pki.rsa.PrivateKey | null, certificate: forge.pki.Certificate): string {
  // The library's types do not know that it makes a store without a key.
  const store = library.pkcs12.toPkcs12Asn1(key, certificate, "", { algorithm: "3des" });
  return Buffer.from(library.asn1.toDer(store).getBytes(), "binary").toString("base64");
}

/** The library wants usages that it knows by their names (`known`), others by their numbers. */
function extensionsOf({ x509_props: { key_usage, ekus, sans } }: CertificatePolicy, known: Readonly<Record<string, string>>): object[] {
  const { emails = [], dns_names = [], uris = [], ipAddresses = [] } = sans ?? {};
  const altNames = [
    ...emails.map((value) => ({ type: 1, value })),
    ...dns_names.map((value) => ({ type: 2, value })),
    ...uris.map((value) => ({ type: 6, value })),
    ...ipAddresses.map((ip) => ({ type: 7, ip })),
  ];
  return [
    { name: "basicConstraints", cA: false },
    { name: "keyUsage", critical: true, ...Object.fromEntries(key_usage.map((usage) => [usage, true])) },
    ...(ekus.length > 0 ? [{ name: "extKeyUsage", ...Object.fromEntries(ekus.map((oid) => [known[oid] ?? oid, true])) }] : []),
    ...(altNames.length > 0 ? [{ name: "subjectAltName", altNames }] : []),
    { name: "subjectKeyIdentifier" },
  ];
}

const partNames = new Set(["CN", "C", "L", "ST", "O", "OU", "E"]);

/** "CN=demo, O=Example" */
function parseName(text: string): { shortName: string; value: string }[] {
  const parts = text.split(",").map((part) => /^\s*([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(part));
  return parts.map((part) => {
    const [, shortName = "", value = ""] = part ?? [];
    if (!partNames.has(shortName.toUpperCase()) || value === "") {
      throw badParameter(`Property policy has invalid value: the x509 subject '${text}' is not a distinguished name.`);
    }
    return { shortName: shortName.toUpperCase(), value };
  });
}
