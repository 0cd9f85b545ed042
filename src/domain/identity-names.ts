/** The names of everything that belongs to one set of identities. */
import { createHash } from "node:crypto";
import type { ControlPlaneComponent, DataPlaneComponent } from "./components.js";
import type { IdentitySetKey } from "./identity-spec.js";

/**
 * Entra admits one application of a unique name, and we alone make such names: that is the proof that it is ours. Graph is asked for it in a URL, where
 * its parser of OData takes no slash, not even as %2F (microsoft-graph-docs#10167, OData/odata.net#1708): so letters, digits and `-._~` alone (RFC 3986,
 * 2.3). No two sets share one: of the parts, only the group's name may hold a period, so it is what lies between the others, and only its
 * parentheses become a tilde and a letter. Longer than the 256 characters of a display name only where a group has more than 42 parentheses.
 */
export function applicationUniqueName(
  { subscriptionId, groupName, name }: Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name">,
  { key }: { readonly key: string },
): string {
  const group = groupName.replaceAll("(", "~l").replaceAll(")", "~r");
  return ["aro-hcp", subscriptionId, group, name, key].join(".").toLowerCase();
}

export interface NamedApplication {
  /** Whose it is, in lower case. */
  readonly set: Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name">;
  readonly component: string;
}

/** What a unique name of ours says; undefined for any other. */
export function namedApplication(uniqueName: string): NamedApplication | undefined {
  const [, subscriptionId, group, name, component] =
    /^aro-hcp\.([\da-f-]{36})\.(.+)\.([^.]+)\.([^.]+)$/.exec(uniqueName.toLowerCase()) ?? [];
  if (subscriptionId === undefined || group === undefined || name === undefined || component === undefined) return undefined;
  return { set: { subscriptionId, groupName: group.replaceAll("~l", "(").replaceAll("~r", ")"), name }, component };
}

/** Names in the portal; they prove nothing. */
export function applicationDisplayName({ name }: IdentitySetKey, { key }: ControlPlaneComponent): string {
  return `${name}-${key}`;
}

/** `credentialsSecretName` in the identity files, as ARO HCP documents it. */
export function credentialSecretName({ name }: Pick<IdentitySetKey, "name">, { key }: ControlPlaneComponent): string {
  return `${name}-${key}`;
}

/** A certificate owns the secret of its own name, so it cannot have that of the credential. */
export function certificateName(set: Pick<IdentitySetKey, "name">, component: ControlPlaneComponent): string {
  return `${credentialSecretName(set, component)}-cert`;
}

export function managedIdentityName({ name }: Pick<IdentitySetKey, "name">, { key }: DataPlaneComponent): string {
  return `${key}-${name}`;
}

export function federatedCredentialName(identityName: string): string {
  return `${identityName}-fed-id`;
}

/** For a second issuer that the same identity is to trust: several clusters may share it. */
export function furtherFederatedCredentialName(identityName: string, issuerUrl: string): string {
  return `${federatedCredentialName(identityName)}-${shortHash(issuerUrl)}`;
}

/** 3 to 24 letters, digits and single hyphens, unique in the world: so the name, cut, and six digits of what makes the set unique. */
export function defaultVaultName({ subscriptionId, groupName, name }: Omit<IdentitySetKey, "vaultName">): string {
  const cut = name.slice(0, 13).replace(/-+/g, "-").replace(/-$/, "");
  return `kv-${cut}-${shortHash(`${subscriptionId}/${groupName}/${name}`.toLowerCase())}`;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}
