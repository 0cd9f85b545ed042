/** Certificates in the making: asked for, pending for some seconds, then a new version. */
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
import { checkEmulated, isSelfSigned, policyBody, type CertificatePolicy } from "./certificate-policy.js";
import { badParameter, conflict, pendingNotFound } from "./errors.js";
import { issuerFor } from "./issuers.js";
import type { CertificateMaker } from "./certificate-maker.js";
import { ownKeys } from "./key-store.js";
import { checkSubject, validityOf } from "./make-certificate.js";
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

/** The answer does not wait for the key. */
export function createCertificate(vaultCall: VaultCall): Answer {
  const { call, content, maker, name } = vaultCall;
  const { policy: sent, attributes, tags } = readBody(vaultCall, createBody);
  const key = name.toLowerCase();
  const existing = requireCertificateName(vaultCall);
  const policy = sent ?? (existing?.policy as CertificatePolicy | undefined);
  if (policy === undefined) throw badParameter("Property policy is required to create the first version of a certificate.");
  checkEmulated(policy);
  checkTags(tags);
  const issuer = isSelfSigned(policy) ? undefined : issuerFor(vaultCall, policy.issuer.name);
  const issuance = issuer === undefined ? undefined : call.state.knobs?.certificateIssuance?.[issuer.provider];
  const order: CertificateOrder = {
    ...orderOf(vaultCall, policy, existing?.versions.at(-1), { attributes, tags }),
    ...(issuer !== undefined && { authority: issuer.authority }),
    ...(issuance === "rejected" && { rejected: `The certification authority rejected the request for '${policy.x509_props.subject}'.` }),
  };
  const certificate: VaultCertificate = existing ?? { name, policy, versions: [] };
  certificate.policy = policy;
  const seconds = call.sample("kvCertificate.create");
  certificate.pending = {
    requestId: newVersion(vaultCall),
    readyAt: issuance === "held" ? never : call.now + call.milliseconds(seconds),
    order,
  };
  if (order.rejected === undefined) maker.take(key, order);
  setNamed(content.certificates, key, certificate);
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

function orderOf(
  vaultCall: VaultCall,
  policy: CertificatePolicy,
  last: CertificateVersion | undefined,
  { attributes, tags }: Sent,
): CertificateOrder {
  const at = vaultCall.call.now;
  const { notBefore, notAfter } = validityOf(policy, at);
  checkSubject(policy);
  const isReused = policy.key_props.reuse_key && last !== undefined;
  return {
    at,
    version: newVersion(vaultCall),
    ...(tags !== undefined && { tags }),
    attributes: newAttributes(vaultCall, { ...attributes, nbf: notBefore.getTime() / 1000, exp: notAfter.getTime() / 1000 }),
    policy: { ...policy },
    ...(isReused && { key: last.key }),
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
      else {
        pending.csr = made.csr;
        addVersion(content, key, certificate, order, made);
      }
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
  { version, tags, attributes, policy }: CertificateOrder,
  { secret: value, csr: _csr, ...made }: Exclude<MadeCertificate, { readonly failed: string }>,
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
  const csr = pending.csr ?? (pending.order && vaultCall.maker.requestFor(pending.order));
  return {
    id: urlOf(vaultCall, "certificates", name, "pending"),
    issuer: { name: issuer.name },
    ...(csr !== undefined && { csr }),
    cancellation_requested: pending.cancellationRequested === true,
    ...progress(vaultCall, name, pending, isSelfSigned(policy as CertificatePolicy)),
    request_id: pending.requestId,
  };
}

function progress(vaultCall: VaultCall, name: string, pending: PendingCertificate, isSelf: boolean): Record<string, unknown> {
  if (isInProgress(pending)) {
    return {
      status: "inProgress",
      status_details:
        "Pending certificate created. Certificate request is in progress. This may take some time based on the issuer provider. Please check again later.",
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
