/** The table of what a destroy deletes of an identity set. */
import { encryptionKeyRemovals } from "../../encryption-key/index.js";
import type { Azure } from "../../azure/azure.js";
import { idKey, sameId } from "../../domain/resource-id.js";
import { secretsUser } from "../../domain/roles.js";
import { applicationRemovals, purgesOfDeleted } from "../../removal/applications.js";
import type { FoundGrant } from "../../removal/assignments.js";
import { grantRemoval, managedIdentityRemoval } from "../../removal/azure-removals.js";
import { withGroup } from "../../removal/emptied-group.js";
import { checkedBefore, foundIn, idsOf, type Found } from "../../removal/owned.js";
import { recoverable } from "../../removal/recoverable.js";
import type { IdentityInventory } from "./identities.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { ClustersNow } from "../../removal/set-in-use.js";
import { contentRemovals, purgesOf, vaultRemovals } from "../../removal/vault-removals.js";
import { sameText } from "../../text/same-text.js";

export function identitiesFound(azure: Azure, inventory: IdentityInventory, { purge }: RemovalMode, clustersNow: ClustersNow): Found {
  const { assignments, applications, identities, vaults, keptVaults, vaultGrants, deletedApplications, deletedVaults } = inventory;
  const removalsOf = (grants: readonly FoundGrant[]) => grants.map((grant) => grantRemoval(azure, grant));
  const rolesOf = (principalId: string | undefined) =>
    idsOf(removalsOf(assignments.filter((grant) => sameText(grant.principalId, principalId))));
  const isOnDeleted = ({ scope }: FoundGrant) => vaults.some(({ id }) => sameId(id, scope));
  const isReader = ({ roleDefinitionId }: FoundGrant) => idKey(roleDefinitionId).endsWith(`/${secretsUser.id}`);
  const onKept = vaultGrants.filter((grant) => !isOnDeleted(grant));
  const found = foundIn({
    roles: { removals: removalsOf(assignments) },
    applications: {
      removals: [
        ...applications.flatMap((one) => applicationRemovals(azure, one, purge, rolesOf(one.principalId))),
        ...purgesOfDeleted(azure, deletedApplications, purge),
      ],
    },
    identities: { removals: identities.map((one) => ({ ...managedIdentityRemoval(azure, one), after: rolesOf(one.principalId) })) },
    keys: { removals: inventory.keys.flatMap((key) => encryptionKeyRemovals(azure, key, purge, clustersNow)) },
    // Only the vault proves the applications and names the managed HSM: an interrupted run must find them again.
    vaults: {
      removals: vaults.flatMap((vault) => {
        const removals = vaultRemovals(azure, vault, purge);
        // Etcd cannot be read without its key.
        return vault.keys === undefined ? removals : removals.map((one) => checkedBefore(one, clustersNow));
      }),
      after: ["applications", "keys"],
    },
    contents: { removals: keptVaults.flatMap((vault) => contentRemovals(azure, vault, purge)), after: ["applications"] },
    // If the run is interrupted, the next one must be able to read the vault. What is left of its roles is left with it.
    vaultRoles: {
      removals: vaultGrants
        .filter(isOnDeleted)
        .map((grant) => ({ ...grantRemoval(azure, grant), after: [idKey(grant.scope)], left: false })),
    },
    // In a vault that stays, the next run decides about those who only read it by the contents, so they go first.
    readerRoles: { removals: removalsOf(onKept.filter(isReader)).map((one) => ({ ...one, left: false as const })), after: ["contents"] },
    otherRoles: {
      removals: removalsOf(onKept.filter((grant) => !isReader(grant))).map((one) => ({ ...one, left: false as const })),
      after: ["contents", "readerRoles"],
    },
    deletedVaults: { removals: purge ? purgesOf(azure, deletedVaults) : [], recoverable: recoverable(inventory) },
  });
  return withGroup(azure, { ...found, kept: inventory.kept }, { group: inventory.group });
}
