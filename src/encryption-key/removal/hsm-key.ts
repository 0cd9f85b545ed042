/** The key that encrypts etcd in a managed HSM, and the roles of the HSM on it: found by name and tags. */
import type { Azure } from "../../azure/azure.js";
import { findDeletedKey, readDeletedKey } from "../../azure/deleted-keys.js";
import { vaultObjectDeletion } from "../../azure/expected-durations.js";
import { readHsmKey, withLocalRole } from "../../azure/hsm-keys.js";
import { found, noInterval } from "../../azure/long-running.js";
import type { LocalAssignment } from "../../azure/managed-hsm.js";
import { pollWhenDue } from "../../azure/poll-timing.js";
import type { SignedIn } from "../../azure/signed-in.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { hsmPlace, ownsKey, versionId, type KeyPlace } from "../../domain/key-place.js";
import { principalTitle, roleAssignmentTitle } from "../../domain/role-assignment-title.js";
import { hsmCryptoOfficer, hsmCryptoUser, roleNameIn } from "../../domain/roles.js";
import { titlesOfNew, type FoundKey } from "./encryption-key.js";
import { removalOf, type OwnedRemoval } from "../../removal/owned.js";

/** @throws ARO-AUTHZ-001 if the HSM denies access to its keys, and for a purge also to its deleted keys */
export async function findHsmKey(azure: Azure, set: IdentitySetKey, hsmName: string, caller: SignedIn, purge: boolean): Promise<FoundKey> {
  const place = hsmPlace(set, hsmName, azure.connection.cloud);
  const hsm = await azure.managedHsm(hsmName);
  const live = await withUserRole(hsmName, () => readHsmKey(hsm, place.keyName));
  const readDeleted = () => (purge ? withOfficerRole(hsmName, () => readDeletedKey(azure, place)) : findDeletedKey(azure, place));
  const deleted = live === undefined ? await readDeleted() : undefined;
  const exists = live !== undefined || deleted !== undefined;
  const isOwn = ownsKey(place, live?.key.tags ?? deleted?.tags);
  const assignments = exists && !isOwn ? [] : await roleRemovals(azure, place, caller);
  const recoveryLevel = live?.key.recoveryLevel ?? deleted?.recoveryLevel ?? "";
  const id = idOf(place);
  return {
    place,
    id: live !== undefined && isOwn ? id : undefined,
    resourceId: undefined,
    deleted: deleted !== undefined && isOwn ? { until: deleted.until } : undefined,
    purgeProtected: recoveryLevel !== "" && !recoveryLevel.includes("Purgeable"),
    assignments,
    newAssignments: async () => titlesOfNew(assignments, await roleRemovals(azure, place, caller)),
    kept: live !== undefined && !isOwn ? [{ id, title: place.title, why: "it does not belong to this identity set" }] : [],
    remove: () => deleteKey(azure, place),
    purge: () => purgeKey(azure, place),
  };
}

function withUserRole<T>(hsmName: string, use: () => Promise<T>): Promise<T> {
  return withLocalRole(hsmName, hsmCryptoUser, "/keys", use);
}

function withOfficerRole<T>(hsmName: string, use: () => Promise<T>): Promise<T> {
  return withLocalRole(hsmName, hsmCryptoOfficer, "/", use);
}

/** The removals of the role assignments on the key alone. */
async function roleRemovals(azure: Azure, place: KeyPlace, caller: SignedIn): Promise<OwnedRemoval[]> {
  const hsm = await azure.managedHsm(place.name);
  const scope = `/keys/${place.keyName}`;
  const listed = await withUserRole(place.name, () => hsm.assignments(scope));
  return listed.filter((one) => one.scope === scope).map((assignment) => localRoleRemoval(azure, place, assignment, caller));
}

async function deleteKey(azure: Azure, { name: hsmName, keyName }: KeyPlace): Promise<void> {
  const { keys } = await azure.managedHsm(hsmName);
  const remove = async () => (await keys.beginDeleteKey(keyName, { intervalInMs: noInterval })).pollUntilDone();
  await found(withUserRole(hsmName, () => pollWhenDue(vaultObjectDeletion, remove)));
}

async function purgeKey(azure: Azure, { name: hsmName, keyName }: KeyPlace): Promise<boolean> {
  const { keys } = await azure.managedHsm(hsmName);
  return (await found(withOfficerRole(hsmName, () => keys.purgeDeletedKey(keyName).then(() => true)))) ?? false;
}

/** The ID without a version. */
function idOf(place: KeyPlace): string {
  return versionId(place, "").replace(/\/$/, "");
}

function localRoleRemoval(azure: Azure, { name: hsmName, title }: KeyPlace, assignment: LocalAssignment, caller: SignedIn): OwnedRemoval {
  const { name, principalId, roleDefinitionId } = assignment;
  const holder = principalTitle(principalId, caller);
  const about = roleAssignmentTitle({ role: roleNameIn(roleDefinitionId), holder, scope: title });
  return removalOf(`role-assignment ${name}`, about, async () => {
    const hsm = await azure.managedHsm(hsmName);
    await found(withOfficerRole(hsmName, () => hsm.unassign(assignment)));
  });
}
