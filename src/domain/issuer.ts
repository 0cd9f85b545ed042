/** The desired issuer of service-account tokens: its names, its URL and its owner. */
import type { IdentitySet } from "./ownership.js";

export interface IssuerNames {
  readonly group: string;
  /** Globally unique, because it is part of a hostname. */
  readonly account: string;
  readonly container: string;
}

/** How the documents are uploaded: with Azure RBAC, or with a key of the account. */
export const issuerUploads = ["role", "account-key"] as const;
export type IssuerUpload = (typeof issuerUploads)[number];

export interface IssuerSpec extends IssuerNames {
  readonly owner: IdentitySet;
  readonly subscriptionId: string;
  readonly location: string;
  /** The issuer's URL without a trailing slash. */
  readonly url: string;
  /** The user's tags for created resources, merged with existing tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** IDs of the keys to stop publishing. */
  readonly retiredKeys: readonly string[];
  /** With Azure RBAC by default. */
  readonly upload?: IssuerUpload;
}

interface GivenNames {
  readonly oidcResourceGroupName: string | undefined;
  readonly storageAccountName: string | undefined;
  readonly blobContainerName: string | undefined;
}

/** The default names, which are those of ccoctl. */
export function issuerNames(name: string, given: Partial<GivenNames> = {}): IssuerNames {
  return {
    group: given.oidcResourceGroupName ?? `${name}-oidc`,
    account: given.storageAccountName ?? name,
    container: given.blobContainerName ?? name,
  };
}

/** Exactly the `iss` of the tokens. `blobSuffix` depends on the cloud: `blob.core.windows.net`. */
export function issuerUrl(blobSuffix: string, { account, container }: Pick<IssuerNames, "account" | "container">): string {
  return `https://${account}.${blobSuffix}/${container}`;
}

/** Containers have no tags, so this marks ownership in a container's metadata, whose names cannot contain hyphens. */
export const containerMark = "aro_hcp_identities";
