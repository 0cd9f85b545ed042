/** X.509 certificates and requests of the emulator, encoded by node-forge and signed by OpenSSL. */
import { sign } from "node:crypto";
import type forge from "node-forge";

export type Forge = typeof forge;

export interface CertificateDraft {
  /** SPKI PEM. */
  readonly publicKey: string;
  /** Unique for its issuer: random bytes, at most 19. */
  readonly serial: Buffer;
  readonly subject: forge.pki.CertificateField[];
  readonly issuer: forge.pki.CertificateField[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** In node-forge's format. */
  readonly extensions: readonly object[];
}

/** Loaded only when a certificate is created. */
export async function loadForge(): Promise<Forge> {
  return (await import("node-forge")).default;
}

/** DER, signed with SHA-256 by the issuer's key (PEM). */
export function issueCertificate({ pki, asn1, md }: Forge, draft: CertificateDraft, issuerKey: string): Buffer {
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(draft.publicKey);
  // Positive, as RFC 5280 4.1.2.2 requires: the first bit is the sign.
  certificate.serialNumber = `01${draft.serial.toString("hex")}`;
  certificate.validity = { notBefore: draft.notBefore, notAfter: draft.notAfter };
  certificate.setSubject(draft.subject);
  certificate.setIssuer(draft.issuer);
  certificate.setExtensions([...draft.extensions]);
  // node-forge calls only `sign` of a key, after it set the bytes to sign.
  const signer = { sign: () => sign("sha256", derOf(asn1, certificate.tbsCertificate), issuerKey).toString("latin1") };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, md.sha256.create());
  return derOf(asn1, pki.certificateToAsn1(certificate));
}

/** DER of a request (PKCS#10) with these extensions, signed with SHA-256 by the key (PEM) that it is for. */
export function issueRequest(
  { pki, asn1, md }: Forge,
  { publicKey, subject, extensions }: Pick<CertificateDraft, "publicKey" | "subject" | "extensions">,
  key: string,
): Buffer {
  const request = pki.createCertificationRequest();
  request.publicKey = pki.publicKeyFromPem(publicKey);
  request.setSubject(subject);
  request.setAttributes([{ name: "extensionRequest", extensions: [...extensions] }]);
  // As above. The part that is signed is not in the library's types.
  const bytes = () => derOf(asn1, (request as unknown as { certificationRequestInfo: forge.asn1.Asn1 }).certificationRequestInfo);
  const signer = { sign: () => sign("sha256", bytes(), key).toString("latin1") };
  request.sign(signer as unknown as forge.pki.rsa.PrivateKey, md.sha256.create());
  return derOf(asn1, pki.certificationRequestToAsn1(request));
}

/** PEM in lines of 64 characters. */
export function certificatePem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

export function derOf(asn1: Forge["asn1"], value: forge.asn1.Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), "latin1");
}
