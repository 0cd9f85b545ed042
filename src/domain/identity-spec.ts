/** The desired state of `create identities`: validated settings in the terms of Azure. */
import type { ControlPlaneComponent } from "./components.js";
import type { ObjectEncoding } from "./credential-secret.js";
import type { PurgeProtection } from "./purge-protection.js";

/** The key of an identity set, which is enough to find all of its resources. */
export interface IdentitySetKey {
  readonly name: string;
  readonly subscriptionId: string;
  /** The group of the managed identities and of the set's own vault, which outlives clusters. */
  readonly groupName: string;
  readonly vaultName: string;
  /** The vault of `--key-vault-id`, which somebody else has prepared: used, and never changed. Undefined: the set has its own. */
  readonly givenVaultId?: string | undefined;
}

export interface CertificateOptions {
  /** Bits of the RSA key. */
  readonly keySize: number;
  readonly validityMonths: number;
}

export const defaultCertificates: CertificateOptions = { keySize: 2048, validityMonths: 12 };

export interface IdentitySpec {
  readonly key: IdentitySetKey;
  readonly tenantId: string;
  readonly location: string;
  readonly components: readonly ControlPlaneComponent[];
  readonly certificates: CertificateOptions;
  readonly purgeProtection: PurgeProtection;
  /** The encoding of the credential secrets; undefined keeps that of each existing secret, and is UTF-8 for a new one. */
  readonly objectEncoding: ObjectEncoding | undefined;
  /** Object ID of the principal that mounts the secrets in the management cluster; undefined if not specified yet. */
  readonly readerObjectId: string | undefined;
  /** `iss` of the guest cluster's service-account tokens. */
  readonly issuerUrl: string;
}
