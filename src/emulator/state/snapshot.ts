/** A sorted snapshot of the state, without what differs between equal runs. */
import { operationsFrom } from "./operation-log.js";
import type { AnsweredVersion, AzureState, OperationLogEntry } from "./state.js";
import type { ManagedHsm } from "./managed-hsm.js";
import type { Application } from "./application.js";
import { isUnwritten } from "./zone-apex.js";
import type { SecretVersion, VaultContent, VaultKey } from "./vault-content.js";

/** The result of `local status`. IDs are in lower case, as keys; it contains no secret. */
export interface StateSnapshot {
  readonly resources: Readonly<Record<string, unknown>>;
  readonly roleAssignments: Readonly<Record<string, unknown>>;
  /** The keys are application IDs. */
  readonly applications: Readonly<Record<string, unknown>>;
  /** Soft-deleted, by application ID; absent if there is none. */
  readonly deletedApplications?: Readonly<Record<string, unknown>>;
  /** The content of the vaults, including deleted ones, by the vault's name; absent without a vault. */
  readonly vaults?: Readonly<Record<string, unknown>>;
  /** The content of the managed HSMs that have any, by the HSM's name; absent if none has. */
  readonly managedHsms?: Readonly<Record<string, unknown>>;
  /** Requests whose api-version the emulator does not know, by type and version; absent if there was none. */
  readonly answeredVersions?: readonly (AnsweredVersion & { readonly requests: number })[];
  /** In flight, by the ID of their resource. */
  readonly operations: readonly { readonly resource: string; readonly kind: string; readonly name: string }[];
  /** One entry for each of the newest 10,000 writes: how long it took by the emulator's own account. Only on request. */
  readonly operationLog?: readonly OperationLogEntry[];
}

/** New at every write, or by the clock. */
const volatileKeys = new Set([
  "etag",
  "resourceGuid",
  "internalId",
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

/**
 * `now` in epoch milliseconds: an operation past its end is not in flight, even if no call has applied its effect yet. A record set that
 * was created with its zone appears only after a client has written it.
 */
export function snapshotOf(state: AzureState, now: number, options: { readonly operationLog: boolean }): StateSnapshot {
  const resources = Object.entries(state.resources).filter(([, resource]) => !isUnwritten(resource));
  // The content of a vault is in the state from its first use on.
  const unused = Object.values(state.resources).flatMap(({ type, name }) =>
    type.toLowerCase() === "microsoft.keyvault/vaults" ? [[name.toLowerCase(), { secrets: {}, certificates: {} }] as const] : [],
  );
  const vaults = Object.entries({ ...Object.fromEntries(unused), ...state.vaults });
  const hsms = Object.entries(state.managedHsms ?? {}).filter(
    ([, { content, roleAssignments }]) => Object.keys(content.keys ?? {}).length + roleAssignments.length > 0,
  );
  const deleted = Object.values(state.deletedApplications ?? {});
  const versions = Object.values(state.answeredVersions ?? {});
  return {
    resources: sortedByKey(resources.map(([id, resource]) => [id, withoutVolatile(resource)])),
    roleAssignments: sortedByKey(Object.entries(state.roleAssignments).map(([id, assignment]) => [id, withoutVolatile(assignment)])),
    applications: sortedByKey(Object.values(state.applications).map(applicationEntry)),
    ...(deleted.length > 0 && { deletedApplications: sortedByKey(deleted.map(applicationEntry)) }),
    ...(vaults.length > 0 && { vaults: sortedByKey(vaults.map(([name, content]) => [name, snapshotOfVault(content)])) }),
    ...(hsms.length > 0 && { managedHsms: sortedByKey(hsms.map(([name, hsm]) => [name, snapshotOfHsm(hsm)])) }),
    ...(versions.length > 0 && {
      answeredVersions: versions.sort((left, right) => compare(left.type, right.type) || compare(left.version, right.version)),
    }),
    operations: Object.values(state.operations)
      .filter((operation) => operation.status === "InProgress" && operation.readyAt > now)
      .map(({ resource, kind, name }) => ({ resource, kind, name }))
      .sort((left, right) => compare(left.resource, right.resource) || compare(left.name, right.name)),
    ...(options.operationLog && { operationLog: operationsFrom(state, 0) }),
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

/** The attributes of a key have its times in seconds. */
function timeless(attributes: unknown): unknown {
  if (typeof attributes !== "object" || attributes === null) return attributes;
  const { created: _created, updated: _updated, ...others } = attributes as Readonly<Record<string, unknown>>;
  return others;
}

function withoutVolatile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (typeof value !== "object" || value === null) return value;
  // The names of tags are the user's: one of them may be called as a volatile key is.
  const entries = Object.entries(value).filter(([key]) => !volatileKeys.has(key));
  return sortedByKey(
    entries.map(([key, inner]) => [key, key === "tags" ? inner : withoutVolatile(key === "attributes" ? timeless(inner) : inner)]),
  );
}

function sortedByKey(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries([...entries].sort(([left], [right]) => compare(left, right)));
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The vaults and managed HSMs in a snapshot of the state: no secret, no key, no time. */
type Entries = Readonly<Record<string, unknown>>;

function snapshotOfVault({ secrets, certificates, issuers = {}, keys = {} }: VaultContent): Entries {
  return {
    certificates: byName(certificates, ({ policy, versions, pending, deleted }) => ({
      policy,
      versions: versions.map(shown),
      ...(pending?.order && { pending: true }),
      ...(deleted && { deleted: true }),
    })),
    ...(Object.keys(issuers).length > 0 && {
      issuers: byName(issuers, ({ provider, accountId, organization, attributes: { enabled } }) => ({
        provider,
        enabled,
        ...(accountId !== undefined && { accountId }),
        ...(organization !== undefined && { organization }),
      })),
    }),
    ...(Object.keys(keys).length > 0 && {
      keys: byName(keys, shownKey),
    }),
    secrets: byName(secrets, ({ managed, versions, deleted }) => ({
      ...(managed && { managed }),
      versions: versions.map(({ contentType, ...rest }) => ({ ...(contentType !== undefined && { contentType }), ...shown(rest) })),
      ...(deleted && { deleted: true }),
    })),
  };
}

/** Omits the names of role assignments, which are random unless aro-hcp chooses them. */
function snapshotOfHsm({ content: { keys = {} }, roleAssignments }: ManagedHsm): Entries {
  const assignments = roleAssignments.map(
    ({ scope, roleDefinitionId, principalId }) => `${scope}: ${roleDefinitionId.split("/").at(-1) ?? ""} of ${principalId}`,
  );
  return { keys: byName(keys, shownKey), roleAssignments: assignments.sort() };
}

function shownKey({ versions, deleted }: VaultKey): Entries {
  return {
    versions: versions.map(({ kty, ops, ...rest }) => ({ kty, ops, ...shown(rest) })),
    ...(deleted && { deleted: true }),
  };
}

function byName<T>(objects: Readonly<Record<string, T>>, show: (object: T) => Entries): Entries {
  const sorted = Object.entries(objects).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, object]) => [name, show(object)]));
}

/** The validity times differ with each creation; only their presence is shown. */
function shown({ tags, attributes: { enabled, nbf, exp } }: Pick<SecretVersion, "tags" | "attributes">): Entries {
  return {
    enabled,
    ...(nbf !== undefined && { nbf: true }),
    ...(exp !== undefined && { exp: true }),
    ...(tags && { tags: Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, isTime(value) ? "(time)" : value])) }),
  };
}

const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value);
