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

/** Only reads. @throws ARO-AUTHZ-001 if the HSM denies access to its keys, and for a purge also to its deleted keys */
export async function findHsmKey(azure: Azure, set: IdentitySetKey, hsmName: string, caller: SignedIn, purge: boolean): Promise<FoundKey> {
  const place = hsmPlace(set, hsmName, azure.connection.cloud);
  const { keyName: name, title } = place;
  const hsm = await azure.managedHsm(hsmName);
  const asUser = <T>(use: () => Promise<T>) => withLocalRole(hsmName, hsmCryptoUser, "/keys", use);
  const asOfficer = <T>(use: () => Promise<T>) => withLocalRole(hsmName, hsmCryptoOfficer, "/", use);

  const live = await asUser(() => readHsmKey(hsm, name));
  const readDeleted = () => (purge ? asOfficer(() => readDeletedKey(azure, place)) : findDeletedKey(azure, place));
  const deleted = live === undefined ? await readDeleted() : undefined;
  const isOwn = ownsKey(place, live?.key.tags ?? deleted?.tags);
  const scope = `/keys/${name}`;
  const isOther = (live ?? deleted) !== undefined && !isOwn;
  const readAssignments = async () => {
    const listed = await asUser(() => hsm.assignments(scope));
    return listed.filter((one) => one.scope === scope).map((assignment) => localRoleRemoval(azure, place, assignment, caller));
  };
  const assignments = isOther ? [] : await readAssignments();
  const recoveryLevel = live?.key.recoveryLevel ?? deleted?.recoveryLevel ?? "";
  return {
    place,
    id: live !== undefined && isOwn ? idOf(place) : undefined,
    resourceId: undefined,
    deleted: deleted !== undefined && isOwn ? { until: deleted.until } : undefined,
    purgeProtected: recoveryLevel !== "" && !recoveryLevel.includes("Purgeable"),
    assignments,
    newAssignments: async () => titlesOfNew(assignments, await readAssignments()),
    kept: live !== undefined && !isOwn ? [{ id: idOf(place), title, why: "it does not belong to this identity set" }] : [],
    async remove() {
      const options = { intervalInMs: noInterval };
      const remove = () => pollWhenDue(vaultObjectDeletion, async () => (await hsm.keys.beginDeleteKey(name, options)).pollUntilDone());
      await found(asUser(remove));
    },
    purge: async () => (await found(asOfficer(() => hsm.keys.purgeDeletedKey(name).then(() => true)))) ?? false,
  };
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
    await found(withLocalRole(hsmName, hsmCryptoOfficer, "/", () => hsm.unassign(assignment)));
  });
}
