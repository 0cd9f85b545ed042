/** The certificate that a component signs in with. The vault creates it, so its key was never anywhere else. */
import { advise, shell } from "../errors/advice.js";
import type { CertificatePolicy, DeletedCertificate, KeyVaultCertificateWithPolicy } from "@azure/keyvault-certificates";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found, pollInterval } from "../azure/long-running.js";
import { defineStep, type Decision, type Step, type StepIo } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { Recovered, Stale } from "../errors/stale.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { thumbprintOf } from "../domain/credential-secret.js";
import { certificateName } from "../domain/identity-names.js";
import type { CertificateOptions, IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy, ownershipTags } from "../domain/ownership.js";
import type { VaultOutput } from "./key-vault.js";
import { refuse } from "./ownership-decision.js";

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
}

/** The certificate with the name in the vault. */
export interface LiveCertificate {
  readonly certificate?: KeyVaultCertificateWithPolicy;
  /** The first version is still being created. */
  readonly pending?: true;
  readonly deleted?: DeletedCertificate;
}

export interface CertificateNeeds {
  readonly vault: Step<VaultOutput>;
  readonly access: Step<unknown>;
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
    subject: { kind: "vault-object" },
    title: `certificate ${name}`,
    needs: { ...needs },
    within: "vault",
    read: () => readCertificate(azure, key.vaultName, name),
    busy: ({ pending }) => (pending ? "inProgress" : undefined),
    decide: (live, _outputs, now) => decideCertificate(live, what, key, now),
    apply: (live, _outputs, io) =>
      live?.deleted ? recover(azure, key.vaultName, name) : newVersion(azure, key, name, policyOf(name, options), io),
    output: (live) => certificateOutput(name, live),
  });
}

export async function readCertificate(azure: Azure, vaultName: string, name: string): Promise<LiveCertificate | undefined> {
  const { certificates } = await azure.vaultContent(vaultName);
  const live = await found(certificates.getCertificate(name));
  // While its first version is being created, there is nothing to compare.
  if (live?.cer !== undefined && live.cer.length > 0) return { certificate: live };
  const operation = await found(certificates.getCertificateOperation(name));
  if (operation?.getOperationState().certificateOperation?.status === "inProgress") return { pending: true };
  const deleted = await found(certificates.getDeletedCertificate(name));
  return deleted && { deleted };
}

function decideCertificate(live: LiveCertificate | undefined, what: string, { name: set, vaultName }: IdentitySetKey, now: Date): Decision {
  if (!live) return { act: "create" };
  const { properties } = live.certificate ?? live.deleted ?? {};
  if (ownedBy(properties?.tags, { identitySet: set }) !== "ours") {
    const name = live.certificate?.name ?? live.deleted?.name ?? "";
    if (live.deleted) {
      return refuse("ARO-VAULT-001", `${what} is soft-deleted, does not belong to this identity set, and still has the name`, {
        next: [
          advise`purge it: ${shell`az keyvault certificate purge --name ${name} --vault-name ${vaultName}`}`,
          "or choose a different --name",
        ],
      });
    }
    return refuse("ARO-OWN-001", `${what} exists but does not belong to this identity set`, {
      next: ["choose a different --name or --key-vault-name, or delete it"],
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
    return { act: "update", why: "it has expired", changes: [{ path: "version", from: end.toISOString(), to: "a new one" }] };
  }
  if (properties?.enabled === false) {
    return { act: "update", why: "it is disabled", changes: [{ path: "version", from: "disabled", to: "a new one" }] };
  }
  return { act: "keep" };
}

/** Creates a new version with the same name. Earlier versions stay valid. */
export async function newVersion(
  azure: Azure,
  { name: set, vaultName }: IdentitySetKey,
  name: string,
  policy: CertificatePolicy,
  io: StepIo,
): Promise<LiveCertificate> {
  const { certificates } = await azure.vaultContent(vaultName);
  const { clock } = azure.connection;
  try {
    const poller = await certificates.beginCreateCertificate(name, policy, {
      tags: ownershipTags({ identitySet: set }),
      intervalInMs: clock.scaled(pollInterval.keyVault),
      abortSignal: io.signal,
    });
    return { certificate: await poller.pollUntilDone() };
  } catch (error) {
    const code = azureCodeOf(error);
    if (code === "ObjectIsDeletedButRecoverable") throw new Stale("a soft-deleted one still has the name", { cause: error });
    // Another run is creating it, or this one retried because the first response was lost.
    if (code === "PendingCertificateInProgress") throw new Stale("it is already being created", { cause: error });
    throw error;
  }
}

async function recover(azure: Azure, vaultName: string, name: string): Promise<never> {
  const { certificates } = await azure.vaultContent(vaultName);
  const poller = await certificates.beginRecoverDeletedCertificate(name, {
    intervalInMs: azure.connection.clock.scaled(pollInterval.keyVault),
  });
  await poller.pollUntilDone();
  throw new Recovered("it was recovered");
}

export function certificateOutput(name: string, { certificate: live }: LiveCertificate): CertificateOutput {
  const { createdOn, notBefore, expiresOn } = live?.properties ?? {};
  if (!live?.cer || !createdOn || !expiresOn) throw new Failure("ARO-BUG-001", `certificate "${name}" has no content or no dates`);
  return {
    name,
    der: live.cer,
    thumbprint: thumbprintOf(live.cer),
    version: live.secretId?.split("/").at(-1) ?? "",
    notBefore: notBefore ?? createdOn,
    expiresOn,
    createdOn,
  };
}
