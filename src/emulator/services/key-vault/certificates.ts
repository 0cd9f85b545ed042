/** The issued certificates of a vault, each with the secret of its name. */
import { z } from "zod";
import type { Answer } from "../../core/service.js";
import type { CertificateVersion, VaultCertificate, VaultSecret } from "../../state/vault-content.js";
import { attributesBody, changedAttributes, checkTags, presentAttributes, tagsBody } from "./attributes.js";
import { checkEmulated, policyBody, type CertificatePolicy } from "./certificate-policy.js";
import { notFound } from "./errors.js";
import { listed, epochSeconds, found, hasUndescribedMembers, readBody, urlOf, written, type VaultCall } from "./vault-call.js";
import { allDeleted, checkPurge, deletionMembers, findDeleted, live, newDeletion, requireDeleted, requireLive } from "./soft-delete.js";
import { namedIn } from "../../common/named.js";

const updateBody = z.strictObject({ attributes: attributesBody.optional(), tags: tagsBody.optional() });

export function getCertificate(vaultCall: VaultCall): Answer {
  const ordered = orderedFromIssuer(vaultCall);
  if (ordered !== undefined) return found(vaultCall, ordered);
  const certificate = findLive(vaultCall);
  const answered = present(vaultCall, certificate, versionOf(vaultCall, certificate));
  if (vaultCall.version === undefined) return found(vaultCall, answered);
  // The policy is that of the next version: a version that is asked for by its ID is answered without it.
  const { policy: _ofNext, pending: _ofLast, ...own } = answered;
  return found(vaultCall, own);
}

/** Tags and whether it is enabled; its secret follows. */
export function updateCertificate(vaultCall: VaultCall): Answer {
  const { attributes, tags } = readBody(vaultCall, updateBody);
  const certificate = findLive(vaultCall);
  checkTags(tags);
  const version = versionOf(vaultCall, certificate);
  const secret = secretOf(vaultCall, certificate)?.versions.find((one) => one.version === version.version);
  const changed = secret === undefined ? [version] : [version, secret];
  for (const one of changed) {
    if (tags !== undefined) one.tags = tags;
    // Its validity is in the certificate itself.
    one.attributes = changedAttributes(vaultCall, one.attributes, attributes?.enabled === undefined ? {} : { enabled: attributes.enabled });
  }
  return written(vaultCall, 200, present(vaultCall, certificate, version), "secret.put");
}

export function listCertificates(vaultCall: VaultCall): Answer {
  const withPending = vaultCall.call.request.query.get("includePending") === "true";
  const { certificates } = vaultCall.content;
  const all = Object.values(certificates).filter(
    ({ name, versions }) => live(certificates, name) !== undefined && (withPending || versions.length > 0),
  );
  return listed(
    vaultCall,
    all.map((certificate) => listItem(vaultCall, certificate, certificate.versions.at(-1), [])),
  );
}

export function listCertificateVersions(vaultCall: VaultCall): Answer {
  const certificate = live(vaultCall.content.certificates, vaultCall.name);
  return listed(vaultCall, certificate?.versions.map((version) => listItem(vaultCall, certificate, version, [version.version])) ?? []);
}

export function getPolicy(vaultCall: VaultCall): Answer {
  return found(vaultCall, presentPolicy(vaultCall, findLive(vaultCall)));
}

/** Members that are sent take the place of those that were there. It says what the next version will be made of. */
export function updatePolicy(vaultCall: VaultCall): Answer {
  const certificate = findLive(vaultCall);
  const { request } = vaultCall.call;
  const merged = { ...vaultCall.call, request: { ...request, body: { ...certificate.policy, ...(request.body as object) } } };
  const policy = readBody({ ...vaultCall, call: merged }, policyBody);
  checkEmulated(policy);
  certificate.policy = policy;
  return written(vaultCall, 200, presentPolicy(vaultCall, certificate), "secret.put");
}

export function deleteCertificate(vaultCall: VaultCall): Answer {
  const certificate = requireLive(vaultCall.content.certificates, "Certificate", vaultCall.name);
  const deletion = newDeletion(vaultCall.call);
  certificate.deleted = deletion;
  const answered = presentDeleted(vaultCall, certificate);
  delete certificate.pending;
  const secret = secretOf(vaultCall, certificate);
  if (secret !== undefined) secret.deleted = deletion;
  return written(vaultCall, 200, answered, "secret.put");
}

export function listDeletedCertificates(vaultCall: VaultCall): Answer {
  const all = allDeleted(vaultCall, vaultCall.content.certificates);
  return listed(
    vaultCall,
    all.map((certificate) => ({
      ...item(vaultCall, certificate, certificate.versions.at(-1), []),
      ...deletionMembers(vaultCall, "deletedcertificates", certificate),
    })),
  );
}

export function getDeletedCertificate(vaultCall: VaultCall): Answer {
  return found(vaultCall, presentDeleted(vaultCall, findDeleted(vaultCall, vaultCall.content.certificates, "Certificate")));
}

export function recoverCertificate(vaultCall: VaultCall): Answer {
  const certificate = requireDeleted(vaultCall, vaultCall.content.certificates, "Certificate");
  delete certificate.deleted;
  delete secretOf(vaultCall, certificate)?.deleted;
  return written(vaultCall, 200, present(vaultCall, certificate, certificate.versions.at(-1)), "secret.put");
}

