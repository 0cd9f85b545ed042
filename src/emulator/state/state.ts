/** The state: everything the emulator knows, as one tree of JSON. */
import type { VaultContent } from "./vault-content.js";

/** An ARM resource as stored: the envelope, with `properties` as its provider answers them. */
export interface StoredResource {
  /** As ARM answers it; the key in `AzureState.resources` is the same in lower case. */
  id: string;
  name: string;
  /** "Microsoft.Network/virtualNetworks", "Microsoft.Resources/resourceGroups". */
  type: string;
  location?: string;
  tags?: Record<string, string>;
  sku?: Record<string, unknown>;
  etag?: string;
  /** Top-level members in addition to those above: zones, kind, identity, managedBy. */
  beside?: Record<string, unknown>;
  /** Who wrote it first and last, of the types that answer it. */
  systemData?: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt?: number;
  changedAt?: number;
  properties: Record<string, unknown>;
}

/** A long-running operation. It ends at `readyAt` by the clock; the first call after that applies its effect to the state. */
export interface Operation {
  /** The last segment of its URLs; the key in `AzureState.operations`. */
  id: string;
  /** Path and query of its URLs, without the signature: `Azure-AsyncOperation` and `Location`. */
  statusPath?: string;
  resultPath?: string;
  /** Lower-case ID of its resource. */
  resource: string;
  kind: "put" | "delete";
  /** Azure's name for it in errors: "PutVirtualNetworkOperation". */
  name: string;
  /** Epoch milliseconds, of the real clock (already divided by the time scale). */
  startedAt: number;
  readyAt: number;
  /** How often it was polled: Retry-After grows with it. */
  polls: number;
  /** "Failed" and "Canceled" carry the error that the poll answers. */
  status: "InProgress" | "Succeeded" | "Failed" | "Canceled";
  /** Set from the start if a broken rule is reported only at the end (private DNS). */
  error?: { code: string; message: string; details?: unknown[] };
}

export interface RoleAssignment {
  id: string;
  name: string;
  scope: string;
  roleDefinitionId: string;
  principalId: string;
  principalType: "ServicePrincipal" | "User" | "Group";
  createdOn: string;
  /** Object ID of its creator. */
  createdBy?: string;
  description?: string;
  /** Epoch milliseconds from which it applies to ARM actions; if absent, at once. */
  actionsFrom?: number;
  /** Epoch milliseconds from which it applies to data actions, which a new assignment reaches late; if absent, at once. */
  dataFrom?: number;
}

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

/** A Kubernetes API server outside the emulator, for the kubeconfigs of all AKS clusters. */
export interface ApiServer {
  /** "https://127.0.0.1:6443" */
  server: string;
  /** Base64 of the PEM of its authority. */
  certificateAuthorityData: string;
  /** What a static credential signs in with. */
  token: string;
}

/** What a seed document can change; absent knobs behave as on Azure. */
export interface Knobs {
  /** Entries on one page of a list. */
  pageSize?: number;
  /** Role assignments a subscription may hold (Azure: 4000). */
  roleAssignmentLimit?: number;
  /** Public IP addresses a subscription may hold in a region (Azure: 1000). */
  publicIpLimit?: number;
  /** vCPUs that a subscription may use in a region, by VM family, or `cores` for all of them (Azure: 100 here). */
  coreQuotas?: Record<string, number>;
  /** Zones that offer a VM size; all of the region's if absent. */
  sizeZones?: Record<string, string[]>;
  /** VM sizes that the subscription may not have, in these zones, or nowhere in a region if the list is empty. */
  restrictedSizes?: Record<string, string[]>;
  /** Storage accounts a subscription may hold in a region (Azure: 250). */
  storageAccountLimit?: number;
  /** Record sets that a zone may hold (Azure: 10,000 in a public zone, 25,000 in a private one). */
  recordSetLimit?: number;
  /** Seconds (as on real Azure) until Graph and role assignments see a new principal. */
  replicationLagSeconds?: number;
  /** Seconds until federated credentials can be written under a new managed identity. */
  identityLagSeconds?: number;
  /** Seconds until a new role assignment applies to ARM actions (Azure: up to ten minutes, mostly none). */
  rightsLagSeconds?: number;
  /** Seconds until a new role assignment applies to data actions (vaults, blobs); if absent, sampled from the profile. */
  dataRightsLagSeconds?: number;
  /** Seconds until Entra accepts a certificate that was added to an application. */
  credentialLagSeconds?: number;
  /** Seconds for which Entra remembers a missing federated credential, even if it exists by then. */
  federationMissSeconds?: number;
  /** Directory objects, including soft-deleted ones, that a principal may own (Azure: 250 without an administrator role). */
  directoryQuota?: number;
  /** What a provider of certificates does with requests, by provider: leaves them pending, or rejects them. Others are signed. */
  certificateIssuance?: Record<string, "held" | "rejected">;
  /** GUIDs of built-in roles that this cloud does not have. */
  missingRoles?: string[];
  /** Names of storage accounts that another tenant uses. */
  takenStorageNames?: string[];
  /** Locations that do not offer a type, by type: "Microsoft.KeyVault/vaults". */
  notOffered?: Record<string, string[]>;
  /** A policy against public blobs: refuses the account, or switches its public blobs off. */
  publicBlobPolicy?: "deny" | "modify";
  /** A policy that refuses vaults without purge protection. */
  vaultPolicy?: "deny";
  /** GUIDs of the roles that a policy refuses to assign. */
  deniedRoles?: string[];
  /** What answers for every AKS cluster; if absent, a kubeconfig names a host that does not exist. */
  apiServer?: ApiServer;
  /** For every subscription; "Disabled" and "Deleted" refuse all writes. */
  subscriptionState?: "Enabled" | "Warned" | "PastDue" | "Disabled" | "Deleted";
}

