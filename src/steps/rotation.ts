/** The rotation of credentials as a graph of steps: new certificate, registered beside the old, in the secret, proved; then the old one goes. */
import type { KeyCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import type { SignedIn } from "../azure/signed-in.js";
import { defineLookup, defineStep, type Step } from "../engine/step.js";
import type { ControlPlaneComponent } from "../infra/components.js";
import { credentialFacts, thumbprintOf } from "../infra/credential-secret.js";
import { applicationDisplayName, applicationUniqueName, certificateName, credentialSecretName } from "../infra/identity-names.js";
import type { IdentitySetKey } from "../infra/identity-spec.js";
import { ownedBy } from "../infra/ownership.js";
import { isDue, type CertificateVersion, type RotationState } from "../infra/rotation.js";
import { applicationKey, changeKeys, isOf, type ApplicationOutput } from "./applications.js";
import {
  certificateOutput,
  newVersion,
  readCertificate,
  type CertificateNeeds,
  type CertificateOutput,
  type LiveCertificate,
} from "./certificates.js";
import { credential, readSecret, type CredentialOutput } from "./credential-secrets.js";
import { proof } from "./credential-proof.js";
import type { VaultOutput } from "./key-vault.js";
import { refuse } from "./judgement.js";
import { vaultAccess } from "./vault-access.js";

export interface RotationWishes {
  readonly key: IdentitySetKey;
  readonly tenantId: string;
  readonly components: readonly ControlPlaneComponent[];
  /** Azure's milliseconds that the old key stays valid after the secret was rewritten. */
  readonly overlapMs: number;
  /** Azure's milliseconds within which a credential is not rotated again. */
  readonly minAgeMs: number;
  /** How long may be waited in this run for the overlap to end, in Azure's milliseconds. */
  readonly longestWaitMs: number;
}

/** What came of a component's rotation. */
export interface Retirement {
  readonly component: string;
  /** When the newest certificate was made, and how long it is valid. */
  readonly certificateOf: Date;
  readonly expiresOn: Date;
  /** Until when the old key stays, which the next run after that takes back; undefined where none is left. */
  readonly oldKeyUntil: Date | undefined;
}

export interface RotationGraph {
  readonly steps: readonly Step<unknown>[];
  readonly retirements: readonly Step<Retirement>[];
}

interface RotatedCertificate extends CertificateOutput {
  /** Thumbprints of the versions before. */
  readonly older: readonly string[];
}

const unrotated: RotationState = { versions: [], inSecret: undefined };
const createFirst = "make the set first: `aro-hcp create identities`";

export function rotationGraph(azure: Azure, wishes: RotationWishes, runner: SignedIn): RotationGraph {
  const { key, tenantId } = wishes;
  const vault = existingVault(azure, key);
  const { access, grants } = vaultAccess(azure, vault, runner, undefined);
  const rotated = wishes.components.map((component) => {
    const owner = existingApplication(azure, key, component);
    const pair = rotatedCertificate(azure, wishes, component, { vault, access });
    const keyStep = applicationKey(azure, component, { owner, certificate: pair });
    const secret = credential(azure, key, tenantId, component, { vault, access, certificate: pair, key: keyStep });
    const proved = proof(azure, key, tenantId, component, { key: keyStep, certificate: pair, credential: secret });
    const retired = retirement(azure, wishes, component, { key: keyStep, certificate: pair, credential: secret, proved });
    return { steps: [owner, pair, keyStep, secret, proved, retired], retired };
  });
  return {
    steps: [vault, ...grants, access, ...rotated.flatMap(({ steps }) => steps)],
    retirements: rotated.map(({ retired }) => retired),
  };
}

function existingVault(azure: Azure, { name: set, groupName, vaultName }: IdentitySetKey): Step<VaultOutput> {
  const what = `key vault "${vaultName}"`;
  return defineLookup({
    id: "key-vault",
    title: `key vault ${vaultName}`,
    needs: {},
    read: async () => found((await azure.vaults()).vaults.get(groupName, vaultName)),
    decide(live) {
      if (!live) {
        return refuse("ARO-OWN-003", `${what} does not exist`, {
          next: ["check --name, --persistent-resource-group-name and --key-vault-name", createFirst],
        });
      }
      if (ownedBy(live.tags, { identitySet: set }) !== "ours")
        return refuse("ARO-OWN-001", `${what} is not of this set of identities`, { next: ["check --name and --key-vault-name"] });
      return { act: "adopt" };
    },
    output: (live) => ({ id: live.id ?? "", name: vaultName, exists: true }),
  });
}

function existingApplication(azure: Azure, key: IdentitySetKey, component: ControlPlaneComponent): Step<ApplicationOutput> {
  const uniqueName = applicationUniqueName(key, component);
  const displayName = applicationDisplayName(key, component);
  return defineLookup({
    id: `application-${component.name}`,
    title: `application ${displayName}`,
    needs: {},
    read: async () => (await azure.directory()).application(uniqueName),
    decide: (live) =>
      live ? { act: "adopt" } : refuse("ARO-OWN-003", `application "${displayName}" does not exist`, { next: [createFirst] }),
    output: ({ id, appId, keyCredentials }) => ({ id, clientId: appId, uniqueName, keyCredentials }),
  });
}

function rotatedCertificate(
  azure: Azure,
  { key, minAgeMs }: RotationWishes,
  component: ControlPlaneComponent,
  needs: CertificateNeeds,
): Step<RotatedCertificate> {
  const name = certificateName(key, component);
  const { pace } = azure.connection;
  const age = (since: Date) => pace.unscaled(Date.now() - since.getTime());
  return defineStep({
    id: `certificate-${component.name}`,
    title: `certificate ${name}`,
    needs: { ...needs },
    within: "vault",
    async read(): Promise<(LiveCertificate & RotationState) | undefined> {
      const live = await readCertificate(azure, key.vaultName, name);
      const state = live?.certificate ? await readRotation(azure, key, name, credentialSecretName(key, component)) : unrotated;
      return live && { ...live, ...state };
    },
    busy: ({ pending }) => (pending ? "inProgress" : undefined),
    decide(live) {
      if (!live?.certificate) return refuse("ARO-OWN-003", `certificate "${name}" does not exist`, { next: [createFirst] });
      if (ownedBy(live.certificate.properties.tags, { identitySet: key.name }) !== "ours")
        return refuse("ARO-OWN-001", `certificate "${name}" is not of this set of identities`);
      return isDue(live, age, minAgeMs) ? { act: "create", why: "a new version, for the rotation" } : { act: "keep" };
    },
    async apply(live, _up, io): Promise<LiveCertificate & RotationState> {
      const policy = live?.certificate?.policy;
      if (!live || !policy) throw new Error(`certificate "${name}" came without its policy`);
      const made = await newVersion(azure, key, name, policy, io);
      const { thumbprint, createdOn } = certificateOutput(name, made);
      return { ...made, inSecret: live.inSecret, versions: [...live.versions, { thumbprint, createdOn }] };
    },
    output(live) {
      const newest = certificateOutput(name, live);
      return { ...newest, older: live.versions.map(({ thumbprint }) => thumbprint).filter((other) => other !== newest.thumbprint) };
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

function retirement(
  azure: Azure,
  { overlapMs, longestWaitMs }: RotationWishes,
  component: ControlPlaneComponent,
  needs: {
    readonly key: Step<ApplicationOutput>;
    readonly certificate: Step<RotatedCertificate>;
    readonly credential: Step<CredentialOutput>;
    readonly proved: Step<unknown>;
  },
): Step<Retirement> {
  const { pace } = azure.connection;
  const leftMs = (writtenOn: Date) => overlapMs - pace.unscaled(Date.now() - writtenOn.getTime());
  return defineStep({
    id: `old-key-${component.name}`,
    title: `old key of ${component.name}`,
    needs: { ...needs },
    // Known with the application: no request is made for it.
    read: async ({ key, certificate, credential: { writtenOn } }) => ({
      old: oldKeys(key.keyCredentials, certificate.older),
      writtenOn,
    }),
    decide(live) {
      if (!live || live.old.length === 0 || leftMs(live.writtenOn) > longestWaitMs) return { act: "keep" };
      const changes = live.old.map(({ key }) => ({
        path: "keyCredentials",
        from: key === null ? "" : thumbprintOf(Buffer.from(key, "base64")),
        to: undefined,
      }));
      return { act: "update", why: "the overlap is over, or ends within this run", changes };
    },
    async apply(live, { key: { uniqueName }, certificate }, io) {
      const writtenOn = live?.writtenOn ?? new Date();
      const waitMs = leftMs(writtenOn);
      if (waitMs > 0) {
        io.note(`waiting until the overlap ends, at ${new Date(Date.now() + pace.scaled(waitMs)).toISOString()}`);
        await pace.sleep(waitMs, io.signal);
      }
      const isOld = (candidate: KeyCredential) => oldKeys([candidate], certificate.older).length > 0;
      await changeKeys(azure, uniqueName, (keys) => (keys.some(isOld) ? keys.filter((each) => !isOld(each)) : keys));
      return { old: [], writtenOn };
    },
    output: ({ old, writtenOn }, { certificate: { createdOn, expiresOn } }) => ({
      component: component.name,
      certificateOf: createdOn,
      expiresOn,
      oldKeyUntil: old.length === 0 ? undefined : new Date(writtenOn.getTime() + pace.scaled(overlapMs)),
    }),
  });
}

/** The keys on an application that are of earlier versions of our certificate; those of others are not ours to take. */
function oldKeys(keys: readonly KeyCredential[], older: readonly string[]): KeyCredential[] {
  return keys.filter((credentialKey) => older.some((thumbprint) => isOf(credentialKey, thumbprint)));
}
