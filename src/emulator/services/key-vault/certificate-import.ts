/** Imports certificates that somebody else made: PKCS#12 or PEM, with their RSA key. */
import { createHash, createPrivateKey } from "node:crypto";
import { z } from "zod";
import { ApiError, type Answer } from "../../core/service.js";
import { namedIn, setNamed } from "../../common/named.js";
import { schemaProblems } from "../../common/schema-problems.js";
import { certificatePem, derOf, loadForge, type Forge } from "../../common/x509.js";
import type { VaultCertificate } from "../../state/vault-content.js";
import { attributesBody, checkTags, newAttributes, tagsBody } from "./attributes.js";
import { addVersion, requireCertificateName } from "./certificate-creation.js";
import { keyUsages, pem, policyBody, type CertificatePolicy } from "./certificate-policy.js";
import { presentRestoredCertificate } from "./certificates.js";
import { badParameter, notEmulated } from "./errors.js";
import { carried } from "./make-certificate.js";
import { newVersion, readBody, written, type VaultCall } from "./vault-call.js";

const importBody = z.strictObject({
  value: z.string(),
  pwd: z.string().optional(),
  policy: z.looseObject({}).optional(),
  attributes: attributesBody.optional(),
  tags: tagsBody.optional(),
  preserveCertOrder: z.boolean().optional(),
});

interface Imported {
  /** PKCS#8 PEM. */
  readonly key: string;
  /** PEM; the first is the certificate itself. */
  readonly chain: readonly string[];
  readonly contentType: string;
}

export async function importCertificate(vaultCall: VaultCall): Promise<Answer> {
  const { content, name } = vaultCall;
  const sent = readBody(vaultCall, importBody);
  checkTags(sent.tags);
  const existing = requireCertificateName(vaultCall);
  const library = await loadForge();
  const { key, chain, contentType } = read(library, sent.value, sent.pwd ?? "");
  const [own = ""] = chain;
  const parsed = parse(library, own);
  const policy = checkedPolicy({
    ...sent.policy,
    key_props: {
      ...(sent.policy?.["key_props"] as object | undefined),
      kty: "RSA",
      key_size: createPrivateKey(key).asymmetricKeyDetails?.modulusLength,
    },
    secret_props: { contentType },
    // Whatever the sent policy says of them.
    x509_props: parsed.x509,
    issuer: sent.policy?.["issuer"] ?? { name: "Unknown" },
    lifetime_actions: sent.policy?.["lifetime_actions"] ?? [],
  });
  const certificate: VaultCertificate = existing ?? { name, policy, versions: [] };
  certificate.policy = policy;
  delete certificate.pending;
  setNamed(content.certificates, name.toLowerCase(), certificate);
  const der = derOf(library.asn1, library.pki.certificateToAsn1(library.pki.certificateFromPem(own)));
  const times = { nbf: parsed.notBefore.getTime() / 1000, exp: parsed.notAfter.getTime() / 1000 };
  addVersion(
    content,
    name.toLowerCase(),
    certificate,
    {
      at: vaultCall.call.now,
      version: newVersion(vaultCall),
      ...(sent.tags !== undefined && { tags: sent.tags }),
      attributes: newAttributes(vaultCall, { ...sent.attributes, ...times }),
      policy,
    },
    {
      key,
      cer: der.toString("base64"),
      x5t: createHash("sha1").update(der).digest("base64url"),
      secret: await carried(policy, key, chain.join("")),
    },
  );
  return written(vaultCall, 200, presentRestoredCertificate(vaultCall, certificate), "secret.put");
}

/** @throws ApiError 400 */
function checkedPolicy(wanted: object): CertificatePolicy {
  const read = policyBody.safeParse(wanted);
  if (!read.success) throw badParameter(schemaProblems(read.error));
  return read.data;
}

