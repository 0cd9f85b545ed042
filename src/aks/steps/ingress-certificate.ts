/** The TLS certificate of an ingress, which an existing vault creates and renews. */
import { X509Certificate } from "node:crypto";
import type { CertificatePolicy } from "@azure/keyvault-certificates";
import type { Azure } from "../../azure/azure.js";
import { certificateCreation } from "../../azure/expected-durations.js";
import { found } from "../../azure/long-running.js";
import { defineLookup, defineStep, type Change, type Decision, type Step } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import type { IngressCertificate } from "../domain/cluster-spec.js";
import { ownedBy, ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { recoverCertificate } from "../../steps/recovery.js";
import { newVersion, readCertificate, type LiveCertificate } from "../../steps/vault-certificate.js";
import { useExisting, refuse } from "../../steps/ownership-decision.js";
import { rfc3339 } from "../../text/rfc3339.js";

const row = resourceTypes.keyVault;
const pem = "application/x-pem-file";

/** The vault of the certificate: an existing one. */
export interface CertificateVaultOutput {
  readonly id: string;
  readonly name: string;
}

/** The vault of `--certificate-vault-id`. It must use Azure RBAC: with access policies, the role on the secret has no effect. */
export function certificateVault(azure: Azure, { vaultId }: IngressCertificate): Step<CertificateVaultOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(vaultId);
  const what = quotedTitleOf(row, name);
  return defineLookup({
    id: `certificate-${row.use.step}`,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true, anywhere: true },
    resourceId: vaultId,
    needs: {},
    read: async () => found((await azure.vaults(subscriptionId)).vaults.get(resourceGroup, name)),
    decide: (live) =>
      useExisting(live && { ...live, tags: live.tags ?? {} }, { row, what, flag: "--certificate-vault-id" }, () =>
        live?.properties.enableRbacAuthorization === true
          ? undefined
          : new Failure("ARO-OWN-003", `${what} uses access policies`, {
              because: "the secrets provider reads the certificate with a role, which has no effect there",
              next: [
                advise`let it use Azure RBAC, if its owner agrees: ${shell`az keyvault update --name ${name} --enable-rbac-authorization true`}`,
                "or pass another vault as --certificate-vault-id",
              ],
            }),
      ),
    output: (live) => ({ id: live.id ?? vaultId, name }),
  });
}

export interface IngressCertificateOutput {
  readonly vaultName: string;
  readonly name: string;
  /** Scope of roles: the secret with the key and the chain. */
  readonly secretScope: string;
  readonly expiresOn: Date | undefined;
}

/** The secrets provider mounts key and chain from PEM. The vault renews it: nothing else refers to a version. */
function certificatePolicy({ issuer, hostnames }: IngressCertificate): CertificatePolicy {
  const [first = "", ...others] = hostnames;
  return {
    issuerName: issuer,
    // RFC 5280 limits a common name to 64 characters; clients read only the alternative names.
    ...(first.length <= 64 && { subject: `CN=${first}` }),
    subjectAlternativeNames: { dnsNames: [first, ...others] },
    contentType: pem,
    exportable: true,
    keyType: "RSA",
    keySize: 2048,
    reuseKey: false,
    validityInMonths: 12,
    keyUsage: ["digitalSignature", "keyEncipherment"],
    // TLS server authentication (RFC 5280, 4.2.1.12).
    enhancedKeyUsage: ["1.3.6.1.5.5.7.3.1"],
    lifetimeActions: [{ action: "AutoRenew", lifetimePercentage: 80 }],
  };
}

export type CertificateNeeds = {
  readonly vault: Step<CertificateVaultOutput>;
  /** A destroy finds the certificate by the role of the cluster's secrets provider, so it is not made before both can be. */
  readonly cluster: Step<unknown>;
};

