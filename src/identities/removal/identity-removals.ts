/** Turns an inventory of identities into ordered removals. Role assignments come first, because Azure does not delete them with their principal. */
import { encryptionKeyRemovals, unlessUsed } from "../../encryption-key/index.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import type { Removal } from "../../engine/step.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { idKey, parseResourceId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { secretsUser } from "../../domain/roles.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import type { FoundGrant } from "../../removal/assignments.js";
import { assignmentRemoval } from "../../removal/azure-removals.js";
import { provenOf, purgedApplication } from "../../removal/deleted-applications.js";
import { emptiedGroupRemoval } from "../../removal/emptied-group.js";
import type { IdentityInventory } from "./identities.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { ClustersNow } from "../../removal/set-in-use.js";
import { contentRemovals, purgesOf, removalOf, vaultRemovals } from "../../removal/vault-removals.js";
import type { FoundVault } from "../../removal/vaults.js";
import { sameText } from "../../text/same-text.js";

export function identityRemovals(azure: Azure, inventory: IdentityInventory, { purge }: RemovalMode, clustersNow: ClustersNow): Removal[] {
  const removed = (grant: FoundGrant) => assignmentRemoval(azure, liveAssignmentTitle(grant, grant.holder), grant);
  const assignments = inventory.assignments.map(removed);
  // After their vault: if the run is interrupted, the next one must be able to read the vault.
  const rolesOf = (principalId: string | undefined) =>
    inventory.assignments.flatMap((grant, index) =>
      sameText(grant.principalId, principalId) ? ids(assignments.slice(index, index + 1)) : [],
    );
  const applications = inventory.applications.flatMap(({ id, displayName, principalId }) => {
    const removal = {
      ...removalOf(`application ${id}`, `application ${displayName}`, rolesOf(principalId), async () => {
        await (await azure.directory()).deleteApplication(id);
      }),
      label: { noun: "application", name: displayName },
    };
    return purge ? [removal, purgedApplication(azure, id, displayName, [removal.id])] : [removal];
  });
  const identities = inventory.identities.map(({ id, name, principalId }) => ({
    ...removalOf(idKey(id), titleOf(resourceTypes.managedIdentity, name), rolesOf(principalId), async () => {
      const { userAssignedIdentities } = await azure.identities();
      await found(userAssignedIdentities.delete(parseResourceId(id).resourceGroup ?? "", name));
    }),
    resourceId: id,
  }));
  const keys = inventory.keys.flatMap((key) => encryptionKeyRemovals(azure, key, purge, clustersNow));
  const purgedEarlier = purge
    ? provenOf(inventory.deletedApplications).map((one) => purgedApplication(azure, one.id, one.displayName, []))
    : [];
  const contentsOf = (vault: FoundVault) =>
    contentRemovals(azure, vault, purge).map((one) => ({ ...one, after: [...one.after, ...ids([...applications, ...purgedEarlier])] }));
  const vaultGrants = vaultGrantRemovals(inventory, removed, (vault) => ids(contentsOf(vault)));
  const vaults = [
    // Only the vault proves the applications and names the managed HSM: an interrupted run must find them again.
    ...inventory.vaults.flatMap((vault) => {
      const ofVault = vaultRemovals(azure, vault, purge, ids([...applications, ...purgedEarlier, ...keys]));
      return vault.keys === undefined ? ofVault : ofVault.map((removal) => unlessUsed(removal, clustersNow));
    }),
    ...inventory.keptVaults.flatMap(contentsOf),
  ];
  const deleted = [...purgedEarlier, ...(purge ? purgesOf(azure, inventory.deletedVaults) : [])];
  const all = [...assignments, ...vaultGrants, ...applications, ...identities, ...keys, ...vaults, ...deleted];
  return [...all, ...(inventory.group ? [emptiedGroupRemoval(azure, inventory.group, all)] : [])];
}

/**
 * After their vault, or after its contents: if the run is interrupted, the next one must be able to read the vault. In one that stays, the roles
 * of those who only read it go first, because that next run decides about them by the contents.
 */
function vaultGrantRemovals(
  { vaults, keptVaults, vaultGrants }: IdentityInventory,
  removed: (grant: FoundGrant) => Removal,
  contentsOf: (kept: FoundVault) => readonly string[],
): Removal[] {
  const readers = vaultGrants.filter(({ roleDefinitionId }) => idKey(roleDefinitionId).endsWith(`/${secretsUser.id}`));
  return vaultGrants.map((grant) => {
    const isOn = ({ id }: FoundVault) => sameId(id, grant.scope);
    if (vaults.some(isOn)) return { ...removed(grant), after: [idKey(grant.scope)] };
    const before = readers.includes(grant) ? [] : readers.filter(({ scope }) => sameId(scope, grant.scope));
    return { ...removed(grant), after: [...keptVaults.filter(isOn).flatMap(contentsOf), ...ids(before.map(removed))] };
  });
}

function ids(removals: readonly Removal[]): string[] {
  return removals.map(({ id }) => id);
}
