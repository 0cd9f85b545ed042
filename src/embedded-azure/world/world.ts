/**
 * The world: everything this Azure knows, as one JSON document. Answers are computed from (world, request, now);
 * nothing lives in timers or in the memory of a process, so operations in flight go on after their client, or the door, died.
 */

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
  kind: "put" | "delete" | "action";
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
  /** Epoch milliseconds from which it counts for data actions, which a new assignment reaches late; at once where absent. */
  dataFrom?: number;
}

/** One Entra application with its service principal. */
export interface Application {
  appId: string;
  /** Object id of the application. */
  id: string;
  displayName: string;
  /** Object id of its service principal in the tenant. */
  servicePrincipalId: string;
  /** SHA-256 (hex) of each client secret: the secrets themselves are not kept. */
  secretHashes: string[];
  /** Graph application permissions granted: "Application.ReadWrite.OwnedBy", "Application.Read.All". */
  graphPermissions: string[];
  /** Epoch milliseconds of the service principal's creation: replication lag counts from here. */
  createdAt: number;
}

/** What a seed document may turn; absent is as on Azure. */
export interface Knobs {
  /** Entries on one page of a list. */
  pageSize?: number;
  /** Role assignments a subscription may hold (Azure: 4000). */
  roleAssignmentLimit?: number;
  /** Public IP addresses a subscription may hold in a region. */
  publicIpLimit?: number;
  /** Seconds (as on real Azure) until a new principal is seen by Graph and by role assignments. */
  replicationLagSeconds?: number;
  /** Seconds until a new role assignment counts for data actions (vaults, blobs); drawn from the profile where absent. */
  dataRightsLagSeconds?: number;
}

export interface World {
  version: 1;
  /** Seeds every draw (durations, ids), so that a world replays alike. */
  seed: number;
  /** How many ids were drawn: the next one differs. */
  draws: number;
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
  /** Custom roles by GUID; the built-in ones are code. */
  customRoles: Record<
    string,
    { name: string; roleName: string; actions: string[]; notActions: string[]; dataActions: string[]; assignableScopes: string[] }
  >;
  applications: Application[];
  /**
   * How long each write took by this Azure's own account, for benchmarks: one entry a write, the duration in seconds as drawn,
   * before the time scale.
   */
  ledger: { resource: string; verb: string; seconds: number }[];
}
