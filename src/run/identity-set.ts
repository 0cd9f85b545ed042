/** Converts settings to the identity set and the signed-in principal, for every command about identities. */
import type { Azure } from "../azure/azure.js";
import { defaultVaultName, persistentGroupName } from "../domain/identity-names.js";
import type { SignedIn } from "../azure/signed-in.js";
import { controlPlaneComponents } from "../domain/components.js";
import type { ObjectEncoding } from "../domain/credential-secret.js";
import type { IdentitySetKey, IdentitySpec } from "../domain/identity-spec.js";
import type { PurgeProtection } from "../domain/purge-protection.js";
import { parseResourceId } from "../domain/resource-id.js";
import { Failure } from "../errors/failure.js";
import { otherSubscription } from "../settings/network-checks.js";

export interface IdentitySetSettings {
  readonly name: string;
  readonly persistentResourceGroupName: string;
  readonly keyVaultName: string | undefined;
  readonly keyVaultId: string | undefined;
}

/** @throws ARO-USAGE-001 if the vault is in another subscription */
export function identitySetKey(
  { name, persistentResourceGroupName, keyVaultName, keyVaultId }: IdentitySetSettings,
  azure: Azure,
): IdentitySetKey {
  const { subscriptionId } = azure.connection;
  const key = { name, groupName: persistentResourceGroupName, subscriptionId };
  if (keyVaultId === undefined) return { ...key, vaultName: keyVaultName ?? defaultVaultName(key) };
  const id = parseResourceId(keyVaultId);
  // The subscription may be in the credentials file.
  const wrong = otherSubscription(id, subscriptionId);
  if (wrong !== undefined) throw new Failure("ARO-USAGE-001", `--key-vault-id ${wrong}, the subscription of the identity set`);
  return { ...key, vaultName: id.name, givenVaultId: keyVaultId };
}

export interface IdentitySpecSettings extends IdentitySetSettings {
  readonly location: string;
  readonly enableKms: boolean;
  readonly purgeProtection: PurgeProtection;
  readonly keySize: string;
  readonly validityMonths: number;
  readonly objectEncoding?: ObjectEncoding | undefined;
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
    purgeProtection: settings.purgeProtection,
    objectEncoding: settings.objectEncoding,
    readerObjectId: settings.keyVaultReaderObjectId,
    issuerUrl: settings.oidcIssuerUrl,
  };
}

/** The settings of the set and of its issuer: their name is the set's, which is the cluster's by default. */
export function ofIdentitySet<S extends { readonly name: string | undefined; readonly identitiesName: string | undefined }>(
  settings: S,
): S {
  return { ...settings, name: settings.identitiesName ?? settings.name };
}

/** The settings of a command about a set alone. */
export function settingsOfSet<S extends { readonly identitiesName: string; readonly persistentResourceGroupName: string | undefined }>(
  settings: S,
): S & { readonly name: string; readonly persistentResourceGroupName: string } {
  return inPersistentGroup({ ...settings, name: settings.identitiesName });
}

export function persistentGroupOf({ name, persistentResourceGroupName }: PersistentGroupSettings): string {
  return persistentResourceGroupName ?? persistentGroupName(name);
}

export function inPersistentGroup<S extends PersistentGroupSettings>(settings: S): S & { readonly persistentResourceGroupName: string } {
  return { ...settings, persistentResourceGroupName: persistentGroupOf(settings) };
}

interface PersistentGroupSettings {
  readonly name: string;
  readonly persistentResourceGroupName: string | undefined;
}
