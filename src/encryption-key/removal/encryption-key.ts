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
import { principalTitle } from "../../domain/role-assignment-title.js";
import type { StepIo } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { grantOf } from "../../removal/assignments.js";
import { grantRemoval } from "../../removal/azure-removals.js";
import { checkedBefore, foundIn, removalOf, type Kept, type OwnedRemoval } from "../../removal/owned.js";
import type { Recoverable } from "../../removal/recoverable.js";
import type { ClustersNow } from "../../removal/set-in-use.js";
import { untilPurged } from "../../removal/vault-removals.js";
import { rfc3339 } from "../../text/rfc3339.js";

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
  readonly assignments: readonly OwnedRemoval[];
  /** The titles of those that somebody has created since. */
  newAssignments(): Promise<readonly string[]>;
  readonly kept: readonly Kept[];
  /** Succeeds even if it is already deleted. */
  remove(io: StepIo): Promise<void>;
  /** False if it is purged already, or not listed as deleted yet. */
  purge(io: StepIo): Promise<boolean>;
  /** Takes back the role that a run assigns to the signed-in principal for the keys; undefined if it stays. */
  readonly roleRemoval?: OwnedRemoval | undefined;
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

async function assignmentsOn(azure: Azure, scope: string, caller: SignedIn): Promise<OwnedRemoval[]> {
  const { roleAssignments } = await azure.authorization();
  // At the subscription, because Azure may answer 404 for a scope that does not exist any more.
  const listed = await all(roleAssignments.listForSubscription());
  return listed
    .flatMap((live) => grantOf(live, principalTitle(live.principalId ?? "", caller)))
    .filter((grant) => sameId(grant.scope, scope))
    .map((grant) => grantRemoval(azure, grant));
}

/** Without a purge, the role that the run assigns for its own work stays: a recovery needs it. */
export function encryptionKeyRemovals(azure: Azure, key: FoundKey, purge: boolean, clustersNow: ClustersNow): OwnedRemoval[] {
  const { place, id, resourceId, deleted, purgeProtected, roleRemoval: role, isRoleLeft } = key;
  // Etcd cannot be read without the key, and somebody may have started to use it since the plan.
  const ifUnused = (removal: OwnedRemoval) =>
    checkedBefore(removal, async () => {
      const [clusters, users] = await Promise.all([clustersNow(), newUsers(key)]);
      return clusters ?? users;
    });
  const why = purge && purgeProtected ? `the ${place.kind} has purge protection: Azure keeps the key, with its name` : undefined;
  const deletion = {
    ...removalOf(`key ${place.keyName}`, place.title, (io) => key.remove(io)),
    resourceId,
    left: id ?? (false as const),
    ...(why !== undefined && { why }),
  };
  const purged = {
    ...removalOf(`purge key ${place.keyName}`, `${place.title}, permanently`, (io) => untilPurged(azure, io, () => key.purge(io))),
    left: deleted === undefined ? (false as const) : `deleted ${place.title}`,
  };
  const isPurged = purge && !purgeProtected && (id !== undefined || deleted !== undefined);
  const endsRole = purge && !purgeProtected && (isPurged || isRoleLeft === true);
  return [
    ...foundIn({
      roles: { removals: key.assignments.map(ifUnused) },
      key: { removals: id === undefined ? [] : [ifUnused(deletion)], after: ["roles"] },
      deletedKey: { removals: isPurged ? [ifUnused(purged)] : [], after: ["roles", "key"] },
      ownRole: { removals: endsRole && role !== undefined ? [role] : [], after: ["roles", "key", "deletedKey"] },
    }).removals,
  ];
}

export function titlesOfNew(planned: readonly OwnedRemoval[], now: readonly OwnedRemoval[]): string[] {
  return now.filter(({ id }) => !planned.some((one) => sameId(one.id, id))).map(({ title }) => title);
}

async function newUsers({ place, newAssignments }: FoundKey): Promise<Failure | undefined> {
  const fresh = await newAssignments();
  if (fresh.length === 0) return undefined;
  return new Failure("ARO-OWN-010", `${place.quotedTitle} got new users during the destroy`, { because: fresh.join(", ") });
}

/** Succeeds even if it is already deleted. */
async function deleteKey(azure: Azure, { name: vaultName, keyName }: KeyPlace): Promise<void> {
  const client = await azure.vaultKeys(vaultName);
  const options = { intervalInMs: noInterval };
  await found(pollWhenDue(vaultObjectDeletion, async () => (await client.beginDeleteKey(keyName, options)).pollUntilDone()));
}

/** Resource Manager cannot delete keys, so the caller needs a role in the vault, as for a rotation. */
function roleRemoval(officer: VaultRole, vaultId: string): OwnedRemoval {
  const { title, takeBack } = officer;
  return { ...removalOf("vault-keys-role", title, () => takeBack(vaultId)), why: "for this run only", isLast: true, left: false };
}

export function recoverableKey({ place, deleted }: FoundKey): Recoverable[] {
  if (deleted === undefined) return [];
  const { name, keyName, azOption, quotedTitle } = place;
  const how = advise`rerun create encryption-key, or use ${shell`az keyvault key recover ${azOption} ${name} --name ${keyName}`}`;
  return [{ title: quotedTitle, until: deleted.until && rfc3339(deleted.until), how }];
}
