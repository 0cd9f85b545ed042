/**
 * The world: everything this Azure knows, as one JSON document. Answers are computed from (world, request, now);
 * nothing lives in timers or in the memory of a process, so operations in flight go on after their client, or the door, died.
 */
import type { VaultContent } from "./vault-content.js";

/** An ARM resource as it is stored: the envelope, with `properties` as its provider answers them. */
export interface StoredResource {
  /** As ARM answers it; the key in `World.resources` is the same in lower case. */
  id: string;
  name: string;
  /** "Microsoft.Network/virtualNetworks", "Microsoft.Resources/resourceGroups". */
  type: string;
  location?: string;
  tags?: Record<string, string>;
  sku?: Record<string, unknown>;
  etag?: string;
  /** Top-level members beside those above: zones, kind, identity, managedBy. */
  beside?: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt?: number;
  changedAt?: number;
  properties: Record<string, unknown>;
}

/** A long-running operation. It ends at `readyAt` by the clock; the first call after that settles its effect on the world. */
export interface Operation {
  /** The last segment of its URLs; the key in `World.operations`. */
  id: string;
  /** Path and query of its URLs, without the signature: `Azure-AsyncOperation` and `Location`. */
  statusPath?: string;
  resultPath?: string;
  /** Lower-case id of the resource it works on. */
  resource: string;
  kind: "put" | "delete";
  /** Name as Azure gives it in errors: "PutVirtualNetworkOperation". */
  name: string;
  /** Epoch milliseconds, of the real clock (already divided by the time scale). */
  startedAt: number;
  readyAt: number;
  /** How often it was polled: Retry-After grows with it. */
  polls: number;
  /** "Failed" and "Canceled" carry the error that the poll answers. */
  status: "InProgress" | "Succeeded" | "Failed" | "Canceled";
  /** Set from the start where a broken rule is told only at the end (private DNS). */
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
  /** Object id of who made it. */
  createdBy?: string;
  description?: string;
  /** Epoch milliseconds from which it counts for actions of ARM; at once where absent. */
  actionsFrom?: number;
  /** Epoch milliseconds from which it counts for data actions, which a new assignment reaches late; at once where absent. */
  dataFrom?: number;
}

/** A certificate that an application may sign with. */
export interface KeyCredential {
  keyId: string;
  displayName: string | null;
  /** Thumbprint (SHA-1) of the certificate, upper-case hex, where the client sent none. */
  customKeyIdentifier: string;
  /** RFC 3339. */
  startDateTime: string;
  endDateTime: string;
  /** Base64 of the certificate's DER. */
  key: string;
  /** Epoch milliseconds: Entra takes a new one only some time later. */
  addedAt: number;
}

