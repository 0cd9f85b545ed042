/** A picture of a world: all that is in it, sorted, without what differs between two worlds in which the same was done. */
import { snapshotOfVault } from "./vault-snapshot.js";
import type { Application, AzureState } from "./state.js";

/** What `local status` shows. Ids are in lower case, as keys; no secret is in it. */
export interface StateSnapshot {
  readonly resources: Readonly<Record<string, unknown>>;
  readonly roleAssignments: Readonly<Record<string, unknown>>;
  /** By application id. */
  readonly applications: Readonly<Record<string, unknown>>;
  /** Soft-deleted, by application id; absent where there is none. */
  readonly deletedApplications?: Readonly<Record<string, unknown>>;
  /** What is in the vaults, deleted ones included, by the vault's name; absent where there is no vault. */
  readonly vaults?: Readonly<Record<string, unknown>>;
  /** In flight, by the id of the resource they work on. */
  readonly operations: readonly { readonly resource: string; readonly kind: string; readonly name: string }[];
  /** One entry a write: how long it took by this Azure's own account. Present where asked for. */
  readonly operationLog?: AzureState["operationLog"];
}

/** New at every write, or by the clock. */
const volatileKeys = new Set([
  "etag",
  "resourceGuid",
  "createdTime",
  "changedTime",
  "changedAt",
  "createdOn",
  "updatedOn",
  "createdAt",
  "lastModifiedAt",
  "actionsFrom",
  "dataFrom",
  "contentFile",
  "blockId",
  "tierChangedAt",
  "deletionDate",
  "scheduledPurgeDate",
]);

/** `now` in epoch milliseconds: an operation past its end is not in flight, though no call has settled it yet. */
export function snapshotOf(state: AzureState, now: number, options: { readonly operationLog: boolean }): StateSnapshot {
  const vaults = Object.entries(state.vaults ?? {});
  return {
    resources: sortedByKey(Object.entries(state.resources).map(([id, resource]) => [id, withoutVolatile(resource)])),
    roleAssignments: sortedByKey(Object.entries(state.roleAssignments).map(([id, assignment]) => [id, withoutVolatile(assignment)])),
    applications: sortedByKey(state.applications.map(applicationEntry)),
    ...(state.deletedApplications?.length && { deletedApplications: sortedByKey(state.deletedApplications.map(applicationEntry)) }),
    ...(vaults.length > 0 && { vaults: sortedByKey(vaults.map(([name, content]) => [name, snapshotOfVault(content)])) }),
    operations: Object.values(state.operations)
      .filter((operation) => operation.status === "InProgress" && operation.readyAt > now)
      .map(({ resource, kind, name }) => ({ resource, kind, name }))
      .sort((left, right) => compare(left.resource, right.resource) || compare(left.name, right.name)),
    ...(options.operationLog && { operationLog: state.operationLog }),
  };
}

function applicationEntry(application: Application): [string, unknown] {
  const { appId, id, displayName, uniqueName, servicePrincipalId, tags, owners, graphPermissions } = application;
  const { secretHashes, passwordCredentials = [], keyCredentials = [] } = application;
  return [
    appId,
    {
      appId,
      id,
      displayName,
      ...(uniqueName !== undefined && { uniqueName }),
      ...(servicePrincipalId !== undefined && { servicePrincipalId }),
      ...(tags?.length && { tags }),
      ...(owners?.length && { owners }),
      secrets: secretHashes.length + passwordCredentials.length,
      ...(keyCredentials.length > 0 && { certificates: keyCredentials.map(({ customKeyIdentifier }) => customKeyIdentifier).sort() }),
      graphPermissions: [...graphPermissions].sort(),
    },
  ];
}

function withoutVolatile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (typeof value !== "object" || value === null) return value;
  // The names of tags are the user's: one of them may be called as a volatile key is.
  const entries = Object.entries(value).filter(([key]) => !volatileKeys.has(key));
  return sortedByKey(entries.map(([key, inner]) => [key, key === "tags" ? inner : withoutVolatile(inner)]));
}

function sortedByKey(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries([...entries].sort(([left], [right]) => compare(left, right)));
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
