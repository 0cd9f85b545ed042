/** The Entra application of a component, and its service principal. */
import type { Application, DeletedApplication, KeyCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { defineLookup, defineStep, type Change, type Step } from "../engine/step.js";
import { advise, aroHcp, blank, type Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { Stale } from "../errors/stale.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { applicationDisplayName, applicationUniqueName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { identitySetTag } from "../domain/ownership.js";
import { foreignParts, unlessGone, UnprovenFailure, type ApplicationProof, type ForeignParts } from "../azure/application-ownership.js";
import type { VaultOutput } from "./key-vault.js";
import { createFirst, refuse } from "./ownership-decision.js";

export interface ApplicationOutput {
  /** Object ID. */
  readonly id: string;
  readonly clientId: string;
  readonly uniqueName: string;
  readonly keyCredentials: readonly KeyCredential[];
}

/** Directory replicas take seconds to show new objects. */
export const replicaPauseMs = 2_000;
export const replicaTries = 60;

/** The application with the unique name. A deleted one keeps it for 30 days. */
interface LiveApplication {
  readonly application?: Application;
  /** Undefined if the application is ours. */
  readonly foreign?: ForeignParts | undefined;
  readonly deleted?: DeletedApplication;
}

/** The deleted applications of a set, listed once for all of its steps. */
export type DeletedOfSet = () => Promise<readonly DeletedApplication[]>;

export function application(
  azure: Azure,
  key: IdentitySetKey,
  component: ControlPlaneComponent,
  deletedOfSet: DeletedOfSet,
  proof: ApplicationProof,
): Step<ApplicationOutput> {
  const uniqueName = applicationUniqueName(key, component);
  const displayName = applicationDisplayName(key, component);
  const tag = `${identitySetTag}:${key.name}`;
  return ownApplication(azure, { id: `application-${component.key}`, uniqueName, displayName, tag }, deletedOfSet, proof);
}

interface OwnApplication {
  /** The ID of the step. */
  readonly id: string;
  readonly uniqueName: string;
  readonly displayName: string;
  /** Names the owner. */
  readonly tag: string;
}

/** An application with a derived unique name. `proof` is undefined for a command that changes nothing. */
export function ownApplication(
  azure: Azure,
  { id, uniqueName, displayName, tag }: OwnApplication,
  deletedOfSet: DeletedOfSet,
  proof: ApplicationProof | undefined,
): Step<ApplicationOutput> {
  const foreignIn = async (live: Application) => proof && foreignParts(azure, live, proof);
  const refusal = (live: Application, foreign: ForeignParts) => new UnprovenFailure(live, foreign, proof);
  return defineStep({
    id,
    subject: { kind: "directory-object", noun: "application" },
    title: `application ${displayName}`,
    needs: {},
    // Another run of the same command may create the application in the meantime.
    upserts: true,
    async read(): Promise<LiveApplication | undefined> {
      const live = await (await azure.directory()).application(uniqueName);
      const own = live && (await unlessGone(azure, uniqueName, async () => ({ application: live, foreign: await foreignIn(live) })));
      if (own) return own;
      const deleted = (await deletedOfSet()).find((other) => other.uniqueName?.toLowerCase() === uniqueName);
      return deleted && { deleted };
    },
    decide(live) {
      if (!live?.application) return live ? { act: "create", why: "it was deleted and is restored" } : { act: "create" };
      if (live.foreign) return { act: "refuse", failure: refusal(live.application, live.foreign) };
      const { displayName: liveName, tags } = live.application;
      const changes: Change[] = [
        ...(liveName === displayName ? [] : [{ path: "displayName", from: liveName, to: displayName }]),
        ...(tags.includes(tag) ? [] : [{ path: "tags", from: undefined, to: tag }]),
      ];
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
    },
    async apply(live, _outputs, io): Promise<LiveApplication> {
      const directory = await azure.directory();
      if (live?.deleted) {
        await directory.restoreApplication(live.deleted.id);
        const restored = await waitUntilVisible(azure, () => directory.application(uniqueName), io.signal);
        // A file proves the application, not the credentials that it had when it was deleted.
        const unproven = proof && (await foreignParts(azure, restored, { ...proof, files: undefined }));
        if (unproven === undefined) return { application: restored };
        const foreign = await foreignIn(restored);
        if (foreign === undefined || foreign.owners.length + foreign.others.length === 0)
          return { application: await withoutSecrets(azure, restored, unproven) };
        await directory.deleteApplication(restored.id);
        throw refusal(restored, foreign);
      }
      const upserted = await upsert(azure, uniqueName, { displayName, tags: [...new Set([...(live?.application?.tags ?? []), tag])] });
      if (upserted) return { application: upserted };
      const existing = await waitUntilVisible(azure, () => directory.application(uniqueName), io.signal);
      const foreign = live?.application ? undefined : await foreignIn(existing);
      if (foreign) throw refusal(existing, foreign);
      return { application: existing };
    },
    output({ application: live }) {
      if (!live) throw new Failure("ARO-BUG-001", `application ${displayName} was not restored`);
      return applicationOutput(uniqueName, live);
    },
  });
}

/**
 * The restored application without the secrets that nothing proves: its vault, which has the keys, may still be deleted. Nobody has used them
 * while it was deleted, and a later step adds the certificate of the vault.
 */
async function withoutSecrets(azure: Azure, live: Application, { secrets }: ForeignParts): Promise<Application> {
  const directory = await azure.directory();
  const isLeft = ({ keyId }: KeyCredential) => !secrets.some((one) => one.keyId === keyId);
  const keyCredentials = live.keyCredentials.filter(isLeft);
  if (keyCredentials.length < live.keyCredentials.length) {
    await directory.setKeyCredentials(
      live.id,
      keyCredentials.map((one) => ({ ...one, key: null })),
    );
  }
  const passwords = secrets.filter(({ keyId }) => live.keyCredentials.every((key) => key.keyId !== keyId));
  for (const { keyId } of passwords) await directory.removePassword(live.id, keyId);
  return { ...live, keyCredentials };
}

/** The KMS identity is created only on request. */
function createWithKms({ name, groupName, vaultName, givenVaultId }: IdentitySetKey): readonly Advice[] {
  const vault = givenVaultId === undefined ? { keyVaultName: vaultName } : { keyVaultId: givenVaultId };
  const set = {
    identitiesName: name,
    persistentResourceGroupName: groupName,
    ...vault,
    oidcIssuerUrl: blank("issuer URL"),
    enableKms: true,
  };
  return [
    "for a set of create all, rerun that command with --enable-kms: it creates the KMS identity, the key and its role",
    advise`for another set, create the KMS identity first: ${aroHcp("create identities", set)}`,
  ];
}

/** For commands on an existing set. */
export function existingApplication(
  azure: Azure,
  key: IdentitySetKey,
  component: ControlPlaneComponent,
  proof: ApplicationProof,
  vault: Step<VaultOutput>,
): Step<ApplicationOutput> {
  const uniqueName = applicationUniqueName(key, component);
  const displayName = applicationDisplayName(key, component);
  return defineLookup({
    id: `application-${component.key}`,
    subject: { kind: "directory-object", noun: "application" },
    title: `application ${displayName}`,
    // Only the vault reports a set that does not exist.
    needs: { vault },
    async read() {
      const live = await (await azure.directory()).application(uniqueName);
      return live && unlessGone(azure, uniqueName, async () => ({ application: live, foreign: await foreignParts(azure, live, proof) }));
    },
    decide(live) {
      if (!live) {
        return refuse("ARO-OWN-003", `application "${displayName}" does not exist`, {
          next: component.field === "kms" ? createWithKms(key) : [createFirst],
        });
      }
      return live.foreign ? { act: "refuse", failure: new UnprovenFailure(live.application, live.foreign, proof) } : { act: "use" };
    },
    output: (live) => applicationOutput(uniqueName, live.application),
  });
}

/** Undefined if it exists, also if another run has just created it. */
async function upsert(
  azure: Azure,
  uniqueName: string,
  words: { readonly displayName: string; readonly tags: readonly string[] },
): Promise<Application | undefined> {
  const directory = await azure.directory();
  try {
    return await directory.upsertApplication(uniqueName, words);
  } catch (error) {
    if (azureCodeOf(error) !== "ObjectConflict") throw error;
    const deleted = await directory.deletedApplications([uniqueName]);
    if (deleted.length > 0) throw new Stale("a deleted application still has its unique name", { cause: error });
    return undefined;
  }
}

/** Object ID of the service principal, which role assignments refer to. */
export function servicePrincipal(azure: Azure, { key }: { readonly key: string }, owner: Step<ApplicationOutput>): Step<string> {
  return defineStep({
    id: `service-principal-${key}`,
    subject: { kind: "directory-object", noun: "service principal" },
    title: `service principal of ${owner.title}`,
    needs: { owner },
    within: "owner",
    read: async ({ owner: { clientId } }) => (await azure.directory()).servicePrincipalOf(clientId),
    decide: (live) => (live === undefined ? { act: "create" } : { act: "keep" }),
    async apply(_live, { owner: { clientId } }, io): Promise<string> {
      const directory = await azure.directory();
      const upserted = await directory.upsertServicePrincipal(clientId);
      return upserted ?? waitUntilVisible(azure, () => directory.servicePrincipalOf(clientId), io.signal);
    },
    output: (live) => live,
  });
}

export function applicationOutput(uniqueName: string, { id, appId, keyCredentials }: Application): ApplicationOutput {
  return { id, clientId: appId, uniqueName, keyCredentials };
}

async function waitUntilVisible<T>(azure: Azure, read: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; tries <= replicaTries; tries += 1) {
    const live = await read();
    if (live !== undefined) return live;
    await azure.connection.clock.sleep(replicaPauseMs, signal);
  }
  throw new Failure("ARO-AZURE-005", "the directory does not show an object that was created 2 minutes ago");
}
