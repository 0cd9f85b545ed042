/** The certificate of a component in a rotation: a new version, or the one that an earlier run created. */
import type { Azure } from "../../azure/azure.js";
import type { CertificateProperties } from "@azure/keyvault-certificates";
import { isPending } from "../../azure/certificate-creations.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { readSecret } from "../../azure/vault-secrets.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { credentialFacts, thumbprintHex } from "../../domain/credential-secret.js";
import { certificateName, credentialSecretName } from "../../domain/identity-names.js";
import { ownsContent } from "../../domain/set-content.js";
import {
  newestOf,
  olderVersions,
  reasonToSkip,
  type CertificateVersion,
  type OlderVersion,
  type RotationState,
  type RotationOptions,
} from "../../domain/rotation.js";
import { certificateOutput, versionsOf, type CertificateNeeds, type CertificateOutput } from "./certificates.js";
import { newVersion, readCertificate, type LiveCertificate } from "../../steps/vault-certificate.js";
import { createFirst, refuse } from "../../steps/ownership-decision.js";

export interface RotatedCertificate extends CertificateOutput {
  readonly older: readonly OlderVersion[];
  /** When the version of the secret was written that this run found. */
  readonly secretWrittenOn: Date | undefined;
  /** Why there is no new version; undefined if this run created one. */
  readonly notRotated: string | undefined;
}

type LiveRotation = LiveCertificate & RotationState & { readonly readAt: Date; readonly isRotated?: true };

/** A certificate in a rotation, and what its last read found: a plan cannot know the new version, but it can know the earlier ones. */
export interface CertificateRotation {
  readonly step: Step<RotatedCertificate>;
  /** The versions that will be older than the newest one. */
  readonly older: () => readonly OlderVersion[];
}

const unrotated: RotationState = { versions: [], inSecret: undefined, writtenOn: undefined };

export function rotatedCertificate(
  azure: Azure,
  { key, minAgeMs }: RotationOptions,
  component: ControlPlaneComponent,
  needs: CertificateNeeds,
): CertificateRotation {
  const name = certificateName(key, component);
  const { clock } = azure.connection;
  const reason = (state: RotationState, now: Date) =>
    reasonToSkip(state, (since) => clock.unscaled(now.getTime() - since.getTime()), minAgeMs);
  let lastRead = unrotated;
  const step = defineStep({
    id: `certificate-${component.key}`,
    subject: { kind: "vault-object", noun: "certificate" },
    title: `certificate ${name}`,
    needs: { ...needs },
    within: "vault",
    addsVersion: true,
    async read(): Promise<LiveRotation | undefined> {
      const live = await readRotation(azure, key.vaultName, name, credentialSecretName(key, component));
      lastRead = live ?? unrotated;
      return live && { ...live, readAt: clock.now() };
    },
    busy: ({ pending }) => (pending ? "inProgress" : undefined),
    decide(live, _outputs, now) {
      if (!live?.certificate) return refuse("ARO-OWN-003", `certificate "${name}" does not exist`, { next: [createFirst] });
      if (!ownsContent(key, live.certificate.properties.tags))
        return refuse("ARO-OWN-001", `certificate "${name}" does not belong to this identity set`);
      return reason(live, now) === undefined ? { act: "create", why: "a new version, for the rotation" } : { act: "keep" };
    },
    async apply(live, _outputs, io): Promise<LiveRotation> {
      const policy = live?.certificate?.policy;
      if (!live || !policy) throw new Failure("ARO-BUG-001", `certificate "${name}" has no policy`);
      const version = await newVersion(azure, versionsOf(key, name), policy, live.certificate, io);
      const { thumbprint, createdOn } = certificateOutput(azure, name, version);
      return {
        ...version,
        isRotated: true,
        readAt: live.readAt,
        inSecret: live.inSecret,
        writtenOn: live.writtenOn,
        versions: [{ thumbprint, createdOn }, ...live.versions],
      };
    },
    output(live) {
      const newest = certificateOutput(azure, name, live);
      return {
        ...newest,
        older: olderVersions(live, newest.thumbprint),
        secretWrittenOn: live.writtenOn,
        notRotated: live.isRotated ? undefined : reason(live, live.readAt),
      };
    },
  });
  return {
    step,
    older() {
      const isDue = reason(lastRead, clock.now()) === undefined;
      return olderVersions(lastRead, isDue ? undefined : newestOf(lastRead.versions)?.thumbprint);
    },
  };
}

/**
 * Other runs may create a version at any time, so the order matters. First of all, whether one is being created: each that was begun before is
 * then waited for or listed. One that is begun later is still in progress when this run sends its own request, which Azure then refuses. Only a
 * run that is slower than a whole creation creates one version too many. A vault has no condition that prevents it; `newVersion` makes it safe.
 * The certificate comes last, so that a version that the secret or the list shows is never newer than it.
 */
async function readRotation(
  azure: Azure,
  vaultName: string,
  name: string,
  secretName: string,
): Promise<(LiveCertificate & RotationState) | undefined> {
  const { certificates } = await azure.vaultContent(vaultName);
  const pending = await isPending(certificates, name);
  const [listed = [], { secret } = {}] = await Promise.all([
    found(all(certificates.listPropertiesOfCertificateVersions(name))),
    readSecret(azure, vaultName, secretName),
  ]);
  const live = await readCertificate(azure, vaultName, name);
  return (
    live && {
      ...live,
      ...(pending && { pending }),
      versions: versionsIn([...(live.certificate ? [live.certificate.properties] : []), ...listed]),
      inSecret: credentialFacts(secret?.value)?.thumbprint,
      writtenOn: secret?.properties.createdOn,
    }
  );
}

/** Each version once. */
function versionsIn(properties: readonly CertificateProperties[]): CertificateVersion[] {
  const versions = properties.flatMap(({ createdOn, x509Thumbprint }) =>
    createdOn && x509Thumbprint ? [{ createdOn, thumbprint: thumbprintHex(x509Thumbprint) }] : [],
  );
  return [...new Map(versions.map((version) => [version.thumbprint, version])).values()];
}
