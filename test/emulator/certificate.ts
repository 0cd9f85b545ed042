/** Self-signed certificates with their keys, created with node-forge. */
import { createHash, generateKeyPairSync } from "node:crypto";
import forge from "node-forge";

export interface KeyedCertificate {
  /** PEM, certificate first. */
  readonly pem: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  /** Base64 DER, as Graph accepts it. */
  readonly key: string;
  /** SHA-1, upper-case hex. */
  readonly thumbprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const day = 86_400_000;

/** Valid from an hour ago for a year, unless `days` (from now) differs. */
export function newCertificate(days: { from?: number; to?: number } = {}): KeyedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = "01";
  certificate.validity.notBefore = new Date(Date.now() + (days.from ?? -1 / 24) * day);
  certificate.validity.notAfter = new Date(Date.now() + (days.to ?? 365) * day);
  certificate.setSubject([{ name: "commonName", value: "demo-cpo" }]);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), "binary");
  const pem = `${forge.pki.certificateToPem(certificate).replaceAll("\r\n", "\n")}${privateKey}`;
  const { notBefore, notAfter } = certificate.validity;
  return {
    pem,
    privateKey,
    key: der.toString("base64"),
    thumbprint: createHash("sha1").update(der).digest("hex").toUpperCase(),
    notBefore,
    notAfter,
  };
}
