/** The key that encrypts the etcd of hosted clusters, in the vault of their identity set, and the role of the KMS identity on it. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { vaultRecovery } from "../azure/expected-durations.js";
import { readKey, type KeyWithVersions } from "../azure/key-versions.js";
import { noInterval } from "../azure/long-running.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import type { SignedIn } from "../azure/signed-in.js";
import { controlPlaneComponents } from "../domain/components.js";
import { encryptionKeyId, keysInUse, type KeyVersion } from "../domain/encryption-key.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy, ownershipTags } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { cryptoOfficer, cryptoUser } from "../domain/roles.js";
import { defineLookup, defineStep, type Decision, type Step } from "../engine/step.js";
import { advise, aroHcp, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { Recovered, Stale } from "../errors/stale.js";
import { roleOf } from "./aks/roles.js";
import { existingApplication, servicePrincipal } from "./applications.js";
import { listedAssignments } from "./assignment-lists.js";
import { existingVault, untilRegistered, type VaultOutput } from "./key-vault.js";
import { refuse } from "./ownership-decision.js";
import { vaultAccess } from "./vault-access.js";

export interface EncryptionKeyOutput {
  /** The scope of its role assignments: its ID in Resource Manager, or `/keys/NAME` in a managed HSM. */
  readonly id: string;
  /** `https://VAULT.vault.azure.net/keys/NAME/VERSION`; empty while the key is only planned. */
  readonly activeKeyId: string;
  /** The version that a HostedCluster may still decrypt with; undefined if there is none. */
  readonly backupKeyId: string | undefined;
}

export interface RotatedKey extends EncryptionKeyOutput {
  /** Why there is no new version; undefined if this run created one. */
  readonly notRotated: string | undefined;
}

export interface EncryptionKeyGraph<Output> {
  readonly steps: readonly Step<unknown>[];
  readonly key: Step<Output>;
}

const row = resourceTypes.vaultKey;

/** The component whose identity uses the key. */
const kmsComponent = controlPlaneComponents.filter(({ field }) => field === "kms");

/** For a set that exists already. */
export function encryptionKeyGraph(azure: Azure, key: IdentitySetKey): EncryptionKeyGraph<EncryptionKeyOutput> {
  const vault = existingVault(azure, key);
  const { steps: lookups, principals } = kmsPrincipals(azure, key);
  const { steps, key: keyStep } = encryptionKey(
    azure,
    key,
    vault,
    principals.map((principal) => ({ principal })),
  );
  return { steps: [vault, ...lookups, ...steps], key: keyStep };
}

/** The KMS identity of an existing set. `principals`: the output of each is an object ID. */
export function kmsPrincipals(azure: Azure, set: IdentitySetKey) {
  const found = kmsComponent.map((component) => {
    const owner = existingApplication(azure, set, component);
    return { owner, principal: servicePrincipal(azure, component, owner) };
  });
  return { steps: found.flatMap(({ owner, principal }) => [owner, principal]), principals: found.map(({ principal }) => principal) };
}

/** `principals`: the output of each is the object ID of the KMS identity's service principal. */
export function encryptionKey(
  azure: Azure,
  set: IdentitySetKey,
  vault: Step<VaultOutput>,
  principals: readonly { readonly principal: Step<string> }[],
): EncryptionKeyGraph<EncryptionKeyOutput> {
  const key = keyStep(azure, set, vault);
  const assignments = listedAssignments(azure);
  // On the key alone: the vault also has the keys of the certificates that the other identities sign in with.
  const roles = principals.map(({ principal }) =>
    roleOf(
      { azure, assignments },
      {
        id: "role-encryption-key",
        role: cryptoUser,
        holder: { name: "kms", step: principal, objectIdIn: (objectId) => objectId },
        scope: { title: key.title, step: key, idIn: ({ id }) => id },
      },
    ),
  );
  return { steps: [key, ...roles], key };
}

function keyStep(azure: Azure, set: IdentitySetKey, vault: Step<VaultOutput>): Step<EncryptionKeyOutput> {
  const { groupName, vaultName } = set;
  const name = encryptionKeyName(set);
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    needs: { vault },
    within: "vault",
    read: async ({ vault: { exists } }) => (exists ? readKey(azure, groupName, vaultName, name) : undefined),
    decide: (live) => (live === undefined ? { act: "create" } : decideLive(set, live, vaultOf(azure, set))),
    async apply(_live, { vault: made }, io): Promise<KeyWithVersions> {
      // Azure creates the key through the vault's own address.
      await untilRegistered(azure, made, io);
      const { keys } = await azure.vaults();
      const parameters = {
        tags: ownershipTags({ identitySet: set.name }),
        properties: { kty: "RSA", keySize: 2048, keyOps: ["encrypt", "decrypt"] },
      };
      try {
        await keys.createIfNotExist(groupName, vaultName, name, parameters);
      } catch (error) {
        if (azureCodeOf(error) !== "ObjectIsDeletedButRecoverable") throw error;
        return recoverKey(azure, vaultName, name);
      }
      const created = await readKey(azure, groupName, vaultName, name);
      if (created === undefined) throw new Stale("it was deleted in the meantime");
      return created;
    },
    predict: ({ vault: { id } }): EncryptionKeyOutput => ({ id: `${id}/keys/${name}`, activeKeyId: "", backupKeyId: undefined }),
    output: ({ versions }, { vault: { id } }) => keyOutput(vaultOf(azure, set), `${id}/keys/${name}`, versions),
  });
}

/** The vault or the managed HSM that contains the key of a set. */
export interface KeyPlace {
  /** Of the vault or HSM. */
  readonly name: string;
  readonly suffix: string;
  /** Of the commands of az. */
  readonly flag: "--vault-name" | "--hsm-name";
  readonly keyName: string;
}