/** @throws ApiError 400 */
function read(library: Forge, value: string, password: string): Imported {
  try {
    return value.includes("-----BEGIN") ? readPem(value) : readPkcs12(library, value, password);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badParameter(
      "The specified PKCS#12 or PEM X.509 certificate content can not be read. Please check if certificate is in valid format.",
    );
  }
}

function readPem(value: string): Imported {
  const chain = value.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----/.exec(value)?.[0];
  if (chain.length === 0 || key === undefined) throw new Error("no certificate with a key");
  return { key: asPkcs8(key), chain: chain.map((one) => (one.endsWith("\n") ? one : `${one}\n`)), contentType: pem };
}

function readPkcs12({ asn1, pkcs12, pki }: Forge, value: string, password: string): Imported {
  const der = asn1.fromDer(Buffer.from(value, "base64").toString("latin1"));
  const open = (by: string | undefined) => pkcs12.pkcs12FromAsn1(der, false, by);
  // No password and an empty one are encoded differently, and vaults export with the former.
  const stores = password === "" ? [undefined, ""] : [password];
  const store = firstThatOpens(stores.map((by) => () => open(by)));
  const bags = store.safeContents.flatMap(({ safeBags }) => safeBags);
  const key = bags.flatMap((bag) => bag.key ?? [])[0];
  const chain = bags.flatMap(({ cert }) => cert ?? []).map((cert) => certificatePem(derOf(asn1, pki.certificateToAsn1(cert))));
  if (key === undefined || chain.length === 0) throw new Error("no certificate with a key");
  return { key: asPkcs8(pki.privateKeyToPem(key)), chain, contentType: "application/x-pkcs12" };
}

function firstThatOpens<T>(tries: readonly (() => T)[]): T {
  const [first, ...others] = tries;
  if (first === undefined) throw new Error("wrong password");
  try {
    return first();
  } catch {
    return firstThatOpens(others);
  }
}

function asPkcs8(key: string): string {
  const parsed = createPrivateKey(key);
  if (parsed.asymmetricKeyType !== "rsa") throw notEmulated(`A certificate with a key of the type '${String(parsed.asymmetricKeyType)}'`);
  return parsed.export({ type: "pkcs8", format: "pem" }).toString();
}

/** What the certificate says of itself, as a policy would ask for it. */
function parse({ pki }: Forge, text: string) {
  const { subject, validity, getExtension } = bound(pki.certificateFromPem(text));
  const usage = (getExtension("keyUsage") ?? {}) as Readonly<Record<string, unknown>>;
  const purposes = (getExtension("extKeyUsage") ?? {}) as Readonly<Record<string, unknown>>;
  const names =
    ((getExtension("subjectAltName") ?? {}) as { readonly altNames?: readonly { type: number; value: string }[] }).altNames ?? [];
  const { notBefore, notAfter } = validity;
  return {
    notBefore,
    notAfter,
    x509: {
      subject: [...subject.attributes]
        .reverse()
        .map(({ shortName, value }) => `${shortName === "ST" ? "S" : String(shortName)}=${String(value)}`)
        .join(", "),
      ekus: Object.keys(purposes).flatMap((one) => (purposes[one] === true ? [namedIn(pki.oids, one) ?? one] : [])),
      key_usage: keyUsages.filter((one) => usage[one] === true),
      sans: {
        emails: names.filter(({ type }) => type === 1).map(({ value }) => value),
        dns_names: names.filter(({ type }) => type === 2).map(({ value }) => value),
        upns: [],
      },
      validity_months: Math.max(1, monthsBetween(notBefore, notAfter)),
    },
  };
}

function bound(certificate: ReturnType<Forge["pki"]["certificateFromPem"]>) {
  const { subject, validity } = certificate;
  return { subject, validity, getExtension: (name: string): unknown => certificate.getExtension(name) };
}

/** Begun months count. */
function monthsBetween(from: Date, to: Date): number {
  const whole = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const reached = new Date(from);
  reached.setUTCMonth(from.getUTCMonth() + whole);
  return reached < to ? whole + 1 : whole;
}
