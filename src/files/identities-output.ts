/** The documents of `create identities`: the documented combined file, and its two halves for hypershift's flags. */
import { controlPlaneFields, dataPlaneFields, type ControlPlaneField, type DataPlaneField } from "../domain/components.js";

/** An identity of the control plane, as in a HostedCluster. */
export interface ManagedIdentityEntry {
  readonly clientID: string;
  readonly credentialsSecretName: string;
  /** How the CSI driver decodes the secret before writing it to a file: the secret is text. */
  readonly objectEncoding: "utf-8";
}

/** The values known so far. Incomplete entries are omitted, so that no reader mistakes a partial entry for a complete one. */
export interface KnownIdentities {
  readonly vaultName: string;
  readonly tenantId: string;
  readonly controlPlane: Readonly<Partial<Record<ControlPlaneField | "kms", ManagedIdentityEntry>>>;
  readonly dataPlane: Readonly<Partial<Record<DataPlaneField, string>>>;
}

/** For `--managed-identities-file`. */
export function controlPlaneOutput({ vaultName, tenantId, controlPlane }: KnownIdentities) {
  return { managedIdentitiesKeyVault: { name: vaultName, tenantID: tenantId }, ...inOrder(controlPlaneFields, controlPlane) };
}

/** For `--data-plane-identities-file`. */
export function dataPlaneOutput({ dataPlane }: KnownIdentities) {
  return inOrder(dataPlaneFields, dataPlane);
}

/** Both halves, as ARO HCP documents the file. The KMS identity is at the top level: a HostedCluster has it under `secretEncryption`. */
export function identitiesOutput(known: KnownIdentities) {
  const { kms } = known.controlPlane;
  return { controlPlane: controlPlaneOutput(known), dataPlane: dataPlaneOutput(known), ...(kms && { kms }) };
}

/** Steps finish in any order; the file does not depend on it. */
function inOrder<Key extends string, Value>(
  keys: readonly Key[],
  values: Readonly<Partial<Record<Key, Value>>>,
): Partial<Record<Key, Value>> {
  const known = keys.filter((key) => values[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, values[key]])) as Partial<Record<Key, Value>>;
}
