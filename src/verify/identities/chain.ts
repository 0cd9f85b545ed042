/** What a verification of identities is given, and what its parts hand on to each other. */
import type { SignedIn } from "../../azure/signed-in.js";
import type { InfraInput } from "../../files/infra-output.js";
import type { GivenDocument } from "../../files/given-document.js";
import type { ControlPlaneComponent, DataPlaneComponent } from "../../domain/components.js";
import type { HostedClusterKey } from "../../domain/hosted-cluster-key.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import type { CheckInstance } from "../check-instance.js";

/** Everything that is given; what is undefined was not, and what needs it is skipped. */
export interface IdentityChain {
  /** Who verifies; its tenant is the one that everything must be in. */
  readonly caller: SignedIn;
  /** Of the control plane, or of both. */
  readonly managedIdentities: GivenDocument | undefined;
  readonly dataPlaneIdentities: GivenDocument | undefined;
  readonly infra: InfraInput | undefined;
  /** As the HostedCluster has it. */
  readonly issuerUrl: string | undefined;
  /** Path of the private key that signs service-account tokens. */
  readonly signingKeyPath: string | undefined;
  /** `https://<vault>.vault.azure.net/keys/<name>/<version>`. */
  readonly encryptionKeyId: string | undefined;
  /** From how many days before its end on a certificate is warned of. */
  readonly watchExpiryDays: number;
  /** The narrower roles of the hosted control planes in place of Contributor. */
  readonly customHcpRoles: boolean;
  readonly disabledCapabilities: readonly string[];
  /** Where the control plane runs or will run. */
  readonly managementCluster: ManagementCluster | undefined;
  readonly now: () => Date;
}

export interface ManagementCluster {
  readonly kubernetes: Kubernetes;
  /** Undefined where nothing tells the cluster's name. */
  readonly hostedCluster: HostedClusterKey | undefined;
}

/** The entry of a component of the control plane, once it is known to be sound. */
export interface ControlPlaneEntry {
  readonly clientId: string;
  readonly secretName: string;
  readonly encoding: "utf-8" | "hex" | "base64";
  /** Of HyperShift's contrib scripts. */
  readonly certificateName: string | undefined;
  /** Where the file says it. */
  readonly places: Readonly<Record<"clientID" | "credentialsSecretName", string>>;
}

export interface VaultReference {
  readonly name: string;
  readonly tenantId: string;
}

/** A credential that its pods could read. Holds a private key: nothing of `pem` may be shown. */
export interface Credential {
  readonly clientId: string;
  readonly tenantId: string;
  /** Without a slash at its end: "https://login.microsoftonline.com". */
  readonly authorityHost: string;
  /** Certificates, that of the key first, then the key in PKCS#8. */
  readonly pem: string;
  /** SHA-1 of the certificate, upper-case hex. */
  readonly thumbprint: string;
  /** Of the certificate. */
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The newest version of a credential secret, without its value. */
export interface StoredSecret {
  readonly name: string;
  readonly version: string;
  readonly createdOn: Date | undefined;
}

/** What the file says of one component of the control plane; the subject of its checks is `component.key`. */
export interface ControlPlaneLink {
  readonly component: ControlPlaneComponent;
  readonly entry: CheckInstance<ControlPlaneEntry>;
}

/** The same with what its secret holds. */
export interface CredentialLink extends ControlPlaneLink {
  readonly credential: CheckInstance<Credential>;
  /** That the vault has it, and which version: what a node needs to mount it. */
  readonly stored: { readonly exists: CheckInstance; readonly read: CheckInstance<StoredSecret> };
  /** What must hold too before anybody signs in with it: to be spread into the needs. */
  readonly soundness: Readonly<Record<"identity" | "endpoint", CheckInstance>>;
}

/** What the file says of one managed identity of the data plane. */
export interface DataPlaneLink {
  readonly component: DataPlaneComponent;
  readonly clientId: CheckInstance<DataPlaneEntry>;
}

export interface DataPlaneEntry {
  readonly clientId: string;
  /** Where the file says it. */
  readonly place: string;
}
