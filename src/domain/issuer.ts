/** The issuer of service-account tokens as it is wanted: its names, its address, and who it belongs to. */
import type { IdentitySet } from "./ownership.js";

export interface IssuerNames {
  readonly group: string;
  /** Unique in all of Azure: it is part of a host name. */
  readonly account: string;
  readonly container: string;
}

export interface IssuerSpec extends IssuerNames {
  readonly owner: IdentitySet;
  readonly subscriptionId: string;
  readonly location: string;
  /** The issuer's address, without a slash at its end. */
  readonly url: string;
  /** The user's tags, for what is made here; merged with what is there. */
  readonly tags: Readonly<Record<string, string>>;
  /** Ids of the keys that are to be published no longer. */
  readonly retiredKeys: readonly string[];
}

interface GivenNames {
  readonly oidcResourceGroupName: string | undefined;
  readonly storageAccountName: string | undefined;
  readonly blobContainerName: string | undefined;
}

/** The names of ccoctl, where none are given. */
export function issuerNames(name: string, given: GivenNames): IssuerNames {
  return {
    group: given.oidcResourceGroupName ?? `${name}-oidc`,
    account: given.storageAccountName ?? name,
    container: given.blobContainerName ?? name,
  };
}

/** `iss` of the tokens, byte by byte. `blobSuffix` is the cloud's: "blob.core.windows.net". */
export function issuerUrl(blobSuffix: string, { account, container }: IssuerNames): string {
  return `https://${account}.${blobSuffix}/${container}`;
}

/** Containers carry no tags; this is our mark in a container's metadata, whose names admit no hyphens. */
export const containerMark = "aro_hcp_identities";
