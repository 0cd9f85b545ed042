/** The state: everything the emulator knows, as one tree of JSON. */
import type { Application } from "./application.js";
import type { DeletedPrincipal, Person } from "./directory-objects.js";
import type { ManagedHsm } from "./managed-hsm.js";
import type { SeedSettings, SubscriptionState } from "./seed-settings.js";
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
  principalType: "ServicePrincipal" | "User" | "Group" | "ForeignGroup" | "Device";
  createdOn: string;
  /** If absent, `createdOn`. */
  updatedOn?: string;
  /** Object ID of its creator. */
  createdBy?: string;
  description?: string;
  condition?: string;
  conditionVersion?: string;
  delegatedManagedIdentityResourceId?: string;
  /** Epoch milliseconds from which it applies to ARM actions; if absent, at once. */
  actionsFrom?: number;
  /** Epoch milliseconds from which it applies to data actions, which a new assignment reaches late; if absent, at once. */
  dataFrom?: number;
}

/** A change of a member that is known only later. */
export interface Unseen<T> {
  /** The member before it; absent for a creation. */
  was?: T;
  /** Epoch milliseconds. */
  seenAt: number;
}

/** An api-version that the emulator does not know, and the known one whose shape answers it. */
export interface AnsweredVersion {
  /** "Microsoft.Network/virtualNetworks"; "vault.azure.net" for what is no resource type. */
  readonly type: string;
  readonly version: string;
  readonly answeredAs: string;
}

/** Answers follow from state, request and time. No timer holds anything, so operations continue after their client or server ended. */
export interface AzureState {
  version: 5;
  /** The seed of all samples (durations, IDs), so that the same requests replay alike. */
  seed: number;
  /** The number of IDs sampled: the next one differs. */
  samples: number;
  knobs?: SeedSettings;
  tenantId: string;
  subscriptions: {
    subscriptionId: string;
    displayName: string;
    /** If absent, that of the knob `subscriptionState`. */
    state?: SubscriptionState;
    /** Its tenant, if that is not the caller's. */
    tenantId?: string;
    /** The name of the management group that it is in, if that is not the root group. */
    managementGroup?: string;
    /** Tenants that it is delegated to (Azure Lighthouse). */
    managedByTenants?: string[];
    providers: Record<string, "Registered" | "NotRegistered" | "Registering" | "Unregistered">;
    tags?: Record<string, string>;
    /** Preview features by "namespace/name"; absent ones are not registered. */
    features?: Record<string, "Registered" | "NotRegistered" | "Pending" | "Unregistered">;
  }[];
  /** Signs Entra's access tokens (HS256, base64url). */
  tokenKey: string;
  /** Includes groups; by lower-cased ID. */
  resources: Record<string, StoredResource>;
  operations: Record<string, Operation>;
  /** The keys are lower-case IDs. */
  roleAssignments: Record<string, RoleAssignment>;
  /** The keys are lower-case application IDs. */
  applications: Record<string, Application>;
  /** Soft-deleted, with their service principals, for thirty days; by application ID too. */
  deletedApplications?: Record<string, Application>;
  /** By lower-case name, without the root group. `parent` is a name. */
  managementGroups?: Record<string, { name: string; displayName: string; parent?: string }>;
  /** By object ID, for thirty days too. */
  deletedPrincipals?: Record<string, DeletedPrincipal>;
  /** By object ID, deleted ones too. */
  people?: Record<string, Person>;
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
  /** What Resource Graph has not noticed yet: see resource-graph/unseen-changes.ts. */
  unseenChanges?: { resources: Record<string, Unseen<StoredResource>[]>; roleAssignments: Record<string, Unseen<RoleAssignment>[]> };
  /** Requests by type and api-version that were answered in the shape of another version: see answered-versions.ts. */
  answeredVersions?: Record<string, AnsweredVersion & { requests: number }>;
  /**
   * How long each write took by the emulator's own account, for benchmarks: one entry for each write, in sampled seconds,
   * before the time scale. By their number, and only the newest: see operation-log.ts.
   */
  operationLog: Record<number, OperationLogEntry>;
  /** The number of the next entry. */
  operationCount: number;
}

export interface OperationLogEntry {
  resource: string;
  verb: string;
  seconds: number;
  /** Seconds from the write of a role assignment until it applies to data actions. Only clients that need the right wait for it. */
  effectiveAfter?: number;
  /** `x-ms-request-id` of the answer: links a client's step to the operations that Azure ran for it. */
  request?: string;
}
