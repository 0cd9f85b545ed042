/** What is wanted: everything `create identities` is asked for, checked, in the terms of Azure. */
import type { ControlPlaneComponent } from "./components.js";

/** Which set of identities: enough to find all that belongs to it. */
export interface IdentitySetKey {
  readonly name: string;
  readonly subscriptionId: string;
  /** The group that holds vault and managed identities, and outlives clusters. */
  readonly groupName: string;
  readonly vaultName: string;
}

export interface CertificateOptions {
  /** Bits of the RSA key. */
  readonly keySize: number;
  readonly validityMonths: number;
}

export interface IdentitySpec {
  readonly key: IdentitySetKey;
  readonly tenantId: string;
  readonly location: string;
  readonly components: readonly ControlPlaneComponent[];
  readonly certificates: CertificateOptions;
  /** Who mounts the secrets in the management cluster: object id; undefined where that is not told yet. */
  readonly readerObjectId: string | undefined;
  /** `iss` of the guest cluster's service-account tokens. */
  readonly issuerUrl: string;
}
