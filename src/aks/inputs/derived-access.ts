/** Who has access to what through an existing AKS cluster, read from its role assignments. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import { parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { acrPull, secretsUser, type Role } from "../../domain/roles.js";
import { assignmentsOfPrincipal } from "../../removal/assignments.js";
import { sameText } from "../../text/same-text.js";
import { isProven } from "../removal/aks-assignments.js";

/** The vaults that the secrets provider reads, the registries that the nodes pull from, and the groups of administrators. */
export async function accessOptions(
  azure: Azure,
  { addonProfiles, identityProfile, aadProfile }: ManagedCluster,
): Promise<Readonly<Record<string, unknown>>> {
  const scopesOf = async (principal: string | undefined, role: Role, type: string): Promise<string[]> => {
    const listed = principal && (await orRefused(assignmentsOfPrincipal(azure, azure.connection.subscriptionId, principal)));
    const own = (listed || []).filter((one) => isProven(one) && sameText(one.roleDefinitionId?.split("/").at(-1), role.id));
    return own.flatMap(({ scope = "" }) => (sameType(parseResourceId(scope).type, type) ? [scope] : []));
  };
  const [keyVaultId, registryId] = await Promise.all([
    scopesOf(addonProfiles?.["azureKeyvaultSecretsProvider"]?.identity?.objectId, secretsUser, resourceTypes.keyVault.type),
    scopesOf(identityProfile?.["kubeletidentity"]?.objectId, acrPull, resourceTypes.containerRegistry.type),
  ]);
  return { keyVaultId, registryId, adminGroupId: aadProfile?.adminGroupObjectIDs ?? [] };
}
