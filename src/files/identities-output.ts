/** The documents of `create identities`: the documented combined file, and its two halves as hypershift's flags read them. */
import { controlPlaneFields, dataPlaneFields, type ControlPlaneField, type DataPlaneField } from "../domain/components.js";

/** An identity of the control plane, as a HostedCluster names it. */
export interface ManagedIdentityEntry {
  readonly clientID: string;
  readonly credentialsSecretName: string;
  /** How the CSI driver decodes the secret before it writes it to a file: it is text. */
  readonly objectEncoding: "utf-8";
}

/** What is known so far; what is not yet made is left out, so that no reader takes half of it for the whole. */
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

/** Both, as ARO HCP documents it. The KMS identity stands beside them: a HostedCluster has it under `secretEncryption`. */
export function identitiesOutput(known: KnownIdentities) {
  const { kms } = known.controlPlane;
  return { controlPlane: controlPlaneOutput(known), dataPlane: dataPlaneOutput(known), ...(kms && { kms }) };
}

/** Steps end in any order; the file is the same whatever that was. */
function inOrder<Key extends string, Value>(
  keys: readonly Key[],
  values: Readonly<Partial<Record<Key, Value>>>,
): Partial<Record<Key, Value>> {
  const known = keys.filter((key) => values[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, values[key]])) as Partial<Record<Key, Value>>;
}
