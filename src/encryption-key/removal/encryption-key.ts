/** The key that encrypts etcd and its role assignments: found by its name and tag, and removed. */
import type { Azure } from "../../azure/azure.js";
import { findDeletedKey } from "../../azure/deleted-keys.js";
import { requireVaultOfSet } from "../../azure/set-vault.js";
import { keyOfficer, type VaultRole } from "../../azure/vault-role.js";
import { orDenied } from "../../azure/vault-admission.js";
import { vaultObjectDeletion } from "../../azure/expected-durations.js";
import { found, noInterval } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { pollWhenDue } from "../../azure/poll-timing.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { vaultGroupOf } from "../../domain/given-vault.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { ownsKey, vaultPlace, type KeyPlace } from "../../domain/key-place.js";
import { sameId } from "../../domain/resource-id.js";
import { liveAssignmentTitle, principalTitle } from "../../domain/role-assignment-title.js";
import type { Removal, StepIo } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { assignmentRemoval } from "../../removal/azure-removals.js";
import type { Kept } from "../../removal/inventory.js";
import type { Recoverable } from "../../removal/recoverable.js";
import type { ClustersNow } from "../../removal/set-in-use.js";
import { removalOf, untilPurged } from "../../removal/vault-removals.js";

/** The key of a set, in its vault or in a managed HSM. */
export interface FoundKey {
  readonly place: KeyPlace;
  /** Undefined if the key does not exist. */
  readonly id: string | undefined;
  /** The same in Resource Manager; undefined in a managed HSM. */
  readonly resourceId: string | undefined;
  /** Soft-deleted, if the caller can read that. */
  readonly deleted: { readonly until: Date | undefined } | undefined;
  readonly purgeProtected: boolean;
  /** The removals of the role assignments on the key alone. */
  readonly assignments: readonly Removal[];
  /** The titles of those that somebody has created since. */
  newAssignments(): Promise<readonly string[]>;
  readonly kept: readonly Kept[];
  /** Also if it is already deleted. */
  remove(io: StepIo): Promise<void>;
  /** False if it is purged already, or not listed as deleted yet. */
  purge(io: StepIo): Promise<boolean>;
  /** Takes back the role that a run assigns to the signed-in principal for the keys; undefined if it stays. */
  readonly roleRemoval?: Removal | undefined;
  /** An earlier run has assigned it. */
  readonly isRoleLeft?: boolean;
}

/** Undefined if there is no vault of the set. Only reads. `keepsRole`: the role that a run assigns for its own work stays. */
export async function findEncryptionKey(
  azure: Azure,
  set: IdentitySetKey,
  { caller, keepsRole }: { readonly caller: SignedIn; readonly keepsRole: boolean },
): Promise<FoundKey | undefined> {
  const { vaultName } = set;
  const place = vaultPlace(set, azure.connection.cloud);
  const { keyName: name } = place;
  const vault = await requireVaultOfSet(azure, set);
  if (vault?.id === undefined) return undefined;
  const { keys } = await azure.vaults();
  const key = await found(keys.get(vaultGroupOf(set), vaultName, name));
  const vaultId = vault.id;
  const officer = keyOfficer(azure, vaultName, caller, keepsRole);
  const held = await orDenied(officer.held(vaultId));
  const id = `${vaultId}/keys/${name}`;
  const isOther = key !== undefined && !ownsKey(place, key.tags);
  const liveId = key === undefined || isOther ? undefined : id;
  const readAssignments = () => assignmentsOn(azure, id, caller);
  const assignments = isOther ? [] : await readAssignments();
  return {
    place,
    id: liveId,
    resourceId: liveId,
    deleted: key === undefined ? await ownDeletedKey(azure, place) : undefined,
    purgeProtected: vault.properties.enablePurgeProtection === true,
    assignments,
    newAssignments: async () => titlesOfNew(assignments, await readAssignments()),
    kept: isOther ? [{ id, why: "it does not belong to this identity set" }] : [],
    remove: (io) => officer.use(vaultId, io, () => deleteKey(azure, place)),
    purge: (io) =>
      officer.use(vaultId, io, async () => {
        const client = await azure.vaultKeys(vaultName);
        return (await found(client.purgeDeletedKey(name).then(() => true))) ?? false;
      }),
    roleRemoval: held === "lasting" || keepsRole ? undefined : roleRemoval(officer, vaultId),
    isRoleLeft: held === "temporary",
  };
}

/** Undefined if there is none of the set, or if the caller may not read it. */
export async function ownDeletedKey(azure: Azure, place: KeyPlace): Promise<FoundKey["deleted"]> {
  const deleted = await findDeletedKey(azure, place);
  return deleted !== undefined && ownsKey(place, deleted.tags) ? { until: deleted.until } : undefined;
}

