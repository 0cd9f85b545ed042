/** Certificates in the making: asked for, pending for some seconds, then a new version. */
import { z } from "zod";
import type { Answer, ApiRequest, Deps } from "../../service.js";
import type {
  CertificateVersion,
  PendingCertificate,
  SecretVersion,
  VaultCertificate,
  VaultContent,
  VaultSecret,
} from "../../state/vault-content.js";
import type { AzureState } from "../../state/state.js";
import { attributesBody, checkTags, newAttributes, tagsBody } from "./attributes.js";
import { checkEmulated, policyBody, type CertificatePolicy } from "./certificate-policy.js";
import { badParameter, conflict, pendingNotFound } from "./errors.js";
import { newKey, selfSign } from "./self-signed.js";
import { checkNameIsFree, live } from "./soft-delete.js";
import { found, newVersion, readBody, urlOf, written, type VaultCall } from "./vault-call.js";
import { namedIn, setNamed } from "../../state/named.js";

const createBody = z.strictObject({
  policy: policyBody.optional(),
  attributes: attributesBody.optional(),
  tags: tagsBody.optional(),
  preserveCertOrder: z.boolean().optional(),
});
const cancelBody = z.strictObject({ cancellation_requested: z.boolean() });

interface PreparedKey {
  readonly bits: number;
  readonly key: string;
}

/** The key is made before the transaction, which others wait for. Undefined where none is needed. */
export async function prepareKey({ host, path, body }: ApiRequest, { readState }: Deps): Promise<PreparedKey | undefined> {
  const [, name = ""] = path;
  const sent = createBody.safeParse(body ?? {});
  if (!sent.success) return undefined;
  const held = await readState(({ vaults }: AzureState) => namedIn(namedIn(vaults, vaultOf(host))?.certificates, name.toLowerCase()));
  const props = (sent.data.policy ?? (held?.policy as CertificatePolicy | undefined))?.key_props;
  if (props === undefined || (props.reuse_key && held?.versions.length)) return undefined;
  return { bits: props.key_size, key: await newKey(props.key_size) };
}

export function vaultOf(host: string): string {
  return host.split(".")[0] ?? "";
}

export async function createCertificate(vaultCall: VaultCall): Promise<Answer> {
  const { call, content, name } = vaultCall;
  const { policy: sent, attributes, tags } = readBody(vaultCall, createBody);
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
  if (existing?.pending !== undefined && isInProgress(existing.pending)) {
    throw conflict(
      "A new key vault certificate can not be created or imported while a pending key vault certificate's status is inProgress.",
      "PendingCertificateInProgress",
    );
  }
  const policy = sent ?? (existing?.policy as CertificatePolicy | undefined);
  if (policy === undefined) throw badParameter("Property policy is required to create the first version of a certificate.");
  checkEmulated(policy);
  checkTags(tags);
  const made = await makeVersion(vaultCall, policy, existing?.versions.at(-1), { attributes, tags });
  const certificate: VaultCertificate = existing ?? { name, policy, versions: [] };
  certificate.policy = policy;
  const seconds = call.sample("kvCertificate.create");
  certificate.pending = { requestId: newVersion(vaultCall), readyAt: call.now + call.milliseconds(seconds), made };
  setNamed(content.certificates, key, certificate);
  call.state.operationLog.push({ resource: urlOf(vaultCall, "certificates", name), verb: "POST", seconds });
  const apiVersion = call.request.query.get("api-version") ?? "";
  const place = `${urlOf(vaultCall, "certificates", name, "pending")}?api-version=${apiVersion}&request_id=${certificate.pending.requestId}`;
  return {
    status: 202,
    headers: { Location: place },
    body: presentPending(vaultCall, certificate, certificate.pending),
    takes: call.sample("secret.put"),
  };
}

interface Sent {
  readonly attributes: z.output<typeof attributesBody> | undefined;
  readonly tags: Record<string, string> | undefined;
}

async function makeVersion(
  vaultCall: VaultCall,
  policy: CertificatePolicy,
  last: CertificateVersion | undefined,
  { attributes, tags }: Sent,
): Promise<{ certificate: CertificateVersion; secret: SecretVersion }> {
  const { call } = vaultCall;
  const { key_size: bits, reuse_key } = policy.key_props;
  const prepared = call.prepared as PreparedKey | undefined;
  const fresh = async (): Promise<string> => (prepared?.bits === bits ? prepared.key : await newKey(bits));
  const { key, cer, x5t, secret, nbf, exp } = await selfSign(policy, reuse_key && last !== undefined ? last.key : await fresh(), call.now);
  const version = newVersion(vaultCall);
  const shared = { version, ...(tags !== undefined && { tags }), attributes: newAttributes(vaultCall, { ...attributes, nbf, exp }) };
  return {
    certificate: { ...shared, cer, x5t, key },
    secret: { ...shared, value: secret, contentType: policy.secret_props.contentType },
  };
}

/** Takes over what is ready by the clock. Runs before every answer of a vault and before every snapshot. */
export function advanceCertificates(contents: readonly VaultContent[], now: number): void {
  for (const { certificates, secrets } of contents) {
    for (const [key, certificate] of Object.entries(certificates)) {
      const { pending } = certificate;
      if (pending?.made === undefined || pending.readyAt > now) continue;
      const { made } = pending;
      delete pending.made;
      if (pending.cancellationRequested) {
        pending.cancelled = true;
        continue;
      }
      certificate.versions.push(made.certificate);
      const secret: VaultSecret = namedIn(secrets, key) ?? { name: certificate.name, managed: true, versions: [] };
      setNamed(secrets, key, secret);
      secret.versions.push(made.secret);
    }
  }
}

export function getPending(vaultCall: VaultCall): Answer {
  const { certificate, pending } = findPending(vaultCall);
  return found(vaultCall, presentPending(vaultCall, certificate, pending));
}

export function cancelPending(vaultCall: VaultCall): Answer {
  const { certificate, pending } = findPending(vaultCall);
  const { cancellation_requested } = readBody(vaultCall, cancelBody);
  if (!isInProgress(pending)) throw badParameter("Cancellation can be requested only while the pending certificate is in progress.");
  if (cancellation_requested) pending.cancellationRequested = true;
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

function isInProgress({ made }: PendingCertificate): boolean {
  return made !== undefined;
}

function presentPending(vaultCall: VaultCall, { name, policy }: VaultCertificate, pending: PendingCertificate): Record<string, unknown> {
  const { issuer } = policy as CertificatePolicy;
  return {
    id: urlOf(vaultCall, "certificates", name, "pending"),
    issuer: { name: issuer.name },
    cancellation_requested: pending.cancellationRequested === true,
    ...progress(vaultCall, name, pending),
    request_id: pending.requestId,
  };
}

function progress(vaultCall: VaultCall, name: string, pending: PendingCertificate): Record<string, unknown> {
  if (isInProgress(pending)) {
    return {
      status: "inProgress",
      status_details:
        "Pending certificate created. Certificate request is in progress. This may take some time based on the issuer provider. Please check again later.",
    };
  }
  if (pending.cancelled) return { status: "cancelled", status_details: "The certificate request was cancelled." };
  return { status: "completed", target: urlOf(vaultCall, "certificates", name) };
}