export function vaultOf({ connection }: Azure, set: IdentitySetKey): KeyPlace {
  return { name: set.vaultName, suffix: connection.cloud.vaultSuffix, flag: "--vault-name", keyName: encryptionKeyName(set) };
}

interface LiveKey {
  readonly key: { readonly tags?: Readonly<Record<string, string>> | undefined };
  readonly versions: readonly KeyVersion[];
}

export function decideLive(set: IdentitySetKey, { key, versions }: LiveKey, place: KeyPlace): Decision {
  const { keyName: name, flag } = place;
  const what = quotedTitleOf(row, name);
  if (ownedBy(key.tags, { identitySet: set.name }) !== "ours") {
    return refuse("ARO-OWN-001", `${what} exists but does not belong to this identity set`, {
      next: ["choose a different --name or --key-vault-name; delete it only if its owner agrees"],
    });
  }
  if (keysInUse(versions).active !== undefined) return { act: "keep" };
  const newest = versions.at(-1)?.version ?? "";
  return refuse("ARO-OWN-003", `${what} is disabled`, {
    because: "no API server can decrypt etcd without it",
    next: [
      advise`enable it: ${shell`az keyvault key set-attributes ${flag} ${place.name} --name ${name} --version ${newest} --enabled true`}`,
    ],
  });
}

/** @throws Recovered; ARO-VAULT-001 if the caller has no role for the keys of the vault */
export async function recoverKey(azure: Azure, vaultName: string, name: string): Promise<never> {
  const client = await azure.vaultKeys(vaultName);
  try {
    await pollWhenDue(vaultRecovery, async () => (await client.beginRecoverDeletedKey(name, { intervalInMs: noInterval })).pollUntilDone());
  } catch (error) {
    if (!isRestError(error) || azureCodeOf(error) !== "ForbiddenByRbac") throw error;
    throw new Failure("ARO-VAULT-001", `${quotedTitleOf(row, name)} is soft-deleted, and keeps its name`, {
      because: `the signed-in principal has no role to recover it, such as "${cryptoOfficer.name}"`,
      next: [advise`let an owner of the vault recover it: ${shell`az keyvault key recover --vault-name ${vaultName} --name ${name}`}`],
      cause: error,
    });
  }
  throw new Recovered("it was recovered");
}

/** `id`: the scope of role assignments on the key. */
export function keyOutput(place: KeyPlace, id: string, versions: readonly KeyVersion[]): EncryptionKeyOutput {
  const { active, backup } = keysInUse(versions);
  const idOf = ({ version }: KeyVersion) => versionId(place, version);
  return {
    id,
    activeKeyId: active === undefined ? "" : idOf(active),
    backupKeyId: backup && idOf(backup),
  };
}

/** The ID of a version of the set's key. */
export function versionId({ name, suffix, keyName }: KeyPlace, keyVersion: string): string {
  return encryptionKeyId({ keyVaultName: name, keyName, keyVersion, vaultSuffix: suffix });
}

type LiveRotation = KeyWithVersions & { readonly isRotated?: true };

/** A new version of the key. Earlier versions stay: a HostedCluster decrypts with them until it has encrypted etcd again. */
export function keyRotationGraph(azure: Azure, set: IdentitySetKey, caller: SignedIn, minAgeMs: number): EncryptionKeyGraph<RotatedKey> {
  const { groupName, vaultName } = set;
  const { clock } = azure.connection;
  const name = encryptionKeyName(set);
  const vault = existingVault(azure, set);
  const read = () => readKey(azure, groupName, vaultName, name);
  const existing = defineLookup({
    id: "existing-encryption-key",
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true },
    needs: { vault },
    read,
    decide(live) {
      if (live !== undefined) return { act: "adopt" };
      return refuse("ARO-OWN-003", `${quotedTitleOf(row, name)} does not exist`, {
        next: [advise`create it first: ${aroHcp("create encryption-key", { name: set.name })}`],
      });
    },
    output: ({ versions }) => versions,
  });
  const { access, grants } = vaultAccess(azure, vault, caller, undefined, "keys");
  const isRecent = ({ versions }: KeyWithVersions, now: Date) => {
    const { active, backup } = keysInUse(versions);
    // The first version does not count as a rotation.
    return backup !== undefined && active !== undefined && clock.unscaled(now.getTime() - active.createdOn.getTime()) < minAgeMs;
  };
  const key = defineStep({
    id: "encryption-key-version",
    title: `version of ${titleOf(row, name)}`,
    subject: { kind: "vault-object" },
    needs: { vault, access, existing },
    addsVersion: true,
    read: async (): Promise<LiveRotation | undefined> => read(),
    decide(live, _outputs, now) {
      if (live === undefined) return { act: "create", why: "a new version, for the rotation" };
      const decision = decideLive(set, live, vaultOf(azure, set));
      if (decision.act !== "keep" || isRecent(live, now)) return decision;
      return { act: "create", why: "a new version, for the rotation" };
    },
    async apply(): Promise<LiveRotation> {
      try {
        await (await azure.vaultKeys(vaultName)).rotateKey(name);
      } catch (error) {
        if (azureCodeOf(error) === "KeyNotFound") throw new Stale("it was deleted in the meantime", { cause: error });
        throw error;
      }
      const rotated = await read();
      if (rotated === undefined) throw new Stale("it was deleted in the meantime");
      return { ...rotated, isRotated: true };
    },
    output({ versions, isRotated }, { vault: { id } }): RotatedKey {
      const notRotated = isRotated === true ? undefined : "it was rotated less than --min-age ago";
      return { ...keyOutput(vaultOf(azure, set), `${id}/keys/${name}`, versions), notRotated };
    },
  });
  return { steps: [vault, ...grants, access, existing, key], key };
}
