/** The certificate of a component in a rotation: a new version if the newest is old enough, otherwise the one of an earlier run. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { defineStep, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { credentialFacts } from "../domain/credential-secret.js";
import { certificateName, credentialSecretName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy } from "../domain/ownership.js";
import { reasonToSkip, type CertificateVersion, type RotationState, type RotationOptions } from "../domain/rotation.js";
import {
  certificateOutput,
  newVersion,
  readCertificate,
  type CertificateNeeds,
  type CertificateOutput,
  type LiveCertificate,
} from "./certificates.js";
import { readSecret } from "./credential-secrets.js";
import { createFirst, refuse } from "./ownership-decision.js";

export interface RotatedCertificate extends CertificateOutput {
  /** Thumbprints of earlier versions. */
  readonly older: readonly string[];
  /** Why there is no new version; undefined if this run created one. */
  readonly notRotated: string | undefined;
}

type LiveRotation = LiveCertificate & RotationState & { readonly readAt: Date; readonly isNew?: true };

const unrotated: RotationState = { versions: [], inSecret: undefined };

export function rotatedCertificate(
  azure: Azure,
  { key, minAgeMs }: RotationOptions,
  component: ControlPlaneComponent,
  needs: CertificateNeeds,
): Step<RotatedCertificate> {
  const name = certificateName(key, component);
  const { clock } = azure.connection;
  const reason = (state: RotationState, now: Date) =>
    reasonToSkip(state, (since) => clock.unscaled(now.getTime() - since.getTime()), minAgeMs);
  return defineStep({
    id: `certificate-${component.key}`,
    subject: { kind: "vault-object" },
    title: `certificate ${name}`,
    needs: { ...needs },
    within: "vault",
    async read(): Promise<LiveRotation | undefined> {
      const live = await readCertificate(azure, key.vaultName, name);
      const state = live?.certificate ? await readRotation(azure, key, name, credentialSecretName(key, component)) : unrotated;
      return live && { ...live, ...state, readAt: clock.now() };
    },
    busy: ({ pending }) => (pending ? "inProgress" : undefined),
    decide(live, _outputs, now) {
      if (!live?.certificate) return refuse("ARO-OWN-003", `certificate "${name}" does not exist`, { next: [createFirst] });
      if (ownedBy(live.certificate.properties.tags, { identitySet: key.name }) !== "ours")
        return refuse("ARO-OWN-001", `certificate "${name}" does not belong to this identity set`);
      return reason(live, now) === undefined ? { act: "create", why: "a new version, for the rotation" } : { act: "keep" };
    },
    async apply(live, _outputs, io): Promise<LiveRotation> {
      const policy = live?.certificate?.policy;
      if (!live || !policy) throw new Failure("ARO-BUG-001", `certificate "${name}" has no policy`);
      const version = await newVersion(azure, key, name, policy, io);
      const { thumbprint, createdOn } = certificateOutput(name, version);
      return {
        ...version,
        isNew: true,
        readAt: live.readAt,
        inSecret: live.inSecret,
        versions: [...live.versions, { thumbprint, createdOn }],
      };
    },
    output(live) {
      const newest = certificateOutput(name, live);
      const older = live.versions.map(({ thumbprint }) => thumbprint).filter((other) => other !== newest.thumbprint);
      return { ...newest, older, notRotated: live.isNew ? undefined : reason(live, live.readAt) };
    },
  });
}

async function readRotation(
  azure: Azure,
  { vaultName }: IdentitySetKey,
  certificate: string,
  secretName: string,
): Promise<RotationState & { readonly pending?: true }> {
  const { certificates } = await azure.vaultContent(vaultName);
  const versions: CertificateVersion[] = [];
  for await (const { createdOn, x509Thumbprint } of certificates.listPropertiesOfCertificateVersions(certificate)) {
    if (createdOn && x509Thumbprint) versions.push({ createdOn, thumbprint: Buffer.from(x509Thumbprint).toString("hex").toUpperCase() });
  }
  const operation = await found(certificates.getCertificateOperation(certificate));
  const { secret } = (await readSecret(azure, vaultName, secretName)) ?? {};
  return {
    versions,
    inSecret: credentialFacts(secret?.value)?.thumbprint,
    ...(operation?.getOperationState().certificateOperation?.status === "inProgress" && { pending: true }),
  };
}
