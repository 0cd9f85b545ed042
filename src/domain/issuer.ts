/** The desired issuer of service-account tokens: its names, its URL and its owner. */
import { nameProblem } from "./name-rules.js";
import type { IdentitySet } from "./ownership.js";
import { uniqueSuffix, type SetPlace } from "./unique-suffix.js";

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
  /** The flag that lets the run publish its key beside others that it does not name; absent if it may. */
  readonly joinFlag?: string | undefined;
  /** The upload uses Azure RBAC by default. */
  readonly upload?: IssuerUpload;
}

/** The default name, which is ccoctl's. */
export function issuerGroupName(set: string): string {
  return `${set}-oidc`;
}

/** The default name: ccoctl's, but a container needs three characters. */
export function issuerContainerName(set: string): string {
  return set.length < 3 ? issuerGroupName(set) : set;
}

/** 3 to 24 lowercase letters and digits, unique across Azure: the shortened name and six digits of a hash of the place. */
export function defaultAccountName(place: SetPlace): string {
  return `${place.name.replaceAll("-", "").slice(0, 18)}${uniqueSuffix(place)}`;
}

/** The default name without the digits: ccoctl's, and of accounts that earlier versions created. Undefined if Azure accepts no such account. */
export function plainAccountName({ name }: Pick<SetPlace, "name">): string | undefined {
  return nameProblem("storageAccount", name) === undefined ? name : undefined;
}

/** Exactly the `iss` of the tokens. `blobSuffix` depends on the cloud: `blob.core.windows.net`. */
export function issuerUrl(blobSuffix: string, { account, container }: Pick<IssuerNames, "account" | "container">): string {
  return `https://${account}.${blobSuffix}/${container}`;
}

/** Containers have no tags, so this marks ownership in a container's metadata, whose names cannot contain hyphens. */
export const containerMark = "aro_hcp_identities";
