/** The SecretProviderClasses of a hosted control plane, as HyperShift's operators create and expect them. */
import type { ControlPlaneIdentities, ManagedIdentity } from "../../files/identity-schemas.js";
import { controlPlaneComponents, isEnabled, type ControlPlaneComponent } from "../../domain/components.js";
import { controlPlaneNamespace, type HostedClusterKey } from "../../domain/hosted-cluster-key.js";

export interface SecretProviderClassOptions {
  readonly cluster: HostedClusterKey;
  readonly controlPlane: ControlPlaneIdentities;
  /** Undefined if etcd is not encrypted with a key in a vault. */
  readonly kms: Pick<ManagedIdentity, "credentialsSecretName" | "objectEncoding"> | undefined;
  /** A component whose operator is not deployed has nothing to mount. */
  readonly disabledCapabilities: readonly string[];
  /** Client ID of the identity that reads the vault on the nodes: the AKS add-on's, not a component's. */
  readonly readerClientId: string;
}

export interface SecretProviderClass {
  readonly apiVersion: "secrets-store.csi.x-k8s.io/v1";
  readonly kind: "SecretProviderClass";
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly provider: "azure"; readonly parameters: Readonly<Record<string, string>> };
}

/** One for each given identity, in the order of the components. */
export function secretProviderClasses(options: SecretProviderClassOptions): SecretProviderClass[] {
  const { cluster, controlPlane, kms, disabledCapabilities, readerClientId } = options;
  const { managedIdentitiesKeyVault: vault } = controlPlane;
  return controlPlaneComponents
    .filter((component) => isEnabled(component, disabledCapabilities))
    .flatMap((component) => {
      const { field } = component;
      const identity = field === "kms" ? kms : controlPlane[field];
      return identity === undefined ? [] : secretProviderClass({ cluster, vault, component, identity, readerClientId });
    });
}

interface SecretProviderClassOf {
  readonly cluster: HostedClusterKey;
  readonly vault: ControlPlaneIdentities["managedIdentitiesKeyVault"];
  readonly component: Pick<ControlPlaneComponent, "secretProviderClass">;
  readonly identity: Pick<ManagedIdentity, "credentialsSecretName" | "objectEncoding">;
  readonly readerClientId: string;
}

/** Contains only what HyperShift sets. */
export function secretProviderClass({ cluster, vault, component, identity, readerClientId }: SecretProviderClassOf): SecretProviderClass {
  return {
    apiVersion: "secrets-store.csi.x-k8s.io/v1",
    kind: "SecretProviderClass",
    metadata: { name: component.secretProviderClass, namespace: controlPlaneNamespace(cluster) },
    spec: {
      provider: "azure",
      parameters: {
        usePodIdentity: "false",
        useVMManagedIdentity: "true",
        userAssignedIdentityID: readerClientId,
        keyvaultName: vault.name,
        tenantId: vault.tenantID,
        objects: objects(identity),
      },
    },
  };
}

/** One secret as YAML in the YAML, byte for byte as HyperShift's `support/secretproviderclass` writes it, so operators see no change. */
function objects({ credentialsSecretName, objectEncoding }: Pick<ManagedIdentity, "credentialsSecretName" | "objectEncoding">): string {
  return `
array:
  - |
    objectName: ${credentialsSecretName}
    objectEncoding: ${objectEncoding}
    objectType: secret
`;
}
