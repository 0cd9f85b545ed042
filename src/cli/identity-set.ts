/** From settings to which set of identities is meant, and who asks: shared by every command about identities. */
import type { Azure } from "../azure/azure.js";
import { defaultVaultName } from "../infra/identity-names.js";
import type { IdentitySetKey } from "../infra/identity-spec.js";

export interface IdentitySetSettings {
  readonly name: string;
  readonly persistentResourceGroupName: string;
  readonly keyVaultName: string | undefined;
}

export function identitySetKey({ name, persistentResourceGroupName, keyVaultName }: IdentitySetSettings, azure: Azure): IdentitySetKey {
  const key = { name, groupName: persistentResourceGroupName, subscriptionId: azure.connection.subscriptionId };
  return { ...key, vaultName: keyVaultName ?? defaultVaultName(key) };
}