export interface PasswordCredential {
  keyId: string;
  displayName: string | null;
  /** The first three characters. */
  hint: string;
  startDateTime: string;
  endDateTime: string;
  /** SHA-256 (hex): the secret itself is not kept. */
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

/** One Entra application, with its service principal where it has one. */
export interface Application {
  appId: string;
  /** Object id of the application. */
  id: string;
  displayName: string;
  /** Client-given key, for ever: unique among all, the deleted ones included. */
  uniqueName?: string;
  /** Object id of its service principal in the tenant. */
  servicePrincipalId?: string;
  /** What the service principal has of its own; absent for one that a seed made. */
  servicePrincipal?: { createdAt: number; displayName?: string; tags: string[]; owners: string[]; disabled?: true };
  /** SHA-256 (hex) of each client secret that a seed gave: the secrets themselves are not kept. */
  secretHashes: string[];
  passwordCredentials?: PasswordCredential[];
  keyCredentials?: KeyCredential[];
  federatedCredentials?: FederatedCredential[];
  tags?: string[];
  /** Object ids of the principals that own it. */
  owners?: string[];
  /** Properties that are kept and answered as they were sent. */
  beside?: Record<string, unknown>;
  /** Graph application permissions granted: "Application.ReadWrite.OwnedBy", "Application.Read.All". */
  graphPermissions: string[];
  /** Epoch milliseconds: replication lag counts from here. */
  createdAt: number;
  /** Epoch milliseconds, in `World.deletedApplications` only. */
  deletedAt?: number;
}

/** What a seed document may turn; absent is as on Azure. */
export interface Knobs {
  /** Entries on one page of a list. */
  pageSize?: number;
  /** Role assignments a subscription may hold (Azure: 4000). */
  roleAssignmentLimit?: number;
  /** Public IP addresses a subscription may hold in a region (Azure: 1000). */
  publicIpLimit?: number;
  /** Storage accounts a subscription may hold in a region (Azure: 250). */
  storageAccountLimit?: number;
  /** Seconds (as on real Azure) until a new principal is seen by Graph and by role assignments. */
  replicationLagSeconds?: number;
  /** Seconds until federated credentials can be written under a new managed identity. */
  identityLagSeconds?: number;
  /** Seconds until a new role assignment counts for actions of ARM (Azure: up to ten minutes, mostly none). */
  rightsLagSeconds?: number;
  /** Seconds until a new role assignment counts for data actions (vaults, blobs); drawn from the profile where absent. */
  dataRightsLagSeconds?: number;
  /** Seconds until Entra takes a certificate that was added to an application. */
  credentialLagSeconds?: number;
  /** Seconds for which Entra remembers that it found no federated credential, though there is one by then. */
  federationMissSeconds?: number;
  /** Directory objects, soft-deleted ones included, that a principal may own (Azure: 250 for one that is no administrator). */
  directoryQuota?: number;
  /** GUIDs of built-in roles that this cloud does not have. */
  missingRoles?: string[];
  /** Names of storage accounts that somebody else, in another tenant, has. */
  takenStorageNames?: string[];
  /** Locations that do not have a type, by type: "Microsoft.KeyVault/vaults". */
  notOffered?: Record<string, string[]>;
  /** A policy against public blobs: refuses the account, or switches public blobs off in it. */
  publicBlobPolicy?: "deny" | "modify";
  /** Of every subscription; "Disabled" and "Deleted" refuse all writes. */
  subscriptionState?: "Enabled" | "Warned" | "PastDue" | "Disabled" | "Deleted";
}

export interface AzureState {
  version: 2;
  /** Seeds every draw (durations, ids), so that a world replays alike. */
  seed: number;
  /** How many ids were drawn: the next one differs. */
  samples: number;
  knobs?: Knobs;
  tenantId: string;
  subscriptions: {
    subscriptionId: string;
    displayName: string;
    providers: Record<string, "Registered" | "NotRegistered" | "Registering">;
  }[];
  /** Signs this Entra's access tokens (HS256, base64url). */
  tokenKey: string;
  /** Groups too, by lower-cased id. */
  resources: Record<string, StoredResource>;
  operations: Record<string, Operation>;
  /** By lower-cased id. */
  roleAssignments: Record<string, RoleAssignment>;
  applications: Application[];
  /** Soft-deleted, with their service principals, for thirty days. */
  deletedApplications?: Application[];
  /** Until when (epoch milliseconds) Entra remembers that a client had no matching federated credential, by client, issuer and subject. */
  federationMisses?: Record<string, number>;
  /** What is in the vaults, deleted ones included, by lower-cased name. */
  vaults?: Record<string, VaultContent>;
  /** Until when (epoch milliseconds) a write of federated credentials lasts, by the lower-cased id of their identity. */
  credentialWrites?: Record<string, number>;
  /**
   * How long each write took by this Azure's own account, for benchmarks: one entry a write, the duration in seconds as drawn,
   * before the time scale.
   */
  operationLog: OperationLogEntry[];
}

export interface OperationLogEntry {
  resource: string;
  verb: string;
  seconds: number;
  /** Of a role assignment: seconds from its write until it counts for data actions. Nobody but who waits for the right waits for it. */
  effectiveAfter?: number;
  /** `x-ms-request-id` of the answer: who knows which step sent it knows what Azure did for the step. */
  request?: string;
}
