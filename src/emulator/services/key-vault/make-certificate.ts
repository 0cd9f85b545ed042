/** Makes what a vault makes: an RSA key, a certificate that it or an issuer signs, and the secret that carries both. */
import { createHash, createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { certificatePem, derOf, issueCertificate, issueRequest, loadForge, type Forge } from "../../common/x509.js";
import type { CertificateAuthority } from "../../state/vault-content.js";
import { pem, type CertificatePolicy } from "./certificate-policy.js";
import { badParameter } from "./errors.js";
import { namedIn } from "../../common/named.js";

/** How far back a vault dates what it signs. */
const backdatedMs = 10 * 60 * 1000;

export interface Made {
  /** PKCS#8 PEM. */
  readonly key: string;
  /** DER, base64. */
  readonly cer: string;
  /** SHA-1 of the DER, base64url. */
  readonly x5t: string;
  /** What the certificate's secret holds, in the policy's content type. */
  readonly secret: string;
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

export function validityOf({ x509_props }: CertificatePolicy, now: number): { readonly notBefore: Date; readonly notAfter: Date } {
  // X.509 times are whole seconds.
  const made = new Date(Math.floor(now / 1000) * 1000);
  const notAfter = new Date(made);
  notAfter.setUTCMonth(made.getUTCMonth() + x509_props.validity_months);
  return { notBefore: new Date(made.getTime() - backdatedMs), notAfter };
}

/** @throws ApiError 400 for a subject that is not a distinguished name, or that is empty without another name. */
export function checkSubject({ x509_props }: CertificatePolicy): void {
  const { subject, sans = {} } = x509_props;
  const isNamedOtherwise = Object.values(sans).some((names) => names !== undefined && names.length > 0);
  if (subject !== "" || !isNamedOtherwise) parseName(subject);
}

/** Signed by the authority of an issuer, or by its own key. */
export async function makeCertificate(
  policy: CertificatePolicy,
  key: string,
  { serial, at, authority }: { readonly serial: Buffer; readonly at: number; readonly authority: CertificateAuthority | undefined },
): Promise<Made> {
  const library = await loadForge();
  const { notBefore, notAfter } = validityOf(policy, at);
  const wanted = wantedOf(library, policy, key);
  const signer = authority === undefined ? undefined : library.pki.certificateFromPem(authority.certificate);
  const extensions = [
    ...wanted.extensions,
    { name: "subjectKeyIdentifier" },
    ...(signer === undefined ? [] : [{ name: "authorityKeyIdentifier", keyIdentifier: signer.generateSubjectKeyIdentifier().getBytes() }]),
  ];
  const issuer = signer?.subject.attributes ?? wanted.subject;
  const der = issueCertificate(library, { ...wanted, serial, issuer, notBefore, notAfter, extensions }, authority?.key ?? key);
  const chain = `${certificatePem(der)}${authority?.certificate ?? ""}`;
  return {
    key,
    cer: der.toString("base64"),
    x5t: createHash("sha1").update(der).digest("base64url"),
    secret: await carried(policy, key, chain),
  };
}

/** What the secret of a certificate holds, in the policy's content type. In PEM the key comes first, as in a vault's answer. */
export async function carried({ key_props, secret_props }: CertificatePolicy, key: string, chain: string): Promise<string> {
  const own = key_props.exportable ? key : "";
  return secret_props.contentType === pem ? `${own}${chain}` : asPkcs12(await loadForge(), own, chain);
}

/** The request for a certificate: DER, base64. @throws ApiError 400 for names that no certificate can have. */
export async function requestFor(policy: CertificatePolicy, key: string): Promise<string> {
  const library = await loadForge();
  try {
    return issueRequest(library, wantedOf(library, policy, key), key).toString("base64");
  } catch (error) {
    throw badParameter(`Property policy has invalid value: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What a certificate and the request for it have in common. */
function wantedOf({ pki }: Forge, policy: CertificatePolicy, key: string) {
  return {
    publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
    subject: policy.x509_props.subject === "" ? [] : parseName(policy.x509_props.subject),
    extensions: extensionsOf(policy, pki.oids),
  };
}

/** Without a password, and with the legacy algorithms, as a vault exports it. */
function asPkcs12({ asn1, pki, pkcs12 }: Forge, key: string, chain: string): string {
  // The library's types do not know that it can build a store without a key.
  const carried = key === "" ? null : pki.privateKeyFromPem(key);
  const certificates = chain.split(/(?<=-----END CERTIFICATE-----\n)/).map((pemText) => pki.certificateFromPem(pemText));
  const store = pkcs12.toPkcs12Asn1(carried, certificates, "", { algorithm: "3des" });
  return derOf(asn1, store).toString("base64");
}

/** The library takes the usages it knows by name (`known`), others by number. */
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
    ...(ekus.length > 0 ? [{ name: "extKeyUsage", ...Object.fromEntries(ekus.map((oid) => [namedIn(known, oid) ?? oid, true])) }] : []),
    ...(altNames.length > 0 ? [{ name: "subjectAltName", altNames }] : []),
  ];
}

const partNames = new Set(["CN", "C", "L", "S", "ST", "O", "OU", "E"]);

/** "CN=demo, O=Example" */
function parseName(text: string): { shortName: string; value: string }[] {
  const parts = text.split(",").map((part) => /^\s*([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(part));
  return parts.map((part) => {
    const [, shortName = "", value = ""] = part ?? [];
    if (!partNames.has(shortName.toUpperCase()) || value === "") {
      throw badParameter(`Property policy has invalid value: the x509 subject '${text}' is not a distinguished name.`);
    }
    return { shortName: shortName.toUpperCase() === "S" ? "ST" : shortName.toUpperCase(), value };
  });
}
