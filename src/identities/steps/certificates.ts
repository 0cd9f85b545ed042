/** The certificate that a component signs in with, whose key the vault creates. */
import { advise, shell } from "../../errors/advice.js";
import type { CertificatePolicy } from "@azure/keyvault-certificates";
import type { Azure } from "../../azure/azure.js";
import { certificateCreation } from "../../azure/expected-durations.js";
import { found } from "../../azure/long-running.js";
import { defineStep, type Decision, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { thumbprintOf } from "../../domain/credential-secret.js";
import { vaultOption } from "../../domain/given-vault.js";
import { contentTags, ownsContent } from "../../domain/set-content.js";
import { certificateName } from "../../domain/identity-names.js";
import type { CertificateOptions, IdentitySetKey } from "../../domain/identity-spec.js";
import type { VaultOutput } from "../../steps/key-vault.js";
import { refuse } from "../../steps/ownership-decision.js";
import { unreadWithoutAccess } from "../../steps/unread-contents.js";
import type { Admission } from "../../steps/vault-access.js";
import {
  type CertificateVersions,
  isCreatedSince,
  type LiveCertificate,
  newVersion,
  readCertificate,
  supersededBy,
  type VersionDate,
} from "../../steps/vault-certificate.js";
import { recoverCertificate } from "../../steps/recovery.js";
import { rfc3339 } from "../../text/rfc3339.js";

export interface CertificateOutput {
  readonly name: string;
  /** DER. */
  readonly der: Uint8Array;
  /** SHA-1, upper-case hex. */
  readonly thumbprint: string;
  /** ID of the vault's secret that contains the key. */
  readonly version: string;
  readonly notBefore: Date;
  readonly expiresOn: Date;
  readonly createdOn: Date;
  /** Another run created it while this one ran, and may be about to use it too. */
  readonly isOfOtherRun: boolean;
  /** What other runs create after this version is superseded by the newest one. */
  readonly since: VersionDate;
  /** Thumbprints of versions that other runs created at the same time, and that this one supersedes. */
  readonly superseded: readonly string[];
}

export interface CertificateNeeds {
  readonly vault: Step<VaultOutput>;
  readonly access: Step<Admission>;
}

const pemContentType = "application/x-pem-file";

/** The vault must not renew it: the new version would be neither on the application nor in the secret, and the component would fail to sign in. */
function policyOf(name: string, { keySize, validityMonths }: CertificateOptions): CertificatePolicy {
  return {
    issuerName: "Self",
    subject: `CN=${name}`,
    contentType: pemContentType,
    exportable: true,
    keyType: "RSA",
    keySize,
    reuseKey: false,
    validityInMonths: validityMonths,
    keyUsage: ["digitalSignature"],
    // TLS client authentication (RFC 5280, 4.2.1.12).
    enhancedKeyUsage: ["1.3.6.1.5.5.7.3.2"],
    lifetimeActions: [{ action: "EmailContacts", lifetimePercentage: 80 }],
  };
}

export function certificate(
  azure: Azure,
  key: IdentitySetKey,
  options: CertificateOptions,
  component: ControlPlaneComponent,
  needs: CertificateNeeds,
): Step<CertificateOutput> {
  const name = certificateName(key, component);
  const what = `certificate "${name}"`;
  return defineStep({
    id: `certificate-${component.key}`,
    subject: { kind: "vault-object", noun: "certificate" },
    title: `certificate ${name}`,
    seconds: certificateCreation.spread[1],
    needs: { ...needs },
    within: "vault",
    addsVersion: true,
    unread: unreadWithoutAccess,
    read: async () => withSuperseded(azure, key.vaultName, await readCertificate(azure, key.vaultName, name)),
    busy: ({ pending }) => (pending ? "inProgress" : undefined),
    decide: (live, _outputs, now) => decideCertificate(live, what, key, now),
    apply: (live, _outputs, io) =>
      live?.deleted
        ? recoverCertificate(azure, key.vaultName, name)
        : newVersion(azure, versionsOf(key, name), policyOf(name, options), live?.certificate, io),
    output: (live) => certificateOutput(azure, name, live),
  });
}

function decideCertificate(live: LiveCertificate | undefined, what: string, key: IdentitySetKey, now: Date): Decision {
  if (!live) return { act: "create" };
  const { properties } = live.certificate ?? live.deleted ?? {};
  if (!ownsContent(key, properties?.tags)) {
    const name = live.certificate?.name ?? live.deleted?.name ?? "";
    if (live.deleted) {
      return refuse("ARO-VAULT-001", `${what} is soft-deleted, does not belong to this identity set, and still has the name`, {
        next: [
          "choose a different --identities-name",
          advise`or, if its owner agrees, purge it: ${shell`az keyvault certificate purge --name ${name} --vault-name ${key.vaultName}`}`,
        ],
      });
    }
    return refuse("ARO-OWN-001", `${what} exists but does not belong to this identity set`, {
      next: [`choose a different --identities-name or ${vaultOption(key)}; delete it only if its owner agrees`],
    });
  }
  if (live.deleted) return { act: "create", why: "it was deleted and is recovered" };
  const contentType = live.certificate?.policy?.contentType;
  if (contentType !== undefined && contentType !== pemContentType) {
    return refuse("ARO-OWN-002", `${what} is exported as ${contentType}, not as PEM`, {
      because: "the credential secret needs PEM",
      next: ["delete it and rerun the command"],
    });
  }
  const end = properties?.expiresOn;
  if (end !== undefined && end <= now) {
    return { act: "update", why: "it has expired", changes: [{ path: "version", from: rfc3339(end), to: "a new one" }] };
  }
  if (properties?.enabled === false) {
    return { act: "update", why: "it is disabled", changes: [{ path: "version", from: "disabled", to: "a new one" }] };
  }
  return { act: "keep" };
}

export function versionsOf(key: IdentitySetKey, name: string): CertificateVersions {
  return { vaultName: key.vaultName, name, tags: contentTags(key) };
}

/** A version that another run created while this one ran may have superseded some: a run that adds it to the application removes their keys. */
async function withSuperseded(azure: Azure, vaultName: string, live: LiveCertificate | undefined): Promise<LiveCertificate | undefined> {
  const since = azure.connection.contact?.since;
  if (!live?.certificate || !since || !isCreatedSince(live.certificate.properties, since)) return live;
  const { certificates } = await azure.vaultContent(vaultName);
  // The certificate may be deleted meanwhile.
  const superseded = await found(supersededBy(live.certificate, { createdOn: since }, certificates));
  return superseded && { ...live, superseded };
}

export function certificateOutput(
  azure: Pick<Azure, "connection">,
  name: string,
  { certificate: live, isNew, since, superseded = [] }: LiveCertificate,
): CertificateOutput {
  const { createdOn, notBefore, expiresOn } = live?.properties ?? {};
  const begin = azure.connection.contact?.since;
  if (!live?.cer || !createdOn || !expiresOn) throw new Failure("ARO-BUG-001", `certificate "${name}" has no content or no dates`);
  const isOfOtherRun = isNew !== true && isCreatedSince(live.properties, begin);
  return {
    name,
    der: live.cer,
    thumbprint: thumbprintOf(live.cer),
    version: live.secretId?.split("/").at(-1) ?? "",
    notBefore: notBefore ?? createdOn,
    expiresOn,
    createdOn,
    isOfOtherRun,
    since: since ?? (isOfOtherRun ? { createdOn: begin } : live.properties),
    superseded,
  };
}
