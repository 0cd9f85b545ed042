/** Certificates in the making: asked for, pending for some seconds, then a new version. */
import { createHash, createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { Answer } from "../../core/service.js";
import type {
  CertificateOrder,
  CertificateVersion,
  MadeCertificate,
  PendingCertificate,
  VaultCertificate,
  VaultContent,
  VaultSecret,
} from "../../state/vault-content.js";
import { attributesBody, checkTags, newAttributes, tagsBody } from "./attributes.js";
import { checkEmulated, isSelfSigned, isSignedElsewhere, policyBody, type CertificatePolicy } from "./certificate-policy.js";
import { badParameter, conflict, pendingNotFound } from "./errors.js";
import { issuerFor } from "./issuers.js";
import type { CertificateMaker } from "./certificate-maker.js";
import { ownKeys } from "./key-store.js";
import { carried, checkSubject, newKey, requestFor, validityOf } from "./make-certificate.js";
import { presentRestoredCertificate } from "./certificates.js";
import { certificatePem } from "../../common/x509.js";
import { checkNameIsFree, live } from "./soft-delete.js";
import { found, newVersion, readBody, urlOf, written, type VaultCall } from "./vault-call.js";
import { namedIn, setNamed } from "../../common/named.js";
import { plainCopy } from "../../state/plain-copy.js";
import { logOperation } from "../../state/operation-log.js";

const createBody = z.strictObject({
  policy: policyBody.optional(),
  attributes: attributesBody.optional(),
  tags: tagsBody.optional(),
  preserveCertOrder: z.boolean().optional(),
});
const cancelBody = z.strictObject({ cancellation_requested: z.boolean() });

/** `call.prepared` is the new private key of the certificate: see `service.ts`. */
export async function createCertificate(vaultCall: VaultCall): Promise<Answer> {
  const { call, content, maker, name } = vaultCall;
  const { policy: sent, attributes, tags } = readBody(vaultCall, createBody);
  const existing = requireCertificateName(vaultCall);
  const policy = sent ?? (existing?.policy as CertificatePolicy | undefined);
  if (policy === undefined) throw badParameter("Property policy is required to create the first version of a certificate.");
  checkEmulated(policy);
  checkTags(tags);
  const isMerged = isSignedElsewhere(policy);
  const issuer = isSelfSigned(policy) || isMerged ? undefined : issuerFor(vaultCall, policy.issuer.name);
  const issuance = issuer === undefined ? undefined : call.state.knobs?.certificateIssuance?.[issuer.provider];
  const key = await keyFor(policy, existing?.versions.at(-1), call.prepared);
  const order: CertificateOrder = {
    ...orderOf(vaultCall, policy, key, { attributes, tags }),
    ...(isMerged && { isMerged }),
    ...(issuer !== undefined && { authority: issuer.authority }),
    ...(issuance === "rejected" && { rejected: `The certification authority rejected the request for '${policy.x509_props.subject}'.` }),
  };
  const certificate: VaultCertificate = existing ?? { name, policy, versions: [] };
  certificate.policy = policy;
  const seconds = call.sample("kvCertificate.create");
  certificate.pending = {
    requestId: newVersion(vaultCall),
    readyAt: issuance === "held" || isMerged ? never : call.now + call.milliseconds(seconds),
    order,
    csr: await requestFor(policy, key),
  };
  if (order.rejected === undefined && !isMerged) maker.take(name.toLowerCase(), order);
  setNamed(content.certificates, name.toLowerCase(), certificate);
  logOperation(call.state, { resource: urlOf(vaultCall, "certificates", name), verb: "POST", seconds });
  const apiVersion = call.request.query.get("api-version") ?? "";
  const place = `${urlOf(vaultCall, "certificates", name, "pending")}?api-version=${apiVersion}&request_id=${certificate.pending.requestId}`;
  return {
    status: 202,
    headers: { Location: place },
    body: presentPending(vaultCall, certificate, certificate.pending),
    takes: call.sample("secret.put"),
  };
}

/** The certificate that gets a new version; undefined for the first one. @throws ApiError 409 if a secret or key has the name. */
export function requireCertificateName(vaultCall: VaultCall): VaultCertificate | undefined {
  const { call, content, name } = vaultCall;
  const key = name.toLowerCase();
  const existing = namedIn(content.certificates, key);
  const secret = namedIn(content.secrets, key);
  checkNameIsFree(call, existing, "Certificate");
  if (existing === undefined && secret !== undefined) {
    checkNameIsFree(call, secret, "Secret");
    throw conflict(
      `A secret with the name ${name} exists already: a certificate keeps its key in the secret of its own name.`,
      "ObjectExists",
    );
  }
  const ownKey = namedIn(ownKeys(vaultCall), key);
  if (existing === undefined && ownKey !== undefined) {
    checkNameIsFree(call, ownKey, "Key");
    throw conflict(`A key with the name ${name} exists already: a certificate has the key of its own name.`, "ObjectExists");
  }
  if (existing?.pending !== undefined && isInProgress(existing.pending)) {
    throw conflict(
      "A new key vault certificate can not be created or imported while a pending key vault certificate's status is inProgress.",
      "PendingCertificateInProgress",
    );
  }
  return existing;
}

/** The end of an order that the authority leaves pending. */
const never = Number.MAX_SAFE_INTEGER;

interface Sent {
  readonly attributes: z.output<typeof attributesBody> | undefined;
  readonly tags: Record<string, string> | undefined;
}

/** The prepared key is none for a renewal by a stored policy with another size. */
async function keyFor(policy: CertificatePolicy, last: CertificateVersion | undefined, prepared: unknown): Promise<string> {
  const { reuse_key, key_size } = policy.key_props;
  if (reuse_key && last !== undefined) return last.key;
  const isOfSize = typeof prepared === "string" && createPrivateKey(prepared).asymmetricKeyDetails?.modulusLength === key_size;
  return isOfSize ? prepared : newKey(key_size);
}

function orderOf(vaultCall: VaultCall, policy: CertificatePolicy, key: string, { attributes, tags }: Sent): CertificateOrder {
  const at = vaultCall.call.now;
  const { notBefore, notAfter } = validityOf(policy, at);
  checkSubject(policy);
  return {
    at,
    version: newVersion(vaultCall),
    ...(tags !== undefined && { tags }),
    attributes: newAttributes(vaultCall, { ...attributes, nbf: notBefore.getTime() / 1000, exp: notAfter.getTime() / 1000 }),
    policy: { ...policy },
    key,
  };
}

/**
 * Takes over what is ready by the clock and made. Runs before every answer of a vault and before every snapshot, which cannot make anything:
 * without `take`, a version that is not made stays pending.
 */
export function advanceCertificates(contents: readonly VaultContent[], now: number, take?: CertificateMaker["take"]): void {
  for (const content of contents) {
    for (const [key, certificate] of Object.entries(content.certificates)) {
      const { pending } = certificate;
      if (pending?.order === undefined || pending.readyAt > now) continue;
      const { order } = pending;
      const made = pending.cancellationRequested ? undefined : outcomeOf(key, order, take);
      if (made === undefined && !pending.cancellationRequested) continue;
      delete pending.order;
      if (made === undefined) pending.cancelled = true;
      else if ("failed" in made) pending.failed = made.failed;
      else addVersion(content, key, certificate, order, made);
    }
  }
}

function outcomeOf(key: string, order: CertificateOrder, take: CertificateMaker["take"] | undefined): MadeCertificate | undefined {
  return order.rejected === undefined ? take?.(key, order) : { failed: order.rejected };
}

export function addVersion(
  { secrets }: VaultContent,
  key: string,
  certificate: VaultCertificate,
  { version, tags, attributes, policy }: Omit<CertificateOrder, "key">,
  { secret: value, ...made }: Exclude<MadeCertificate, { readonly failed: string }>,
): void {
  const shared = { version, ...(tags && { tags }), attributes };
  certificate.versions.push({ ...shared, ...made });
  const secret: VaultSecret = namedIn(secrets, key) ?? { name: certificate.name, managed: true, versions: [] };
  setNamed(secrets, key, secret);
  secret.versions.push({ ...plainCopy(shared), value, contentType: (policy as CertificatePolicy).secret_props.contentType });
}

export function getPending(vaultCall: VaultCall): Answer {
  const { certificate, pending } = findPending(vaultCall);
  return found(vaultCall, presentPending(vaultCall, certificate, pending));
}

export function cancelPending(vaultCall: VaultCall): Answer {
  const { certificate, pending } = findPending(vaultCall);
  const { cancellation_requested } = readBody(vaultCall, cancelBody);
  if (!isInProgress(pending)) throw badParameter("Cancellation can be requested only while the pending certificate is in progress.");
  if (cancellation_requested) {
    pending.cancellationRequested = true;
    // An authority that leaves the request pending cancels it at once.
    if (pending.readyAt === never) pending.readyAt = vaultCall.call.now;
  }
  return written(vaultCall, 200, presentPending(vaultCall, certificate, pending), "secret.put");
}

const mergeBody = z.strictObject({
  x5c: z.array(z.string()).min(1),
  attributes: attributesBody.optional(),
  tags: tagsBody.optional(),
});

/** Completes an order with the certificate that somebody else has signed for its key. The others of its chain follow it. */
export async function mergeCertificate(vaultCall: VaultCall): Promise<Answer> {
  const { content, name } = vaultCall;
  const { x5c, attributes, tags } = readBody(vaultCall, mergeBody);
  checkTags(tags);
  const { certificate, pending } = findPending(vaultCall);
  const { order } = pending;
  if (order === undefined) throw badParameter("The pending certificate is not in progress.");
  const [leaf, ...issuers] = chainFor(order.key, x5c);
  if (leaf === undefined) throw badParameter("Unable to parse X5c certificate chain and locate leaf certificate");
  const times = { nbf: Date.parse(leaf.validFrom) / 1000, exp: Date.parse(leaf.validTo) / 1000 };
  const made = {
    ...order,
    ...(tags !== undefined && { tags }),
    attributes: newAttributes(vaultCall, { ...attributes, ...times }),
  };
  const chain = [leaf, ...issuers].map(({ raw }) => certificatePem(raw)).join("");
  addVersion(content, name.toLowerCase(), certificate, made, {
    key: order.key,
    cer: leaf.raw.toString("base64"),
    x5t: createHash("sha1").update(leaf.raw).digest("base64url"),
    secret: await carried(order.policy as CertificatePolicy, order.key, chain),
  });
  delete certificate.pending;
  return written(vaultCall, 201, presentRestoredCertificate(vaultCall, certificate), "secret.put");
}

/** That of the key first, then the others; none if the key has none. */
function chainFor(key: string, x5c: readonly string[]): readonly X509Certificate[] {
  const own = createPublicKey(key).export({ type: "spki", format: "der" });
  const all = x5c.flatMap((one) => certificateIn(one) ?? []);
  const leaf = all.find(({ publicKey }) => publicKey.export({ type: "spki", format: "der" }).equals(own));
  return leaf === undefined ? [] : [leaf, ...all.filter((one) => one !== leaf)];
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(text, "base64"));
  } catch {
    return undefined;
  }
}

