/** Where the vault of an identity set is: its own one, or a given one that somebody else has prepared. */
import type { IdentitySetKey } from "./identity-spec.js";
import { groupNameOf } from "./resource-id.js";

export function vaultGroupOf({ groupName, givenVaultId }: IdentitySetKey): string {
  return groupNameOf(givenVaultId) ?? groupName;
}

export function vaultOption({ givenVaultId }: IdentitySetKey): "--key-vault-id" | "--key-vault-name" {
  return givenVaultId === undefined ? "--key-vault-name" : "--key-vault-id";
}

/** The settings that choose the vault, for a command as advice. */
export function vaultSettings({ vaultName: keyVaultName, givenVaultId: keyVaultId }: IdentitySetKey) {
  return keyVaultId === undefined ? { keyVaultName } : { keyVaultId };
}
