/** What `create arc secrets` creates for the workloads of a connected cluster, and its names. */
import { applicationUniqueName, defaultVaultName } from "../../domain/identity-names.js";
import { arcTag, ownedBy, ownershipTags, type ArcOwner } from "../../domain/ownership.js";
import { createdAsTag } from "../../domain/set-ownership.js";
import { tagValue, type Tags } from "../../domain/tags.js";
import { sameText } from "../../text/same-text.js";
import { type ConnectedClusterPlace } from "./names.js";

/** How pods sign in to the vault. */
export const secretsIdentities = ["workload-identity", "service-principal"] as const;

export interface ArcSecretsSpec extends ConnectedClusterPlace {
  readonly tenantId: string;
  readonly location: string;
  readonly vaultName: string;
  readonly secretName: string;
  /** Undefined: a new secret gets a random value, and an existing one stays. */
  readonly secretValue: string | undefined;
  readonly access: ArcSecretsAccess;
}

export type ArcSecretsAccess =
  /** Tokens of the service account, signed by the cluster's own key, which Entra reads from the issuer. */
  | { readonly kind: "workload-identity"; readonly issuerUrl: string; readonly namespace: string; readonly serviceAccount: string }
  | { readonly kind: "service-principal" };

export function arcVaultName({ subscriptionId, groupName, name }: ConnectedClusterPlace): string {
  return defaultVaultName({ subscriptionId, groupName, name: `arc-${name.replaceAll("_", "-").toLowerCase()}` });
}

export function arcIdentityName({ name }: Pick<ConnectedClusterPlace, "name">): string {
  return `${name}-secrets`;
}

export function arcApplication(key: ConnectedClusterPlace): {
  readonly uniqueName: string;
  readonly displayName: string;
  readonly tag: string;
} {
  return {
    uniqueName: applicationUniqueName(key, { key: "arc-secrets" }),
    displayName: `${key.name}-secrets`,
    tag: `${arcTag}:${key.name}`,
  };
}

/** The tags of the new vault: a name that the user chose is recorded, so that a destroy finds it. */
export function arcVaultTags(key: ConnectedClusterPlace, vaultName: string): Record<string, string> {
  const owner: ArcOwner = { arc: key.name };
  return { ...ownershipTags(owner), ...(sameText(vaultName, arcVaultName(key)) ? {} : { [createdAsTag]: vaultName }) };
}

interface Named {
  readonly name?: string | undefined;
  readonly tags?: Tags;
}

/** Compares the tag and the derived name: whoever may write tags cannot choose that name. */
export function namesArcVault(key: ConnectedClusterPlace, { name, tags }: Named): boolean {
  return ownedBy(tags, { arc: key.name }) === "ours" && sameText(name, arcVaultName(key));
}

/** Tags alone are enough here, but prove nothing before a deletion. */
export function ownsArcVault(key: ConnectedClusterPlace, { name, tags }: Named): boolean {
  return (
    ownedBy(tags, { arc: key.name }) === "ours" && [arcVaultName(key), tagValue(tags, createdAsTag)].some((one) => sameText(one, name))
  );
}