export function deletePending(vaultCall: VaultCall): Answer {
  const { certificate, pending } = findPending(vaultCall);
  delete certificate.pending;
  if (certificate.versions.length === 0) delete vaultCall.content.certificates[certificate.name.toLowerCase()];
  return written(vaultCall, 200, presentPending(vaultCall, certificate, pending), "secret.put");
}

/** A `request_id` in the query asks for that request and no other. */
function findPending({ call, content, name }: VaultCall): { certificate: VaultCertificate; pending: PendingCertificate } {
  const certificate = live(content.certificates, name);
  const wanted = call.request.query.get("request_id");
  const pending = certificate?.pending;
  if (certificate === undefined || pending === undefined || (wanted !== null && wanted !== pending.requestId)) throw pendingNotFound(name);
  return { certificate, pending };
}

function isInProgress({ order }: PendingCertificate): boolean {
  return order !== undefined;
}

function presentPending(vaultCall: VaultCall, { name, policy }: VaultCertificate, pending: PendingCertificate): Record<string, unknown> {
  const { issuer } = policy as CertificatePolicy;
  return {
    id: urlOf(vaultCall, "certificates", name, "pending"),
    issuer: { name: issuer.name },
    csr: pending.csr,
    cancellation_requested: pending.cancellationRequested === true,
    ...progress(vaultCall, name, pending, isSelfSigned(policy as CertificatePolicy)),
    request_id: pending.requestId,
  };
}

const byMerge = "Please Perform Merge to complete the request.";
const byIssuer = "Certificate request is in progress. This may take some time based on the issuer provider. Please check again later.";

function progress(vaultCall: VaultCall, name: string, pending: PendingCertificate, isSelf: boolean): Record<string, unknown> {
  if (isInProgress(pending)) {
    return {
      status: "inProgress",
      status_details: `Pending certificate created. ${pending.order?.isMerged ? byMerge : byIssuer}`,
    };
  }
  if (pending.cancelled) return { status: "cancelled", status_details: "The certificate request was cancelled." };
  if (pending.failed !== undefined) {
    return {
      status: "failed",
      status_details: "The certificate was not created.",
      error: { code: isSelf ? "BadParameter" : "Request rejected", message: pending.failed },
    };
  }
  return { status: "completed", target: urlOf(vaultCall, "certificates", name) };
}
