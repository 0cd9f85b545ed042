/** The value of a credential secret, as HyperShift's loader reads it in each control-plane pod. */
import { X509Certificate } from "node:crypto";
import { parseJsonObject } from "../text/json.js";
import { rfc3339 } from "../text/rfc3339.js";

/**
 * Snake case, as the Go decoder expects; times in RFC 3339. The loader is `UserAssignedIdentityCredentials` of Azure/msi-dataplane. The
 * value contains a private key: print only its dates and IDs.
 */
export interface CredentialSecret {
  readonly authentication_endpoint: string;
  readonly client_id: string;
  readonly tenant_id: string;
  /** Base64 of PEM: the certificate first, then its RSA key in PKCS#8. The loader supports no elliptic curves and no passwords. */
  readonly client_secret: string;
  /** A pod adopts a credential only if this is later than that of the one in use. */
  readonly not_before: string;
  readonly not_after: string;
  readonly renew_after: string;
  readonly cannot_renew_after: string;
}

export interface CredentialDates {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The fields that identify a credential, without its secret. */
export interface CredentialFacts {
  readonly authenticationEndpoint: string;
  readonly clientId: string;
  readonly tenantId: string;
  /** SHA-1 of the certificate in upper-case hex; undefined if the secret has no valid certificate. */
  readonly thumbprint: string | undefined;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly renewAfter: string;
  readonly cannotRenewAfter: string;
}

/** Due for renewal in the last third of its lifetime, and not after it. */
export function renewalDates({ notBefore, notAfter }: CredentialDates): { readonly renewAfter: string; readonly cannotRenewAfter: string } {
  const lifetimeMs = notAfter.getTime() - notBefore.getTime();
  return { renewAfter: rfc3339(new Date(notAfter.getTime() - lifetimeMs / 3)), cannotRenewAfter: rfc3339(notAfter) };
}

/**
 * `pem` is what the vault exports: certificate and key in any order.
 * @throws RangeError if either is missing
 */
export function credentialSecret(
  identity: { readonly authorityHost: string; readonly clientId: string; readonly tenantId: string },
  pem: string,
  dates: CredentialDates,
): CredentialSecret {
  const { renewAfter, cannotRenewAfter } = renewalDates(dates);
  return {
    authentication_endpoint: `${identity.authorityHost}/`,
    client_id: identity.clientId,
    tenant_id: identity.tenantId,
    client_secret: Buffer.from(leafFirst(pem)).toString("base64"),
    not_before: rfc3339(dates.notBefore),
    not_after: rfc3339(dates.notAfter),
    renew_after: renewAfter,
    cannot_renew_after: cannotRenewAfter,
  };
}

/**
 * Pods must see that this credential is newer than the one they have, in whole seconds as vaults store them. A time in the future is not used:
 * until then, the vault would not return the secret, and pods with the earlier one would need a restart.
 */
export function laterThan(previous: string | undefined, notBefore: Date, now: Date): Date {
  const before = Date.parse(previous ?? "");
  return before >= notBefore.getTime() && before < now.getTime() ? new Date(before + 1000) : notBefore;
}

/** How the Key Vault provider of the Secrets Store CSI driver reads a secret: as text, or as bytes that it decodes before it writes the file. */
export const objectEncodings = ["utf-8", "hex", "base64"] as const;
export type ObjectEncoding = (typeof objectEncodings)[number];

export function encodedSecret(secret: CredentialSecret, encoding: ObjectEncoding): string {
  return Buffer.from(JSON.stringify(secret)).toString(encoding);
}

/** The encoding of a stored value: in any other one, it is not JSON. Undefined if it is not a credential. */
export function encodingOf(value: string | undefined): ObjectEncoding | undefined {
  return objectEncodings.find((encoding) => parseJsonObject(Buffer.from(value ?? "", encoding).toString()) !== undefined);
}

function secretIn(value: string | undefined): Readonly<Record<string, unknown>> | undefined {
  return parseJsonObject(Buffer.from(value ?? "", encodingOf(value)).toString());
}

/** Parses a stored value; undefined if it is not a credential. */
export function credentialFacts(value: string | undefined): CredentialFacts | undefined {
  const read = secretIn(value);
  if (!read) return undefined;
  const text = (key: keyof CredentialSecret) => (typeof read[key] === "string" ? read[key] : "");
  return {
    authenticationEndpoint: text("authentication_endpoint"),
    clientId: text("client_id"),
    tenantId: text("tenant_id"),
    thumbprint: thumbprintIn(pemOf(text("client_secret"))),
    notBefore: text("not_before"),
    notAfter: text("not_after"),
    renewAfter: text("renew_after"),
    cannotRenewAfter: text("cannot_renew_after"),
  };
}

/** The certificate and key of a stored value, to sign in. */
export function credentialPem(value: string | undefined): string {
  const secret = secretIn(value)?.["client_secret"];
  return typeof secret === "string" ? pemOf(secret) : "";
}

/** Entra's thumbprint of a certificate: SHA-1 of its DER in upper-case hex. */
export function thumbprintOf(der: Uint8Array): string {
  return new X509Certificate(der).fingerprint.replaceAll(":", "");
}

/** The thumbprint of a vault's certificate, in the same form. */
export function thumbprintHex(x509Thumbprint: Uint8Array = new Uint8Array()): string {
  return Buffer.from(x509Thumbprint).toString("hex").toUpperCase();
}

function leafFirst(pem: string): string {
  const { certificates, key } = blocksIn(pem);
  if (certificates.length === 0 || key === undefined) throw new RangeError("the vault's export is not a PEM certificate with a PKCS#8 key");
  return `${[...certificates, key].join("\n")}\n`;
}

/** Whether it is what `credentialSecret` needs. */
export function isCertificateWithKey(pem: string): boolean {
  const { certificates, key } = blocksIn(pem);
  return certificates.length > 0 && key !== undefined;
}

function blocksIn(pem: string): { readonly certificates: readonly string[]; readonly key: string | undefined } {
  return {
    certificates: pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [],
    key: /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/.exec(pem)?.[0],
  };
}

function pemOf(clientSecret: string): string {
  return Buffer.from(clientSecret, "base64").toString("utf8");
}

/** The same; undefined if it is not a certificate. */
export function thumbprintIn(certificate: Uint8Array | string): string | undefined {
  try {
    return new X509Certificate(certificate).fingerprint.replaceAll(":", "");
  } catch {
    return undefined;
  }
}
