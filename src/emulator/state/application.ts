/** An Entra application in the state, with its credentials. */

/** A certificate that an application may sign with. */
export interface KeyCredential {
  keyId: string;
  displayName: string | null;
  /** Thumbprint (SHA-1) of the certificate, upper-case hex, if the client sent none. */
  customKeyIdentifier: string;
  /** RFC 3339. */
  startDateTime: string;
  endDateTime: string;
  /** Base64 of the certificate's DER. */
  key: string;
  /** Epoch milliseconds: Entra accepts a new one only some time later. */
  addedAt: number;
}

export interface PasswordCredential {
  keyId: string;
  displayName: string | null;
  /** The first three characters. */
  hint: string;
  startDateTime: string;
  endDateTime: string;
  /** SHA-256 (hex): the secret itself is not stored. */
  hash: string;
}

/** A token issuer that is trusted to speak for an application. */
export interface FederatedCredential {
  id: string;
  name: string;
  description: string | null;
  issuer: string;
  subject: string;
  audiences: string[];
  createdAt: number;
}

/** An Entra application, with its service principal if it has one. */
export interface Application {
  appId: string;
  /** Object ID of the application. */
  id: string;
  displayName: string;
  /** Client-given key, immutable: unique among all applications, including the deleted ones. */
  uniqueName?: string;
  /** Object ID of its service principal in the tenant. */
  servicePrincipalId?: string;
  /** The service principal's own properties; absent if a seed created it. */
  servicePrincipal?: {
    createdAt: number;
    displayName?: string;
    tags: string[];
    owners: string[];
    disabled?: true;
    /** With them, one signs in as the application too. */
    passwordCredentials?: PasswordCredential[];
  };
  /** SHA-256 (hex) of each client secret in a seed: the secrets themselves are not stored. */
  secretHashes: string[];
  passwordCredentials?: PasswordCredential[];
  keyCredentials?: KeyCredential[];
  federatedCredentials?: FederatedCredential[];
  tags?: string[];
  /** Object IDs of the principals that own it. */
  owners?: string[];
  /** Properties that are stored and answered as sent. */
  beside?: Record<string, unknown>;
  /** Graph application permissions granted: "Application.ReadWrite.OwnedBy", "Application.Read.All". */
  graphPermissions: string[];
  /** Epoch milliseconds: replication lag counts from here. */
  createdAt: number;
  /** Epoch milliseconds, in `AzureState.deletedApplications` only. */
  deletedAt?: number;
}
