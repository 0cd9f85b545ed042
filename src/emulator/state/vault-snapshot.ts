/** The vaults and managed HSMs in a snapshot of the state: no secret, no key, no time. */
import type { ManagedHsm } from "./state.js";
import type { SecretVersion, VaultContent, VaultKey } from "./vault-content.js";

type Entries = Readonly<Record<string, unknown>>;

export function snapshotOfVault({ secrets, certificates, issuers = {}, keys = {} }: VaultContent): Entries {
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

/** Its role assignments without their names, which are random if a client other than aro-hcp chooses them. */
export function snapshotOfHsm({ content: { keys = {} }, roleAssignments }: ManagedHsm): Entries {
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
