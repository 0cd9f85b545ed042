/** The vault of an identity set, as Resource Manager has it. */
import type { Vault } from "@azure/arm-keyvault";
import { vaultGroupOf } from "../domain/given-vault.js";
import { vaultsShownBy } from "../domain/given-vault-roles.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import type { Azure } from "./azure.js";
import { found } from "./long-running.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";
import { shellWord } from "../errors/shell-word.js";

/** Undefined if it does not exist. */
export async function readVaultOfSet(azure: Azure, set: IdentitySetKey): Promise<Vault | undefined> {
  const { vaults } = await azure.vaults();
  return found(vaults.get(vaultGroupOf(set), set.vaultName));
}

/** The same. @throws ARO-OWN-003 if that of `--key-vault-id` does not exist */
export async function requireVaultOfSet(azure: Azure, set: IdentitySetKey): Promise<Vault | undefined> {
  const vault = await readVaultOfSet(azure, set);
  if (vault !== undefined || set.givenVaultId === undefined) return vault;
  throw new Failure("ARO-OWN-003", `${quotedTitleOf(resourceTypes.keyVault, set.vaultName)} does not exist`, {
    because: "--key-vault-id refers to it",
    next: ["correct --key-vault-id, or check that the signed-in principal has permission to read it"],
  });
}

/** For a set without a vault of its own: the vaults that somebody else has prepared, and on which it has roles. None if these cannot be listed. */
export async function namesGivenVault(azure: Azure, set: IdentitySetKey): Promise<Advice[]> {
  const { roleAssignments } = await azure.authorization(set.subscriptionId);
  const listed = (await orRefused(all(roleAssignments.listForSubscription()))) ?? [];
  return vaultsShownBy(listed, set, []).map(
    (id) => `role assignments for the set are on another vault: pass --key-vault-id ${shellWord(id)}`,
  );
}
