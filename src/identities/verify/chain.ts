/** The inputs of a verification of identities, and values that its checks pass to each other. */
import type { SignedIn } from "../../azure/signed-in.js";
import type { InfraInput } from "../../files/infra-output.js";
import type { GivenDocument } from "../../files/given-document.js";
import type { HostedClusterKey } from "../../domain/hosted-cluster-key.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";

/** The inputs; checks that need an undefined input are skipped. */
export interface IdentityChain {
  /** The signed-in principal; everything must be in its tenant. */
  readonly caller: SignedIn;
  /** The file of the control plane, or of both planes. */
  readonly managedIdentities: GivenDocument | undefined;
  readonly dataPlaneIdentities: GivenDocument | undefined;
  readonly infra: InfraInput | undefined;
  /** The issuer URL in the HostedCluster. */
  readonly issuerUrl: string | undefined;
  /** Path of the private key that signs service-account tokens. */
  readonly signingKeyPath: string | undefined;
  /** `https://<vault>.vault.azure.net/keys/<name>/<version>`. */
  readonly encryptionKeyId: string | undefined;
  /** The version before a rotation, which etcd may still be encrypted with. */
  readonly backupKeyId?: string | undefined;
  /** Warn about a certificate this many days before it expires. */
  readonly watchExpiryDays: number;
  /** Use the narrower hosted control plane roles instead of Contributor. */
  readonly customHcpRoles: boolean;
  readonly disabledCapabilities: readonly string[];
  /** The cluster where the control plane runs or will run. */
  readonly managementCluster: ManagementCluster | undefined;
  /** The output file of create management-cluster. */
  readonly clusterFile?: ClusterFile | undefined;
  readonly now: () => Date;
}

/** The AKS cluster and its add-on's identity, as the file has them. */
export interface ClusterFile {
  readonly path: string;
  readonly clusterId: string;
  readonly addOn: { readonly clientId: string; readonly objectId: string };
}

export interface ManagementCluster {
  readonly kubernetes: Kubernetes;
  /** Undefined if the cluster's name is unknown. */
  readonly hostedCluster: HostedClusterKey | undefined;
}

/** The validated entry of a control plane component. */
export interface ControlPlaneEntry {
  readonly clientId: string;
  readonly secretName: string;
  readonly encoding: "utf-8" | "hex" | "base64";
  /** Set only in files of HyperShift's contrib scripts. */
  readonly certificateName: string | undefined;
  /** `file:line` of the value. */
  readonly places: Readonly<Record<"clientID" | "credentialsSecretName", string>>;
}

export interface VaultReference {
  readonly name: string;
  readonly tenantId: string;
}

/** A credential that the pods can read. Contains a private key: never show `pem`. */
export interface Credential {
  readonly clientId: string;
  readonly tenantId: string;
  /** The host has no trailing slash: "https://login.microsoftonline.com". */
  readonly authorityHost: string;
  /** The certificates, that of the key first, then the key in PKCS#8. */
  readonly pem: string;
  /** SHA-1 of the certificate, upper-case hex. */
  readonly thumbprint: string;
  /** The validity of the certificate. */
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The newest version of a credential secret, without its value. */
export interface StoredSecret {
  readonly name: string;
  readonly version: string;
  readonly createdOn: Date | undefined;
}

/** The validated client ID of a managed identity. */
export interface DataPlaneEntry {
  readonly clientId: string;
  /** `file:line` of the value. */
  readonly place: string;
}
