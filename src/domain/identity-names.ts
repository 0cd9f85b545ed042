/** The names of the resources of one identity set. */
import type { ControlPlaneComponent, DataPlaneComponent } from "./components.js";
import type { IdentitySetKey } from "./identity-spec.js";
import { shortHash, uniqueSuffix, type SetPlace } from "./unique-suffix.js";

/**
 * Entra allows one application with a unique name, and only aro-hcp creates such names, which proves the ownership. The name is part of a Graph URL,
 * whose OData parser accepts no slash, not even as %2F (microsoft-graph-docs#10167, OData/odata.net#1708). So it has only letters, digits
 * and `-._~` (RFC 3986, 2.3). It is unambiguous: only the group's name can contain periods, and only its parentheses become a tilde and a letter.
 * It exceeds the 256 characters of a display name only if a group has more than 42 parentheses.
 */
export function applicationUniqueName(
  { subscriptionId, groupName, name }: Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name">,
  { key }: { readonly key: string },
): string {
  const group = groupName.replaceAll("(", "~l").replaceAll(")", "~r");
  return ["aro-hcp", subscriptionId, group, name, key].join(".").toLowerCase();
}

export interface NamedApplication {
  /** The owner, in lower case. */
  readonly set: Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name">;
  readonly component: string;
}

/** Parses a unique name of aro-hcp; undefined for any other name. */
export function namedApplication(uniqueName: string): NamedApplication | undefined {
  const [, subscriptionId, group, name, component] =
    /^aro-hcp\.([\da-f-]{36})\.(.+)\.([^.]+)\.([^.]+)$/.exec(uniqueName.toLowerCase()) ?? [];
  if (subscriptionId === undefined || group === undefined || name === undefined || component === undefined) return undefined;
  return { set: { subscriptionId, groupName: group.replaceAll("~l", "(").replaceAll("~r", ")"), name }, component };
}

/** Names in the portal. They do not prove ownership. */
export function applicationDisplayName({ name }: IdentitySetKey, { key }: ControlPlaneComponent): string {
  return `${name}-${key}`;
}

/** `credentialsSecretName` in the identity files, as ARO HCP documents it. */
export function credentialSecretName({ name }: Pick<IdentitySetKey, "name">, { key }: { readonly key: string }): string {
  return `${name}-${key}`;
}

/** A certificate has a secret with its own name, so it needs a different name from the credential secret. */
export function certificateName(set: Pick<IdentitySetKey, "name">, component: { readonly key: string }): string {
  return `${credentialSecretName(set, component)}-cert`;
}

/** The key in the set's vault that encrypts etcd. */
export function encryptionKeyName({ name }: Pick<IdentitySetKey, "name">): string {
  return `${name}-etcd-encryption`;
}

/** The default group of vault and identities. Clusters share it, so its name has no infra ID. */
export function persistentGroupName(set: string): string {
  return `${set}-common`;
}

export function managedIdentityName({ name }: Pick<IdentitySetKey, "name">, { key }: DataPlaneComponent): string {
  return `${key}-${name}`;
}

export function federatedCredentialName(identityName: string): string {
  return `${identityName}-fed-id`;
}

/** For a second issuer that the same identity trusts, because several clusters may share it. */
export function furtherFederatedCredentialName(identityName: string, issuerUrl: string): string {
  return `${federatedCredentialName(identityName)}-${shortHash(issuerUrl)}`;
}

/** 3 to 24 letters, digits and single hyphens, globally unique: the shortened name and six digits of a hash of the set. */
export function defaultVaultName(set: SetPlace): string {
  const cut = set.name.slice(0, 13).replace(/-+/g, "-").replace(/-$/, "");
  return `kv-${cut}-${uniqueSuffix(set)}`;
}