/** Answers follow from state, request and time. No timer holds anything, so operations continue after their client or server ended. */
export interface AzureState {
  version: 5;
  /** The seed of all samples (durations, IDs), so that the same requests replay alike. */
  seed: number;
  /** The number of IDs sampled: the next one differs. */
  samples: number;
  knobs?: Knobs;
  tenantId: string;
  subscriptions: {
    subscriptionId: string;
    displayName: string;
    providers: Record<string, "Registered" | "NotRegistered" | "Registering">;
    /** Preview features by "namespace/name"; absent ones are not registered. */
    features?: Record<string, "Registered" | "NotRegistered" | "Pending" | "Unregistered">;
  }[];
  /** Signs Entra's access tokens (HS256, base64url). */
  tokenKey: string;
  /** Includes groups; by lower-cased ID. */
  resources: Record<string, StoredResource>;
  operations: Record<string, Operation>;
  /** By lower-cased ID. */
  roleAssignments: Record<string, RoleAssignment>;
  /** By application ID, in lower case. */
  applications: Record<string, Application>;
  /** Soft-deleted, with their service principals, for thirty days; by application ID too. */
  deletedApplications?: Record<string, Application>;
  /** Until when (epoch milliseconds) Entra remembers that a client had no matching federated credential, by client, issuer and subject. */
  federationMisses?: Record<string, number>;
  /** Values of the tag names that were defined without a resource, by "/subscriptions/{id}/tagNames/{name}". */
  definedTags?: Record<string, string[]>;
  /** Private keys (PKCS#8 PEM) of the token issuers of AKS clusters, by issuer URL; made when they are first read. */
  issuerKeys?: Record<string, string>;
  /** The content of the vaults, including deleted ones, by lower-cased name. */
  vaults?: Record<string, VaultContent>;
  /** The content of managed HSMs, by lower-cased name. */
  managedHsms?: Record<string, ManagedHsm>;
  /** Until when (epoch milliseconds) a write of federated credentials lasts, by the lower-cased ID of their identity. */
  credentialWrites?: Record<string, number>;
  /**
   * How long each write took by the emulator's own account, for benchmarks: one entry for each write, in sampled seconds,
   * before the time scale. By their number, and only the newest: see operation-log.ts.
   */
  operationLog: Record<number, OperationLogEntry>;
  /** The number of the next entry. */
  operationCount: number;
}

/** The HSM itself is a resource that a seed document describes. */
export interface ManagedHsm {
  content: VaultContent;
  /** The assignments of its own access control, apart from those of its administrators. */
  roleAssignments: LocalAssignment[];
}

export interface LocalAssignment {
  /** A UUID. */
  name: string;
  /** "/", "/keys" or "/keys/NAME". */
  scope: string;
  roleDefinitionId: string;
  principalId: string;
}

export interface OperationLogEntry {
  resource: string;
  verb: string;
  seconds: number;
  /** Of a role assignment: seconds from its write until it applies to data actions. Only clients that need the right wait for it. */
  effectiveAfter?: number;
  /** `x-ms-request-id` of the answer: links a client's step to the operations that Azure ran for it. */
  request?: string;
}
