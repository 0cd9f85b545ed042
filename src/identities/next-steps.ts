/** What to do after the create of an identity set. The commands work as printed; only secrets and versions are left open. */
import { advise, aroHcp, type Advice } from "../errors/advice.js";
import type { Settings } from "../settings/settings.js";

export function afterCreateIdentities(settings: Settings<"create identities">): Advice[] {
  const { name, identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName, oidcIssuerUrl, outputFile: file } = settings;
  const { returnOwnRoles } = settings;
  const set = { name, identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName };
  const files = { managedIdentitiesFile: file, dataPlaneIdentitiesFile: file, oidcIssuerUrl };
  return [
    ...(file === undefined || returnOwnRoles ? [] : [advise`check them: ${aroHcp("verify identities", files)}`]),
    advise`destroy them: ${aroHcp("destroy identities", { ...set, identitiesJson: returnOwnRoles ? file : undefined })}`,
  ];
}
