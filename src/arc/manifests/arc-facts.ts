/** What the manifests of a connected cluster's workloads are derived from. */

export interface ArcFacts {
  readonly namespace: string;
  readonly tenantId: string;
  readonly vaultName: string;
  /** The provider's name of a cloud other than the public one: `AzureUSGovernmentCloud`. */
  readonly cloudName: string | undefined;
  /** Names of the secrets to mount. */
  readonly secrets: readonly string[];
  readonly identity: ArcIdentity;
}

/** How the pods sign in to the vault. */
export type ArcIdentity =
  | { readonly kind: "workload-identity"; readonly clientId: string; readonly serviceAccount: string }
  /** The provider reads only a client secret: it has no parameter for a certificate. */
  | { readonly kind: "service-principal"; readonly clientId: string; readonly clientSecret: string };

/** The role of the service account with which the portal lists the cluster's resources. */
export type ObservabilityRole = "cluster-reader" | "cluster-admin";

/** The names of the objects, as in Red Hat's article on ARO and Azure Arc, so that its commands work: `oc exec secret-store-pod -- ls ...`. */
export const secretClassName = "akvprovider-demo";
export const credentialSecretName = "secrets-store-creds";
export const demoPodName = "secret-store-pod";
export const driverName = "secrets-store.csi.k8s.io";

export interface ArcManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
