/** A command of ours on the key of an identity set, as advice. */
import { vaultSettings } from "../../domain/given-vault.js";
import { defaultVaultName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { aroHcp, type OwnCommand } from "../../errors/advice.js";

export function keyCommand(
  run: "create encryption-key" | "destroy encryption-key",
  set: IdentitySetKey,
  hsmName: string | undefined,
): OwnCommand {
  const isDefault = set.givenVaultId === undefined && set.vaultName === defaultVaultName(set);
  return aroHcp(run, {
    identitiesName: set.name,
    persistentResourceGroupName: set.groupName,
    ...(isDefault ? {} : vaultSettings(set)),
    managedHsmName: hsmName,
  });
}
