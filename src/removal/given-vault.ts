/** The vault of `--key-vault-id`, which a destroy leaves: what the set has in it and on it, and why it stays. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { requireVaultOfSet } from "../azure/set-vault.js";
import type { SignedIn } from "../azure/signed-in.js";
import { purposeOnVault } from "../domain/given-vault.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { hasOwner } from "../domain/ownership.js";
import { sameId } from "../domain/resource-id.js";
import { certificatesOfficer, secretsOfficer } from "../domain/roles.js";
import { sameText } from "../text/same-text.js";
import type { Kept } from "./inventory.js";
import { isOwnGrant, readContents, setVault, type FoundVault, type VaultItem, type VaultItems, type VaultOwner } from "./vaults.js";

export interface GivenVault {
  readonly vault: FoundVault;
  readonly kept: Kept;
  /** Whether the set has assigned the role on it, and nobody else uses it. */
  isGrant(live: RoleAssignment): boolean;
}

/** Undefined without `--key-vault-id`. @throws ARO-OWN-003 if the vault does not exist */
export async function findGivenVault(azure: Azure, set: IdentitySetKey, caller: SignedIn): Promise<GivenVault | undefined> {
  const live = set.givenVaultId === undefined ? undefined : await requireVaultOfSet(azure, set);
  if (live?.id === undefined) return undefined;
  const { id, location = "" } = live;
  const owner = setVault(set);
  let others: readonly VaultItem[] = [];
  const vault = await readContents(
    azure,
    { id, name: set.vaultName, location },
    {
      ...owner,
      decide(items, keys) {
        others = othersIn(owner, items, keys);
        return owner.decide(items, keys);
      },
    },
  );
  if (vault === undefined) return undefined;
  const purpose = purposeOnVault(set);
  return {
    vault,
    kept: { id, why: ["it was given with --key-vault-id, so it stays", ...alsoKept(vault, others)].join("; ") },
    isGrant(role) {
      if (!isOwnGrant(role) || !sameId(role.scope ?? "", id) || role.description !== purpose) return false;
      // A destroy that was interrupted between the roles of the signed-in principal cannot read the vault any more.
      return vault.closed ? sameText(role.principalId, caller.objectId) : others.length === 0;
    },
  };
}

/** The contents of others that aro-hcp created. A certificate has a key with its name. */
function othersIn({ isOwn }: VaultOwner, items: VaultItems | undefined, keys: readonly VaultItem[]): VaultItem[] {
  const others = [
    ...(items?.certificates ?? []).filter((item) => !isOwn(item, "certificate")),
    ...(items?.secrets ?? []).filter((item) => !isOwn(item, "secret")),
    ...keys.filter((item) => !isOwn(item, "key") && !isOwn(item, "certificate")),
  ];
  return others.filter(({ tags }) => hasOwner(tags));
}

function alsoKept({ closed }: FoundVault, others: readonly VaultItem[]): string[] {
  if (closed) {
    const roles = [certificatesOfficer, secretsOfficer].map(({ name }) => `"${name}"`).join(" and ");
    return [`its contents cannot be read; if it still has some of the set, ask an owner for ${roles} on it, then rerun the command`];
  }
  if (others.length === 0) return [];
  const names = [...new Set(others.map(({ name }) => name))].join(", ");
  return [`roles on it stay too, because others that use aro-hcp have ${names} in it`];
}
