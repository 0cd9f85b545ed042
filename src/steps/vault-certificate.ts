/** Versions of a certificate in a vault: read, and created once, also where another run creates one at the same time. */
import type {
  KeyVaultCertificateWithPolicy,
  DeletedCertificate,
  CertificatePolicy,
  CertificateProperties,
  CertificateClient,
} from "@azure/keyvault-certificates";
import type { Azure } from "../azure/azure.js";
import { creationOf, isPending } from "../azure/certificate-creations.js";
import { found, noInterval, inFlightIntervalMs } from "../azure/long-running.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { certificateCreation } from "../azure/expected-durations.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import type { StepIo } from "../engine/step.js";
import { Stale, Uncertain } from "../errors/stale.js";
import { all } from "../azure/pages.js";
import { thumbprintHex } from "../domain/credential-secret.js";

export interface VersionDate {
  readonly version?: string | undefined;
  readonly createdOn?: Date | undefined;
}

export interface LiveCertificate {
  readonly certificate?: KeyVaultCertificateWithPolicy;
  /** The first version is still being created. */
  readonly pending?: true;
  readonly deleted?: DeletedCertificate;
  /** This run created it. */
  readonly isNew?: true;
  /** The newest version when this run asked for this one. */
  readonly since?: VersionDate;
  readonly superseded?: readonly string[];
}

const noVersion: VersionDate = { createdOn: new Date(0) };
export async function readCertificate(azure: Azure, vaultName: string, name: string): Promise<LiveCertificate | undefined> {
  const { certificates } = await azure.vaultContent(vaultName);
  const live = await found(certificates.getCertificate(name));
  // While its first version is being created, there is nothing to compare.
  if (live?.cer !== undefined && live.cer.length > 0) return { certificate: live };
  const deleted = await found(certificates.getDeletedCertificate(name));
  if (deleted) return { deleted };
  // Last, because a creation follows if there is none: another run may begin one at any time, and even end it.
  const operation = await creationOf(certificates, name);
  if (operation?.status === "inProgress") return { pending: true };
  const created = operation?.status === "completed" ? await found(certificates.getCertificate(name)) : undefined;
  return created?.cer && created.cer.length > 0 ? { certificate: created } : undefined;
}

/** A certificate that gets new versions, and their tags. */
export interface CertificateVersions {
  readonly vaultName: string;
  readonly name: string;
  readonly tags: Record<string, string>;
}

/**
 * Creates a new version with the same name; `before` is the newest one so far. Earlier versions stay valid. If the response is lost or another
 * run is creating a version, that version is waited for and used.
 */
export async function newVersion(
  azure: Azure,
  { vaultName, name, tags }: CertificateVersions,
  policy: CertificatePolicy,
  before: KeyVaultCertificateWithPolicy | undefined,
  io: StepIo,
): Promise<LiveCertificate> {
  const { certificates } = await azure.vaultContent(vaultName);
  const { clock } = azure.connection;
  const since = before?.properties ?? noVersion;
  try {
    const certificate = await pollWhenDue(certificateCreation, async () => {
      const poller = await certificates.beginCreateCertificate(name, policy, {
        tags,
        intervalInMs: noInterval,
        abortSignal: io.signal,
      });
      return poller.pollUntilDone();
    });
    return { certificate, isNew: true, since, superseded: await supersededBy(certificate, since, certificates) };
  } catch (error) {
    const code = azureCodeOf(error);
    if (code === "ObjectIsDeletedButRecoverable") throw new Stale("a soft-deleted one still has the name", { cause: error });
    const isElsewhere = code === "PendingCertificateInProgress";
    if (!isElsewhere && !(error instanceof Uncertain)) throw error;
    while (await isPending(certificates, name)) {
      io.note("waiting for the version that is already being created");
      await clock.sleep(inFlightIntervalMs, io.signal);
    }
    const certificate = await found(certificates.getCertificate(name));
    if (certificate?.cer && certificate.properties.version !== before?.properties.version)
      return { certificate, since, superseded: await supersededBy(certificate, since, certificates) };
    throw isElsewhere ? new Stale("its creation by another client has ended without a version", { cause: error }) : error;
  }
}

/** Both dates are Azure's: by this computer's clock, a version of an earlier run could seem to be created during this one. */
export function isCreatedSince({ createdOn }: CertificateProperties, since: Date | undefined): boolean {
  return createdOn !== undefined && since !== undefined && createdOn >= since;
}

/**
 * Thumbprints of the versions that other runs created since that one: the vault has no condition for "only if there is no newer one".
 */
export async function supersededBy(
  { name, properties: { version } }: KeyVaultCertificateWithPolicy,
  since: VersionDate,
  certificates: CertificateClient,
): Promise<readonly string[]> {
  const versions = await all(certificates.listPropertiesOfCertificateVersions(name));
  const superseded = versions.filter(
    (other) => ![version, since.version].includes(other.version) && isCreatedSince(other, since.createdOn),
  );
  return superseded.map(({ x509Thumbprint }) => thumbprintHex(x509Thumbprint));
}
