/** The key that encrypts etcd in the vault of an identity set, and the role of the KMS identity on it. */
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { keyOfficer } from "../../azure/vault-role.js";
import { readKey, type KeyWithVersions } from "../../azure/key-versions.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { kmsComponents } from "../../domain/components.js";
import { keysInUse, shortestMinAgeMs, type KeyVersion } from "../../domain/encryption-key.js";
import { vaultGroupOf } from "../../domain/given-vault.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { ownsKey, vaultPlace, versionId, type KeyPlace } from "../../domain/key-place.js";
import { formatResourceId, resourceGroupId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { cryptoUser } from "../../domain/roles.js";
import { recentlyRotated } from "../../domain/rotation.js";
import { byId, defineLookup, defineStep, type Decision, type Step, type StepIo } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import { Stale } from "../../errors/stale.js";
import { roleOnResource } from "../../steps/role-on-resource.js";
import { existingApplication, servicePrincipal } from "../../steps/applications.js";
import { listedAssignments } from "../../steps/assignment-lists.js";
import { untilRegistered, type VaultOutput } from "../../steps/key-vault.js";
import { existingVault, type ExplainMissing } from "../../steps/vault-of-set.js";
import { keyCommand } from "./key-command.js";
import { keyRole, type KeyRole } from "./key-role.js";
import { refuse } from "../../steps/ownership-decision.js";
import { unreadIn } from "../../steps/unread-contents.js";
import { vaultEvidence } from "../../azure/vault-evidence.js";
import { recoverKey } from "../../steps/recovery.js";

export interface KeysOfFile {
  /** `https://VAULT.vault.azure.net/keys/NAME/VERSION`; empty while the key is only planned. */
  readonly activeKeyId: string;
  /** The version that a HostedCluster may still decrypt with; undefined if there is none. */
  readonly backupKeyId: string | undefined;
}

export interface EncryptionKeyOutput extends KeysOfFile {
  /** The scope of its role assignments: its ID in Resource Manager, or `/keys/NAME` in a managed HSM. */
  readonly id: string;
}

export interface RotatedKey extends KeysOfFile {
  /** Why there is no new version; undefined if this run created one. */
  readonly notRotated: string | undefined;
}

export interface EncryptionKeyGraph<Output> {
  readonly steps: readonly Step<unknown>[];
  readonly key: Step<Output>;
}

const row = resourceTypes.vaultKey;

/** The component whose identity uses the key. */

/** Expects an existing set. */
export function encryptionKeyGraph(
  azure: Azure,
  key: IdentitySetKey,
  caller: SignedIn,
  explain?: ExplainMissing,
): EncryptionKeyGraph<EncryptionKeyOutput> {
  const vault = existingVault(azure, key, explain);
  const { steps: lookups, principals } = kmsPrincipals(azure, key, caller, vault);
  const { steps, key: keyStep } = encryptionKey(
    azure,
    key,
    vault,
    principals.map((principal) => ({ principal })),
  );
  return { steps: [vault, ...lookups, ...steps], key: keyStep };
}

/** The KMS identity of an existing set. `principals`: the output of each is an object ID. */
export function kmsPrincipals(azure: Azure, set: IdentitySetKey, caller: SignedIn, vault: Step<VaultOutput>) {
  const evidence = vaultEvidence(azure, set);
  const found = kmsComponents.map((component) => {
    const owner = existingApplication(azure, set, component, { caller, vault: evidence(component) }, vault);
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
    roleOnResource(
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
  const { vaultName } = set;
  const groupName = vaultGroupOf(set);
  const place = vaultPlace(set, azure.connection.cloud);
  const { keyName: name } = place;
  return defineStep({
    id: row.use.step,
    title: place.title,
    subject: { kind: "resource", type: row.type },
    needs: { vault },
    within: "vault",
    unread: unreadIn,
    read: async ({ vault: { exists } }) => (exists ? readKey(azure, groupName, vaultName, name) : undefined),
    decide: (live) => (live === undefined ? { act: "create" } : decideLive(live, place)),
    async apply(_live, { vault: made }, io): Promise<KeyWithVersions> {
      // Azure creates the key through the vault's own address.
      await untilRegistered(azure, made, io);
      const { keys } = await azure.vaults();
      const parameters = {
        tags: { ...place.tags },
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
    output: ({ versions }, { vault: { id } }) => ({ id: `${id}/keys/${name}`, ...keysOf(place, versions) }),
  });
}

interface LiveKey {
  readonly key: { readonly tags?: Readonly<Record<string, string>> | undefined };
  readonly versions: readonly KeyVersion[];
}

export function decideLive({ key, versions }: LiveKey, place: KeyPlace): Decision {
  const { keyName: name, azOption, option, quotedTitle: what } = place;
  if (!ownsKey(place, key.tags)) {
    return refuse("ARO-OWN-001", `${what} exists but does not belong to this identity set`, {
      next: [`choose a different --identities-name or ${option}; delete it only if its owner agrees`],
    });
  }
  if (keysInUse(versions).active !== undefined) return { act: "keep" };
  const newest = versions.at(-1)?.version ?? "";
  return refuse("ARO-OWN-003", `${what} is disabled`, {
    because: "no API server can decrypt etcd without it",
    next: [
      advise`enable it: ${shell`az keyvault key set-attributes ${azOption} ${place.name} --name ${name} --version ${newest} --enabled true`}`,
    ],
  });
}

/** The versions that a HostedCluster refers to. */
export function keysOf(place: KeyPlace, versions: readonly KeyVersion[]): KeysOfFile {
  const { active, backup } = keysInUse(versions);
  const idOf = ({ version }: KeyVersion) => versionId(place, version);
  return { activeKeyId: active === undefined ? "" : idOf(active), backupKeyId: backup && idOf(backup) };
}

interface Rotation {
  readonly place: KeyPlace;
  readonly minAgeMs: number;
  /** The vault step; empty for a managed HSM, which no step looks up. */
  readonly container: readonly Step<unknown>[];
  /** What assigns the role for the keys before, and takes it back after; `existing` has the versions of the key. */
  readonly role?: KeyRole;
  read(): Promise<LiveKey | undefined>;
  /** Adds a version. */
  rotate(io: StepIo): Promise<unknown>;
}

type LiveRotation = LiveKey & { readonly isRotated?: true };

/** A new version of the key. Earlier versions stay: a HostedCluster decrypts with them until it has encrypted etcd again. */
export function rotationSteps(azure: Azure, set: IdentitySetKey, rotation: Rotation): EncryptionKeyGraph<RotatedKey> {
  const { place, minAgeMs, container, role, read, rotate } = rotation;
  const { clock } = azure.connection;
  const hsmName = place.kind === "managed HSM" ? place.name : undefined;
  const existing = defineLookup({
    id: "existing-encryption-key",
    title: place.title,
    subject: hsmName === undefined ? { kind: "resource", type: row.type, existing: true } : { kind: "vault-object" },
    needs: byId(container),
    read,
    decide(live) {
      if (live !== undefined) return { act: "use" };
      return refuse("ARO-OWN-003", `${place.quotedTitle} does not exist`, {
        next: [advise`create it first: ${keyCommand("create encryption-key", set, hsmName)}`],
      });
    },
    output: (live): LiveKey => live,
  });
  const ageMs = ({ versions }: LiveKey, now: Date) => {
    const { active, backup } = keysInUse(versions);
    // The first version does not count as a rotation.
    return active === undefined || backup === undefined ? Infinity : clock.unscaled(now.getTime() - active.createdOn.getTime());
  };
  const isRecent = (live: LiveKey, now: Date) => ageMs(live, now) < minAgeMs;
  const isDue = (live: LiveKey, now: Date) => decideLive(live, place).act === "keep" && !isRecent(live, now);
  const before = role?.before(existing, isDue) ?? [];
  const key = defineStep({
    id: "encryption-key-version",
    title: `version of ${place.title}`,
    subject: { kind: "vault-object" },
    needs: byId([...container, existing, ...before]),
    addsVersion: true,
    read: async (): Promise<LiveRotation | undefined> => read(),
    decide(live, _outputs, now) {
      if (live === undefined) return { act: "create", why: "a new version, for the rotation" };
      const decision = decideLive(live, place);
      if (decision.act !== "keep" || isRecent(live, now)) return decision;
      return { act: "create", why: "a new version, for the rotation" };
    },
    async apply(_live, _outputs, io): Promise<LiveRotation> {
      try {
        await rotate(io);
      } catch (error) {
        if (azureCodeOf(error) === "KeyNotFound") throw new Stale("it was deleted in the meantime", { cause: error });
        throw error;
      }
      const rotated = await read();
      if (rotated === undefined) throw new Stale("it was deleted in the meantime");
      return { ...rotated, isRotated: true };
    },
    output(live): RotatedKey {
      const notRotated = live.isRotated === true ? undefined : recentlyRotated(ageMs(live, clock.now()), shortestMinAgeMs);
      return { ...keysOf(place, live.versions), notRotated };
    },
  });
  return { steps: [...container, existing, ...before, key, ...(role?.after([...before, key]) ?? [])], key };
}

/** The key in the vault of the set. `keepsRole`: the role that the run assigns for its own work stays. */
export function keyRotationGraph(
  azure: Azure,
  set: IdentitySetKey,
  caller: SignedIn,
  { minAgeMs, keepsRole }: { readonly minAgeMs: number; readonly keepsRole: boolean },
  explain?: ExplainMissing,
): EncryptionKeyGraph<RotatedKey> {
  const { vaultName } = set;
  const groupName = vaultGroupOf(set);
  const place = vaultPlace(set, azure.connection.cloud);
  const vault = existingVault(azure, set, explain);
  const officer = keyOfficer(azure, vaultName, caller, keepsRole);
  const vaultId = formatResourceId(resourceGroupId(azure.connection.subscriptionId, groupName), resourceTypes.keyVault.type, vaultName);
  return rotationSteps(azure, set, {
    place,
    minAgeMs,
    container: [vault],
    role: keyRole(officer, vault, keepsRole),
    read: () => readKey(azure, groupName, vaultName, place.keyName),
    rotate: (io) => officer.use(vaultId, io, async () => (await azure.vaultKeys(vaultName, { brief: true })).rotateKey(place.keyName)),
  });
}
