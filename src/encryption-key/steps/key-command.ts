/** A command of ours on the key of an identity set, as advice. */
import { defaultVaultName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { aroHcp, type OwnCommand } from "../../errors/advice.js";

export function keyCommand(
  run: "create encryption-key" | "destroy encryption-key",
  set: IdentitySetKey,
  hsmName: string | undefined,
): OwnCommand {
  const isNamed = set.vaultName !== defaultVaultName(set);
  return aroHcp(run, {
    name: set.name,
    persistentResourceGroupName: set.groupName,
    keyVaultName: isNamed ? set.vaultName : undefined,
    managedHsmName: hsmName,
  });
}
