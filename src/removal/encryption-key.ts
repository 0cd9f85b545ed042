/** The key that encrypts etcd and its role assignments: found by its name and tag, and removed. */
import type { Azure } from "../azure/azure.js";
import { orDenied, waitForAccess } from "../azure/vault-admission.js";
import { vaultObjectDeletion } from "../azure/expected-durations.js";
import { found, noInterval } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import type { SignedIn } from "../azure/signed-in.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownedBy } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { grantName } from "../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle } from "../domain/role-assignment-title.js";
import { cryptoOfficer, roleDefinitionId } from "../domain/roles.js";
import type { Removal } from "../engine/step.js";
import { advise, shell } from "../errors/advice.js";
import { sameText } from "../text/same-text.js";
import type { FoundGrant } from "./assignments.js";
import { assignmentRemoval } from "./azure-removals.js";
import type { Kept } from "./inventory.js";
import type { Recoverable } from "./recoverable.js";
import { removalOf, untilPurged } from "./vault-removals.js";

export interface KeyInventory {
  readonly vaultName: string;
  readonly vaultId: string;
  readonly name: string;
  /** The ID of the key in Resource Manager; undefined if it does not exist. */
  readonly id: string | undefined;
  /** Soft-deleted, if the caller can read that. */
  readonly deleted: { readonly until: Date | undefined } | undefined;
  readonly purgeProtected: boolean;
  /** On the key alone. */
  readonly assignments: readonly FoundGrant[];
  readonly kept: readonly Kept[];
}

const row = resourceTypes.vaultKey;

/** Undefined if there is no vault of the set. Only reads. */
export async function findEncryptionKey(azure: Azure, set: IdentitySetKey, caller: SignedIn): Promise<KeyInventory | undefined> {
  const { groupName, vaultName } = set;
  const { vaults, keys } = await azure.vaults();
  const vault = await found(vaults.get(groupName, vaultName));
  if (vault?.id === undefined) return undefined;
  const name = encryptionKeyName(set);
  const key = await found(keys.get(groupName, vaultName, name));
  const id = `${vault.id}/keys/${name}`;
  const own = key !== undefined && ownedBy(key.tags, { identitySet: set.name }) === "ours";
  const kept = key !== undefined && !own ? [{ id, why: "it does not belong to this identity set" }] : [];
  const isOwn = own || key === undefined;
  return {
    vaultName,
    vaultId: vault.id,
    name,
    id: own ? id : undefined,
    deleted: key === undefined ? await findDeleted(azure, vaultName, name, set.name) : undefined,
    purgeProtected: vault.properties.enablePurgeProtection === true,
    assignments: isOwn ? await assignmentsOn(azure, id, caller) : [],
    kept,
  };
}

async function findDeleted(azure: Azure, vaultName: string, name: string, set: string): Promise<KeyInventory["deleted"]> {
  const client = await azure.vaultKeys(vaultName);
  const deleted = await orDenied(found(client.getDeletedKey(name)));
  if (deleted === undefined || ownedBy(deleted.properties.tags, { identitySet: set }) !== "ours") return undefined;
  return { until: deleted.properties.scheduledPurgeDate };
}

async function assignmentsOn(azure: Azure, scope: string, caller: SignedIn): Promise<FoundGrant[]> {
  const { roleAssignments } = await azure.authorization();
  // At the subscription, because Azure may answer 404 for a scope that does not exist any more.
  const listed = await all(roleAssignments.listForSubscription());
  return listed.flatMap(({ id, name, scope: held, principalId, roleDefinitionId: role = "" }) =>
    id !== undefined && name !== undefined && held !== undefined && principalId !== undefined && sameId(held, scope)
      ? [{ id, name, scope: held, principalId, roleDefinitionId: role, holder: principalTitle(principalId, caller) }]
      : [],
  );
}

export function encryptionKeyRemovals(azure: Azure, inventory: KeyInventory, caller: SignedIn, purge: boolean): Removal[] {
  const { id, name, vaultName, deleted, purgeProtected } = inventory;
  const assignments = inventory.assignments.map((grant) => assignmentRemoval(azure, liveAssignmentTitle(grant, grant.holder), grant));
  const after = assignments.map((removal) => removal.id);
  const title = titleOf(row, name);
  const deletion =
    id === undefined
      ? []
      : [
          {
            ...removalOf(`key ${name}`, title, after, async (io) => {
              if ((await orDenied(deleteKey(azure, inventory))) !== undefined) return;
              await assignOfficer(azure, inventory, caller);
              await waitForAccess(azure, vaultName, "keys", io);
              await deleteKey(azure, inventory);
            }),
            resourceId: id,
          },
        ];
  const isPurged = purge && !purgeProtected && (id !== undefined || deleted !== undefined);
  const purged = removalOf(
    `purge key ${name}`,
    `${title}, permanently`,
    [...after, ...deletion.map((removal) => removal.id)],
    async (io) => {
      const client = await azure.vaultKeys(vaultName);
      await untilPurged(azure, io, async () => (await found(client.purgeDeletedKey(name).then(() => true))) ?? false);
    },
  );
  return [...assignments, ...deletion, ...(isPurged ? [purged] : [])];
}

/** Also if it is already deleted. */
async function deleteKey(azure: Azure, { name, vaultName }: KeyInventory): Promise<true> {
  const client = await azure.vaultKeys(vaultName);
  const options = { intervalInMs: noInterval };
  await found(pollWhenDue(vaultObjectDeletion, async () => (await client.beginDeleteKey(name, options)).pollUntilDone()));
  return true;
}

/** Resource Manager cannot delete keys, so the caller needs a role in the vault, as for a rotation. */
async function assignOfficer(azure: Azure, { vaultId }: KeyInventory, { objectId, principalType }: SignedIn): Promise<void> {
  const { roleAssignments } = await azure.authorization();
  const assigned = await all(roleAssignments.listForScope(vaultId, { filter: "atScope()" }));
  if (assigned.some((live) => sameText(live.principalId, objectId) && live.roleDefinitionId?.toLowerCase().endsWith(cryptoOfficer.id)))
    return;
  await roleAssignments.create(vaultId, grantName(objectId, cryptoOfficer.id, vaultId), {
    principalId: objectId,
    principalType,
    roleDefinitionId: roleDefinitionId(azure.connection.subscriptionId, cryptoOfficer),
  });
}

/** The IDs of everything that is deleted. */
export function keyIdsToRemove({ id, name, deleted, purgeProtected, assignments }: KeyInventory, purge: boolean): string[] {
  return [
    ...assignments.map((grant) => grant.id),
    ...(id === undefined ? [] : [id]),
    ...(purge && !purgeProtected && deleted !== undefined ? [`deleted ${titleOf(row, name)}`] : []),
  ];
}

export function recoverableKey({ name, vaultName, deleted }: KeyInventory): Recoverable[] {
  if (deleted === undefined) return [];
  const how = advise`rerun create encryption-key, or use ${shell`az keyvault key recover --vault-name ${vaultName} --name ${name}`}`;
  return [{ title: quotedTitleOf(row, name), until: deleted.until?.toISOString(), how }];
}
