/** The content of a key vault: secrets, certificates and keys, with private keys. */

/** Times of attributes are epoch seconds, as the vault answers them. */
export interface VersionAttributes {
  enabled: boolean;
  nbf?: number;
  exp?: number;
  created: number;
  updated: number;
}

export interface SecretVersion {
  /** 32 hexadecimal digits. */
  version: string;
  value: string;
  contentType?: string;
  tags?: Record<string, string>;
  attributes: VersionAttributes;
}

/** Set while an object is soft-deleted. Epoch milliseconds, of the real clock. */
export interface SoftDeletion {
  at: number;
  /** Until then, it can be neither recovered nor purged, and deleted lists do not contain it. */
  busyUntil: number;
}

export interface VaultSecret {
  name: string;
  /** Oldest first; the last is the current one. */
  versions: SecretVersion[];
  /** Belongs to the certificate with the same name, and shares its versions. */
  managed?: true;
  deleted?: SoftDeletion;
}

export interface CertificateVersion {
  version: string;
  /** DER, base64. */
  cer: string;
  /** SHA-1 of the DER, base64url. */
  x5t: string;
  /** PKCS#8 PEM. */
  key: string;
  tags?: Record<string, string>;
  attributes: VersionAttributes;
}

/** Who signs for an issuer. PEM. */
export interface CertificateAuthority {
  certificate: string;
  key: string;
}

/** An account with a certification authority. Its password is not stored. */
export interface CertificateIssuer {
  name: string;
  provider: string;
  accountId?: string;
  /** As sent. */
  organization?: Record<string, unknown>;
  attributes: Pick<VersionAttributes, "enabled" | "created" | "updated">;
  authority: CertificateAuthority;
}

/** What a version in creation will be. Only its signature is missing. */
export interface CertificateOrder {
  /** Epoch milliseconds: when it was ordered. */
  at: number;
  /** The version of the certificate and of its secret. */
  version: string;
  tags?: Record<string, string>;
  attributes: VersionAttributes;
  /** As answered. */
  policy: Record<string, unknown>;
  /** PKCS#8 PEM: a new one, or that of the previous version. */
  key: string;
  /** Somebody else signs it, and then merges the certificate into its order. */
  isMerged?: true;
  /** Who signs it; absent if the vault itself does. */
  authority?: CertificateAuthority;
  /** Why the authority does not sign it. */
  rejected?: string;
}

/** The content of a certificate and of its secret, or why there is none. */
export type MadeCertificate = (Pick<CertificateVersion, "cer" | "x5t" | "key"> & { readonly secret: string }) | { readonly failed: string };

/** A version in creation. */
export interface PendingCertificate {
  requestId: string;
  /** Epoch milliseconds, of the real clock. */
  readyAt: number;
  /** Until the version exists. */
  order?: CertificateOrder;
  /** DER, base64: what an issuer would be sent. */
  csr: string;
  cancellationRequested?: true;
  cancelled?: true;
  failed?: string;
}

export interface VaultCertificate {
  name: string;
  /** As answered, without its ID. */
  policy: Record<string, unknown>;
  /** Oldest first; none while the first is pending. */
  versions: CertificateVersion[];
  pending?: PendingCertificate;
  deleted?: SoftDeletion;
}

export interface KeyVersion {
  version: string;
  kty: "EC" | "EC-HSM" | "RSA" | "RSA-HSM";
  /** Bits of an RSA key. */
  size?: number;
  /** The curve of an elliptic key, as the vault names it: "P-256". */
  curve?: string;
  ops: string[];
  /** PKCS#8 PEM. Absent for a key of Resource Manager until the vault first uses it. */
  key?: string;
  tags?: Record<string, string>;
  attributes: VersionAttributes;
}

/** When it is rotated, or its owner notified. Times are epoch seconds. */
export interface KeyRotation {
  lifetimeActions: {
    trigger: { timeAfterCreate?: string | undefined; timeBeforeExpiry?: string | undefined };
    action: { type: "rotate" | "notify" };
  }[];
  attributes: { expiryTime?: string; created: number; updated: number };
}

export interface VaultKey {
  name: string;
  /** Absent for the default. */
  rotation?: KeyRotation;
  /** Oldest first; the last is the current one. */
  versions: KeyVersion[];
  deleted?: SoftDeletion;
}

export interface VaultContent {
  /** The keys are lower-case names. */
  secrets: Record<string, VaultSecret>;
  certificates: Record<string, VaultCertificate>;
  /** Absent until the vault has one. */
  issuers?: Record<string, CertificateIssuer>;
  /** Those that do not belong to certificates; absent until the vault has or is asked for one. */
  keys?: Record<string, VaultKey>;
}
