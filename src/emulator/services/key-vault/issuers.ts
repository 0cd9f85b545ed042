/** The certificate issuers of a vault: accounts with certification authorities, which sign the certificates that name them. */
import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { known } from "../../arm/body-schema.js";
import type { Answer, Call } from "../../core/service.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { CertificateAuthority, CertificateIssuer } from "../../state/vault-content.js";
import { certificatePem, issueCertificate, loadForge } from "../../common/x509.js";
import { badParameter, issuerNotFound } from "./errors.js";
import { listed, epochSeconds, found, readBody, urlOf, written, type VaultCall } from "./vault-call.js";

/** Those that Key Vault knows; `Test` is for Azure's own tests. */
const providers = ["DigiCert", "GlobalSign", "OneCertV2-PrivateCA", "OneCertV2-PublicCA", "SslAdminV2", "Test"] as const;
/** They sign what nobody else does, and so are no accounts. */
const reserved = new Set(["self", "unknown"]);
/** Their accounts belong to an organization, which each request names. */
const withOrganization = new Set(["DigiCert"]);

const administrator = z.strictObject({
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
});
const members = {
  credentials: z.strictObject({ account_id: z.string().optional(), pwd: z.string().optional() }).optional(),
  // Azure answers a postal code that no API description has.
  org_details: known({ id: z.string().optional(), admin_details: z.array(administrator).optional() }, ["zip"]).optional(),
  attributes: known({ enabled: z.boolean().optional() }, ["created", "updated"]).optional(),
};
const setBody = known({ provider: z.string(), ...members }, ["id"]);
const updateBody = known({ provider: z.string().optional(), ...members }, ["id"]);

/** `call.prepared` is the private key of the authority that signs for the issuer. */
export async function setIssuer(vaultCall: VaultCall): Promise<Answer> {
  const { call, content, name } = vaultCall;
  const sent = readBody(vaultCall, setBody);
  if (reserved.has(name.toLowerCase())) throw badParameter(`The issuer name '${name}' is reserved.`);
  const provider = providerNamed(sent.provider);
  const existing = namedIn(content.issuers ?? {}, name.toLowerCase());
  const now = epochSeconds(call.now);
  const issuer: CertificateIssuer = {
    name,
    provider,
    ...settingsOf(sent),
    attributes: { enabled: sent.attributes?.enabled ?? true, created: existing?.attributes.created ?? now, updated: now },
    authority: existing?.provider === provider ? existing.authority : await newAuthority(provider, String(call.prepared), call),
  };
  checkOrganization(issuer);
  keep(vaultCall, issuer);
  return written(vaultCall, 200, present(vaultCall, issuer), "secret.put");
}

/** Members that are sent take the place of those that were there. */
export function updateIssuer(vaultCall: VaultCall): Answer {
  const existing = requireIssuer(vaultCall);
  const sent = readBody(vaultCall, updateBody);
  if (sent.provider !== undefined && providerNamed(sent.provider) !== existing.provider) {
    throw badParameter("The provider of an issuer cannot be changed.");
  }
  const { enabled = existing.attributes.enabled } = sent.attributes ?? {};
  const issuer = {
    ...existing,
    ...settingsOf(sent),
    attributes: { ...existing.attributes, enabled, updated: epochSeconds(vaultCall.call.now) },
  };
  checkOrganization(issuer);
  keep(vaultCall, issuer);
  return written(vaultCall, 200, present(vaultCall, issuer), "secret.put");
}

export function getIssuer(vaultCall: VaultCall): Answer {
  return found(vaultCall, present(vaultCall, requireIssuer(vaultCall)));
}

export function listIssuers(vaultCall: VaultCall): Answer {
  return listed(
    vaultCall,
    Object.values(vaultCall.content.issuers ?? {}).map((issuer) => ({ id: idOf(vaultCall, issuer), provider: issuer.provider })),
  );
}

/** Certificates that name it stay, and can no longer be renewed. */
export function deleteIssuer(vaultCall: VaultCall): Answer {
  const issuer = requireIssuer(vaultCall);
  delete vaultCall.content.issuers?.[issuer.name.toLowerCase()];
  return written(vaultCall, 200, present(vaultCall, issuer), "secret.put");
}

/** The account that a policy names. @throws ApiError 400 if the vault does not have it, or not enabled */
export function issuerFor({ content }: VaultCall, name: string): CertificateIssuer {
  const issuer = namedIn(content.issuers ?? {}, name.toLowerCase());
  if (issuer === undefined) throw badParameter(`Property policy has invalid value: the issuer '${name}' was not found in this vault.`);
  if (!issuer.attributes.enabled) throw badParameter(`Property policy has invalid value: the issuer '${name}' is disabled.`);
  return issuer;
}

function providerNamed(sent: string): string {
  const provider = providers.find((one) => one.toLowerCase() === sent.toLowerCase());
  if (provider === undefined) throw badParameter(`The issuer provider '${sent}' is not supported.`);
  return provider;
}

/** Nothing here uses the password, so it is not kept. */
function settingsOf({ credentials, org_details }: z.output<typeof updateBody>): Pick<CertificateIssuer, "accountId" | "organization"> {
  return {
    ...(credentials?.account_id !== undefined && { accountId: credentials.account_id }),
    ...(org_details !== undefined && { organization: org_details }),
  };
}

function checkOrganization({ provider, organization }: CertificateIssuer): void {
  if (withOrganization.has(provider) && !organization?.["id"]) throw badParameter("Id in organization details is not set");
}

/** @throws ApiError 404 */
function requireIssuer({ content, name }: VaultCall): CertificateIssuer {
  const issuer = namedIn(content.issuers ?? {}, name.toLowerCase());
  if (issuer === undefined) throw issuerNotFound();
  return issuer;
}

function keep({ content }: VaultCall, issuer: CertificateIssuer): void {
  content.issuers ??= {};
  setNamed(content.issuers, issuer.name.toLowerCase(), issuer);
}

function idOf(vaultCall: VaultCall, { name }: CertificateIssuer): string {
  return urlOf(vaultCall, "certificates", "issuers", name);
}

function present(vaultCall: VaultCall, issuer: CertificateIssuer): Record<string, unknown> {
  const { provider, accountId, organization, attributes } = issuer;
  return {
    id: idOf(vaultCall, issuer),
    provider,
    ...(accountId !== undefined && { credentials: { account_id: accountId } }),
    ...(organization !== undefined && { org_details: organization }),
    attributes,
  };
}

const authorityYears = 10;

async function newAuthority(provider: string, key: string, { now, random }: Call): Promise<CertificateAuthority> {
  const subject = [
    { shortName: "O", value: "aro-hcp emulator" },
    { shortName: "CN", value: `${provider} CA` },
  ];
  const [notBefore, notAfter] = [new Date(now), new Date(now)];
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + authorityYears);
  const extensions = [
    { name: "basicConstraints", critical: true, cA: true, pathLenConstraint: 0 },
    { name: "keyUsage", critical: true, keyCertSign: true, cRLSign: true },
    { name: "subjectKeyIdentifier" },
  ];
  const publicKey = createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
  const draft = { publicKey, serial: random.bytes(15), subject, issuer: subject, notBefore, notAfter, extensions };
  return { key, certificate: certificatePem(issueCertificate(await loadForge(), draft, key)) };
}