export function ingressCertificate(
  azure: Azure,
  cluster: AksClusterKey,
  wanted: IngressCertificate,
  needs: CertificateNeeds,
): Step<IngressCertificateOutput> {
  const { name } = wanted;
  const vaultName = parseResourceId(wanted.vaultId).name;
  return defineStep({
    id: "ingress-certificate",
    title: `certificate ${name}`,
    subject: { kind: "vault-object" },
    seconds: certificateCreation.spread[1],
    needs,
    within: "vault",
    addsVersion: true,
    // What cannot be used is refused before the first write.
    neededToRead: ["vault"],
    preview: (_outputs, now, live) => decide(live, cluster, wanted, now),
    read: () => readCertificate(azure, vaultName, name),
    busy: ({ pending }) => (pending ? "inProgress" : undefined),
    decide: (live, _outputs, now) => decide(live, cluster, wanted, now),
    apply: (live, _outputs, io) =>
      live?.deleted
        ? recoverCertificate(azure, vaultName, name)
        : newVersion(azure, { vaultName, name, tags: ownershipTags(cluster) }, certificatePolicy(wanted), live?.certificate, io),
    predict: ({ vault: { id } }) => outputOf(id, wanted, undefined),
    output: (live, { vault: { id } }) => outputOf(id, wanted, live),
  });
}

function outputOf(vaultId: string, { name }: IngressCertificate, live: LiveCertificate | undefined): IngressCertificateOutput {
  const vaultName = parseResourceId(vaultId).name;
  return { vaultName, name, secretScope: `${vaultId}/secrets/${name}`, expiresOn: live?.certificate?.properties.expiresOn };
}

function decide(live: LiveCertificate | undefined, cluster: AksClusterKey, wanted: IngressCertificate, now: Date): Decision {
  if (!live) return { act: "create" };
  const { properties } = live.certificate ?? live.deleted ?? {};
  const what = `certificate "${wanted.name}"`;
  if (ownedBy(properties?.tags, cluster) !== "ours") {
    const lacking = faultsOf(live, wanted, now);
    if (lacking === undefined) return { act: "use" };
    return refuse("ARO-OWN-001", `${what} exists but does not belong to this cluster`, {
      because: `${lacking}, and a certificate of others is never changed`,
      next: ["choose another --certificate-name", "or let its owner issue it for these hostnames"],
    });
  }
  if (live.deleted) return { act: "create", why: "it was deleted and is recovered" };
  const changes = changesOf(live, wanted, now);
  return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs, so a new version is issued", changes };
}

/** Why a certificate of others cannot be used; undefined if it can. */
function faultsOf({ certificate, deleted }: LiveCertificate, { hostnames }: IngressCertificate, now: Date): string | undefined {
  if (deleted) return "it is soft-deleted";
  const { expiresOn, enabled } = certificate?.properties ?? {};
  if (enabled === false) return "it is disabled";
  if (expiresOn !== undefined && expiresOn <= now) return "it has expired";
  const missing = uncovered(certificate?.cer, hostnames);
  return missing.length === 0 ? undefined : `it is not for ${missing.join(", ")}`;
}

/** The hostnames that a client would not accept the certificate for. `cer` is DER. */
export function uncovered(cer: Uint8Array | undefined, hostnames: readonly string[]): string[] {
  if (cer === undefined || cer.length === 0) return [...hostnames];
  const x509 = new X509Certificate(cer);
  return hostnames.filter((hostname) => x509.checkHost(hostname, { subject: "never" }) === undefined);
}

function changesOf({ certificate }: LiveCertificate, wanted: IngressCertificate, now: Date): Change[] {
  const { policy, properties } = certificate ?? {};
  const names: readonly string[] = policy?.subjectAlternativeNames?.dnsNames ?? [];
  const isSame = names.length === wanted.hostnames.length && wanted.hostnames.every((name) => names.includes(name));
  const end = properties?.expiresOn;
  const contentType = policy?.contentType;
  return [
    ...(policy?.issuerName === wanted.issuer ? [] : [{ path: "issuer", from: policy?.issuerName, to: wanted.issuer }]),
    ...(isSame ? [] : [{ path: "hostnames", from: names, to: wanted.hostnames }]),
    ...(contentType === pem ? [] : [{ path: "contentType", from: contentType, to: pem }]),
    ...(end !== undefined && end <= now ? [{ path: "version", from: `expired ${rfc3339(end)}`, to: "a new one" }] : []),
    ...(properties?.enabled === false ? [{ path: "version", from: "disabled", to: "a new one" }] : []),
  ];
}
