/** From settings to which set of identities is meant, and who asks: shared by every command about identities. */
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { Failure } from "../../errors/failure.js";
import { defaultVaultName } from "../../domain/identity-names.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { controlPlaneComponents } from "../../domain/components.js";
import type { IdentitySetKey, IdentitySpec } from "../../domain/identity-spec.js";

export interface IdentitySetSettings {
  readonly name: string;
  readonly persistentResourceGroupName: string;
  readonly keyVaultName: string | undefined;
}

export function identitySetKey({ name, persistentResourceGroupName, keyVaultName }: IdentitySetSettings, azure: Azure): IdentitySetKey {
  const key = { name, groupName: persistentResourceGroupName, subscriptionId: azure.connection.subscriptionId };
  return { ...key, vaultName: keyVaultName ?? defaultVaultName(key) };
}

export interface IdentitySpecSettings extends IdentitySetSettings {
  readonly location: string;
  readonly enableKms: boolean;
  readonly keySize: string;
  readonly validityMonths: number;
  readonly keyVaultReaderObjectId: string | undefined;
  readonly oidcIssuerUrl: string;
}

export function identitySpec(settings: IdentitySpecSettings, azure: Azure, { tenantId }: SignedIn): IdentitySpec {
  return {
    key: identitySetKey(settings, azure),
    tenantId,
    location: settings.location,
    components: controlPlaneComponents.filter(({ field }) => field !== "kms" || settings.enableKms),
    certificates: { keySize: Number(settings.keySize), validityMonths: settings.validityMonths },
    readerObjectId: settings.keyVaultReaderObjectId,
    issuerUrl: settings.oidcIssuerUrl,
  };
}

/** A client id is soon given for an object id, and Azure would take it: the role would be nobody's. */
export async function readerProblems(azure: Azure, objectId: string | undefined): Promise<Failure[]> {
  if (objectId === undefined) return [];
  const directory = await azure.directory();
  const [mistaken] = await directory.servicePrincipals([objectId]).catch((error: unknown) => {
    // Who may not look anybody up is not told, and may be right.
    if (azureCodeOf(error) === "Authorization_RequestDenied") return [];
    throw error;
  });
  if (mistaken === undefined) return [];
  return [
    new Failure("ARO-USAGE-001", `${objectId} is the client id of ${mistaken.displayName ?? "a service principal"}, not an object id`, {
      because: "--key-vault-reader-object-id names it",
      next: [`pass the object id of its service principal: ${mistaken.id}`],
    }),
  ];
}

/** The group of vault and identities: shared by clusters, so its name has nothing of an infra id. */
export function persistentGroupOf({ name, persistentResourceGroupName }: PersistentGroupSettings): string {
  return persistentResourceGroupName ?? `${name}-common`;
}

interface PersistentGroupSettings {
  readonly name: string;
  readonly persistentResourceGroupName: string | undefined;
}