export function purgeCertificate(vaultCall: VaultCall): Answer {
  const certificate = requireDeleted(vaultCall, vaultCall.content.certificates, "Certificate");
  checkPurge(vaultCall);
  const key = certificate.name.toLowerCase();
  delete vaultCall.content.certificates[key];
  delete vaultCall.content.secrets[key];
  return written(vaultCall, 204, undefined, "secret.put");
}

/** While somebody else has not signed the first version, that is there, disabled and without content, as recorded. */
function orderedFromIssuer(vaultCall: VaultCall): Record<string, unknown> | undefined {
  const { content, name, version } = vaultCall;
  const certificate = live(content.certificates, name);
  const order = certificate?.pending?.order;
  const isWithOthers = order !== undefined && (order.isMerged === true || order.authority !== undefined);
  if (certificate === undefined || !isWithOthers || certificate.versions.length > 0 || version !== undefined) return undefined;
  return {
    id: urlOf(vaultCall, "certificates", certificate.name, order.version),
    attributes: { ...presentAttributes(vaultCall, order.attributes), enabled: false },
    ...(order.tags !== undefined && { tags: order.tags }),
    policy: presentPolicy(vaultCall, certificate),
  };
}

/** A certificate whose first version is pending is not there yet. */
function findLive({ content, name }: VaultCall): VaultCertificate {
  const certificate = requireLive(content.certificates, "Certificate", name);
  if (certificate.versions.length === 0) throw notFound("Certificate", name);
  return certificate;
}

function versionOf({ version: wanted, name }: VaultCall, { versions }: VaultCertificate): CertificateVersion {
  const version = wanted === undefined ? versions.at(-1) : versions.find((one) => one.version === wanted.toLowerCase());
  if (version === undefined) throw notFound("Certificate", wanted === undefined ? name : `${name}/${wanted}`);
  return version;
}

function secretOf({ content }: VaultCall, { name }: VaultCertificate): VaultSecret | undefined {
  return namedIn(content.secrets, name.toLowerCase());
}

function present(vaultCall: VaultCall, certificate: VaultCertificate, version: CertificateVersion | undefined): Record<string, unknown> {
  const { name } = certificate;
  const policy = presentPolicy(vaultCall, certificate);
  if (version === undefined) return { ...item(vaultCall, certificate, undefined, []), policy };
  return {
    ...item(vaultCall, certificate, version, [version.version]),
    kid: urlOf(vaultCall, "keys", name, version.version),
    sid: urlOf(vaultCall, "secrets", name, version.version),
    cer: version.cer,
    policy,
    ...(hasUndescribedMembers(vaultCall) && certificate.pending && { pending: { id: urlOf(vaultCall, "certificates", name, "pending") } }),
  };
}

export function presentRestoredCertificate(vaultCall: VaultCall, certificate: VaultCertificate): Record<string, unknown> {
  const { pending: _ofOthers, ...answered } = present(vaultCall, certificate, certificate.versions.at(-1));
  return answered;
}

/** Recorded versions list certificates with an empty subject, and without what a deletion would leave. */
function listItem(...[vaultCall, ...rest]: Parameters<typeof item>): Record<string, unknown> {
  const { attributes, ...listed } = item(vaultCall, ...rest);
  if (!hasUndescribedMembers(vaultCall)) return { ...listed, attributes };
  const { recoveryLevel: _level, recoverableDays: _days, ...own } = attributes as Record<string, unknown>;
  return { ...listed, attributes: own, subject: "" };
}

function item(
  vaultCall: VaultCall,
  { name, pending }: VaultCertificate,
  version: CertificateVersion | undefined,
  versionSegment: readonly string[],
): Record<string, unknown> {
  const id = urlOf(vaultCall, "certificates", name, ...versionSegment);
  if (version === undefined) {
    const ordered = pending?.order?.attributes;
    return { id, attributes: { ...(ordered && presentAttributes(vaultCall, ordered)), enabled: false } };
  }
  const { x5t, attributes, tags } = version;
  return { id, x5t, attributes: presentAttributes(vaultCall, attributes), ...(tags !== undefined && { tags }) };
}

function presentPolicy(vaultCall: VaultCall, { name, policy, versions }: VaultCertificate): Record<string, unknown> {
  const [first] = versions;
  const now = epochSeconds(vaultCall.call.now);
  const attributes = { enabled: true, created: first?.attributes.created ?? now, updated: versions.at(-1)?.attributes.updated ?? now };
  const { x509_props, ...others } = policy as CertificatePolicy;
  return {
    id: urlOf(vaultCall, "certificates", name, "policy"),
    ...others,
    x509_props: {
      ...x509_props,
      key_usage: [...x509_props.key_usage].sort(),
      ...(hasUndescribedMembers(vaultCall) && { basic_constraints: { ca: false } }),
    },
    attributes,
  };
}

function presentDeleted(vaultCall: VaultCall, certificate: VaultCertificate): Record<string, unknown> {
  return {
    ...present(vaultCall, certificate, certificate.versions.at(-1)),
    ...deletionMembers(vaultCall, "deletedcertificates", certificate),
  };
}