async function assignmentsOn(azure: Azure, scope: string, caller: SignedIn): Promise<Removal[]> {
  const { roleAssignments } = await azure.authorization();
  // At the subscription, because Azure may answer 404 for a scope that does not exist any more.
  const listed = await all(roleAssignments.listForSubscription());
  return listed.flatMap(({ id, name, scope: held, principalId, roleDefinitionId: role = "" }) => {
    if (id === undefined || name === undefined || held === undefined || principalId === undefined || !sameId(held, scope)) return [];
    const title = liveAssignmentTitle({ roleDefinitionId: role, scope: held }, principalTitle(principalId, caller));
    return [assignmentRemoval(azure, title, { id, name, scope: held })];
  });
}

/** Without a purge, the role that the run assigns for its own work stays: a recovery needs it. */
export function encryptionKeyRemovals(azure: Azure, key: FoundKey, purge: boolean, clustersNow: ClustersNow): Removal[] {
  const { place, id, resourceId, deleted, purgeProtected, assignments: planned, roleRemoval: role, isRoleLeft } = key;
  const ifUnused = async () => {
    const [clusters, users] = await Promise.all([clustersNow(), newUsers(key)]);
    return clusters ?? users;
  };
  const assignments = planned.map((removal) => unlessUsed(removal, ifUnused));
  const after = assignments.map((removal) => removal.id);
  const why = purge && purgeProtected ? `the ${place.kind} has purge protection: Azure keeps the key, with its name` : undefined;
  const removed = unlessUsed(
    removalOf(`key ${place.keyName}`, place.title, after, (io) => key.remove(io)),
    ifUnused,
  );
  const deletion = id === undefined ? [] : [{ ...removed, resourceId, ...(why !== undefined && { why }) }];
  const isPurged = purge && !purgeProtected && (id !== undefined || deleted !== undefined);
  const afterDeletion = [...after, ...deletion.map((removal) => removal.id)];
  const purged = unlessUsed(
    removalOf(`purge key ${place.keyName}`, `${place.title}, permanently`, afterDeletion, (io) =>
      untilPurged(azure, io, () => key.purge(io)),
    ),
    ifUnused,
  );
  const removals = [...assignments, ...deletion, ...(isPurged ? [purged] : [])];
  const endsRole = purge && !purgeProtected && (isPurged || isRoleLeft === true);
  return endsRole && role !== undefined ? [...removals, { ...role, after: removals.map((removal) => removal.id) }] : removals;
}

/** Right before it: etcd cannot be read without the key, and somebody may have started to use it since the plan. */
export function unlessUsed(removal: Removal, usedNow: () => Promise<Failure | undefined>): Removal {
  return {
    ...removal,
    async remove(io) {
      const used = await usedNow();
      if (used) throw used;
      await removal.remove(io);
    },
  };
}

export function titlesOfNew(planned: readonly Removal[], now: readonly Removal[]): string[] {
  return now.filter(({ id }) => !planned.some((one) => sameId(one.id, id))).map(({ title }) => title);
}

async function newUsers({ place, newAssignments }: FoundKey): Promise<Failure | undefined> {
  const fresh = await newAssignments();
  if (fresh.length === 0) return undefined;
  return new Failure("ARO-OWN-010", `${place.quotedTitle} got new users during the destroy`, { because: fresh.join(", ") });
}

/** Also if it is already deleted. */
async function deleteKey(azure: Azure, { name: vaultName, keyName }: KeyPlace): Promise<void> {
  const client = await azure.vaultKeys(vaultName);
  const options = { intervalInMs: noInterval };
  await found(pollWhenDue(vaultObjectDeletion, async () => (await client.beginDeleteKey(keyName, options)).pollUntilDone()));
}

/** Resource Manager cannot delete keys, so the caller needs a role in the vault, as for a rotation. */
function roleRemoval(officer: VaultRole, vaultId: string): Removal {
  const { title, takeBack } = officer;
  return { ...removalOf("vault-keys-role", title, [], () => takeBack(vaultId)), why: "for this run only", isLast: true };
}

/** The IDs of everything that is deleted. */
export function keyIdsToRemove({ place, id, deleted, purgeProtected, assignments }: FoundKey, purge: boolean): string[] {
  return [
    ...assignments.map((assignment) => assignment.resourceId ?? assignment.id),
    ...(id === undefined ? [] : [id]),
    ...(purge && !purgeProtected && deleted !== undefined ? [`deleted ${place.title}`] : []),
  ];
}

export function recoverableKey({ place, deleted }: FoundKey): Recoverable[] {
  if (deleted === undefined) return [];
  const { name, keyName, azOption, quotedTitle } = place;
  const how = advise`rerun create encryption-key, or use ${shell`az keyvault key recover ${azOption} ${name} --name ${keyName}`}`;
  return [{ title: quotedTitle, until: deleted.until?.toISOString(), how }];
}
