/** What a key vault holds: secrets, and certificates, each of which owns the secret of its name. Private keys live here and nowhere else. */

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

/** Set while an object is deleted softly. Epoch milliseconds, of the real clock. */
export interface SoftDeletion {
  at: number;
  /** Until then it can neither be recovered nor purged, nor found among the deleted. */
  busyUntil: number;
}

export interface VaultSecret {
  name: string;
  /** Oldest first; the last is the current one. */
  versions: SecretVersion[];
  /** Belongs to the certificate of the same name, and shares its versions. */
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

/** A version that is being made. Everything about it is settled at the start, only not yet to be seen. */
export interface PendingCertificate {
  requestId: string;
  /** Epoch milliseconds, of the real clock. */
  readyAt: number;
  /** The certificate and its key, until they are taken over; absent once the version is there. */
  made?: { certificate: CertificateVersion; secret: SecretVersion };
  cancellationRequested?: true;
  cancelled?: true;
}

export interface VaultCertificate {
  name: string;
  /** As answered, without its id. */
  policy: Record<string, unknown>;
  /** Oldest first; none while the first is pending. */
  versions: CertificateVersion[];
  pending?: PendingCertificate;
  deleted?: SoftDeletion;
}

export interface VaultContent {
  /** By lower-cased name. */
  secrets: Record<string, VaultSecret>;
  certificates: Record<string, VaultCertificate>;
}
